// NCCL's choice: predicts the time of every algorithm and protocol from the ring graph and takes the least
// (src/graph/tuning.cc, src/enqueue.cc). Only the choice is used, not the times: they miss what
// models/COLLECTIVES.md §1.5 lists.
#pragma once

#include <optional>
#include <vector>

#include "sim/collective/group_traits.h"
#include "sim/program/program.h"

namespace stepsim::sim {

struct TunerCost {
  NcclAlgorithm algorithm;
  Protocol protocol;
  double us;
};

// Of every algorithm and protocol that NCCL would consider for a tuned collective (all but all-to-all and
// send/recv).
std::vector<TunerCost> TunerCosts(const GroupTraits& traits, CollectiveKind kind, int64_t bytes);

// The cheapest, among `only` if given.
TunerCost CheapestCost(const std::vector<TunerCost>& costs, std::optional<NcclAlgorithm> only);

}  // namespace stepsim::sim
