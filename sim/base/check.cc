#include "sim/base/check.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace stepsim::sim {

CheckContext& ThreadCheckContext() {
  thread_local CheckContext context;
  return context;
}

namespace internal {

CheckFailure::CheckFailure(const char* file, int line, const char* condition) {
  const char* base = std::strrchr(file, '/');
  message_ << "internal error at " << (base != nullptr ? base + 1 : file) << ":" << line << ": check failed: "
           << condition;
  const CheckContext& context = ThreadCheckContext();
  message_ << " [simulated time " << context.now.seconds() << " s";
  if (context.rank.valid()) message_ << ", rank " << context.rank.value();
  message_ << "] ";
}

CheckFailure::~CheckFailure() {
  std::fprintf(stderr, "%s\n", message_.str().c_str());
  std::fflush(stderr);
  std::abort();
}

}  // namespace internal
}  // namespace stepsim::sim
