// Quantities for people: four significant digits in the largest unit that keeps the number at 1 or above.
#include <cmath>
#include <vector>

#include "absl/strings/str_format.h"
#include "sim/config/quantity.h"

namespace stepsim::sim {
namespace {

struct Step {
  const char* unit;
  double factor;
};

// steps: smallest first.
std::string Format(double value, const std::vector<Step>& steps) {
  if (std::isinf(value)) return "infinite";
  const Step* chosen = &steps.front();
  for (const Step& step : steps) {
    if (std::fabs(value) >= step.factor) chosen = &step;
  }
  const double scaled = value / chosen->factor;
  if (std::fabs(scaled) >= 1000) return absl::StrFormat("%.0f %s", scaled, chosen->unit);
  return absl::StrFormat("%.4g %s", scaled, chosen->unit);
}

}  // namespace

std::string FormatBytes(Bytes bytes) {
  return Format(bytes.value(), {{"B", 1}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}});
}

std::string FormatByteRate(BytesPerSecond rate) {
  return Format(rate.per_second(), {{"B/s", 1}, {"KB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}});
}

std::string FormatFlopRate(FlopsPerSecond rate) {
  return Format(rate.per_second(), {{"FLOPS", 1}, {"KFLOPS", 1e3}, {"MFLOPS", 1e6}, {"GFLOPS", 1e9}, {"TFLOPS", 1e12},
                                    {"PFLOPS", 1e15}, {"EFLOPS", 1e18}});
}

std::string FormatDuration(Duration duration) {
  if (duration == Duration::Infinite()) return "infinite";
  return Format(duration.seconds(), {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}});
}

}  // namespace stepsim::sim
