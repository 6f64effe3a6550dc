// Faults of the user travel as absl::Status. The macros and helpers that Debian 12's Abseil lacks.
//
// Codes and exit codes of the command line (tools/cli): InvalidArgument, NotFound, Unimplemented → 1 (input invalid);
// PermissionDenied, Unavailable, DataLoss → 3 (I/O); ResourceExhausted, FailedPrecondition → 4 (job impossible).
#pragma once

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace stepsim::sim {

// The status with `context` and ": " put before its message.
inline absl::Status Annotate(const absl::Status& status, absl::string_view context) {
  return status.ok() ? status : absl::Status(status.code(), absl::StrCat(context, ": ", status.message()));
}

inline std::string ToString(absl::string_view text) { return std::string(text.data(), text.size()); }

}  // namespace stepsim::sim

#define SIM_CONCAT_INNER(a, b) a##b
#define SIM_CONCAT(a, b) SIM_CONCAT_INNER(a, b)

#define SIM_RETURN_IF_ERROR(expression)                                   \
  do {                                                                    \
    if (::absl::Status sim_status = (expression); !sim_status.ok()) return sim_status; \
  } while (false)

#define SIM_ASSIGN_OR_RETURN(lhs, expression) SIM_ASSIGN_OR_RETURN_IMPL(SIM_CONCAT(sim_or_, __LINE__), lhs, expression)
#define SIM_ASSIGN_OR_RETURN_IMPL(temporary, lhs, expression) \
  auto temporary = (expression);                              \
  if (!temporary.ok()) return temporary.status();             \
  lhs = std::move(temporary).value()
