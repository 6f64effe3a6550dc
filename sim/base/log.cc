#include "sim/base/log.h"

#include <cstdlib>
#include <string>

#include "spdlog/sinks/stdout_color_sinks.h"

namespace stepsim::sim {

void InitLogging() {
  if (spdlog::get("stepsim") != nullptr) return;
  auto logger = spdlog::stderr_color_mt("stepsim");
  logger->set_pattern("stepsim: %^%l%$: %v");
  const char* level = std::getenv("STEPSIM_LOG");
  logger->set_level(level != nullptr ? spdlog::level::from_str(level) : spdlog::level::warn);
  spdlog::set_default_logger(logger);
}

}  // namespace stepsim::sim
