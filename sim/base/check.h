// Our own faults: a broken invariant aborts with the simulated time and rank at which it broke (kept in release builds).
// Faults of the user are absl::Status (status.h), never this.
#pragma once

#include <sstream>
#include <string>

#include "sim/base/ids.h"
#include "sim/base/units.h"

namespace stepsim::sim {

// Where the simulation stands, for messages of SIM_CHECK. Set by the run loop of the thread; cheap.
struct CheckContext {
  Time now;
  RankId rank;
};
CheckContext& ThreadCheckContext();

namespace internal {
// Collects the message; its destructor prints it and aborts.
class CheckFailure {
 public:
  CheckFailure(const char* file, int line, const char* condition);
  [[noreturn]] ~CheckFailure();
  std::ostream& stream() { return message_; }

 private:
  std::ostringstream message_;
};
}  // namespace internal

}  // namespace stepsim::sim

#define SIM_CHECK(condition)                                                         \
  if (__builtin_expect(static_cast<bool>(condition), 1)) {                           \
  } else                                                                             \
    ::stepsim::sim::internal::CheckFailure(__FILE__, __LINE__, #condition).stream()
