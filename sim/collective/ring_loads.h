// What a ring puts on the links of a platform.
#pragma once

#include "absl/status/statusor.h"
#include "sim/collective/algorithm.h"

namespace stepsim::sim {

// Whether the collective moves down the ring in a pipeline instead of in rounds.
inline bool Pipelined(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce;
}

// Every hop carries steps/ranks of the message (models/COLLECTIVES.md §2); the rails share it equally.
absl::StatusOr<AlgorithmLoads> LoadRing(const AlgorithmContext& context, CollectiveKind kind);

}  // namespace stepsim::sim
