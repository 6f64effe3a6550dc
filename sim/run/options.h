// How to simulate, as opposed to what.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/ids.h"
#include "sim/collective/collective_model.h"

namespace stepsim::sim {

struct RunOptions {
  int warmup_steps = 1;    // discarded; one step is measured after them
  int threads = 1;         // the result does not depend on it
  uint64_t seed = 0;
  CollectiveOptions collectives;
  std::vector<RankId> traced_ranks;
  std::function<void(double fraction)> progress;  // called now and then from the run loop; may be empty
};

}  // namespace stepsim::sim
