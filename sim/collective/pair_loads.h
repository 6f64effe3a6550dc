// What transfers between pairs of ranks put on the links of a platform.
#pragma once

#include "absl/status/statusor.h"
#include "sim/collective/algorithm.h"

namespace stepsim::sim {

// Every ordered pair of ranks carries S/N. Unimplemented for groups with too many pairs of NICs.
absl::StatusOr<AlgorithmLoads> LoadAllToAll(const AlgorithmContext& context);

// The first rank sends the message to the second.
absl::StatusOr<AlgorithmLoads> LoadSendRecv(const AlgorithmContext& context);

}  // namespace stepsim::sim
