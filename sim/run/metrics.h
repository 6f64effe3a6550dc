// From what happened to what is reported: pure functions over a finished world.
#pragma once

#include "sim/run/result.h"
#include "sim/run/world.h"

namespace stepsim::sim {

// Time, throughput, shares, utilisation, kernels, collectives, links, bottleneck, energy.
void Measure(const World& world, const Platform& platform, const Job& job, Result* result);

// Worst rank's peak against its card.
MemoryResult MeasureMemory(const World& world);

}  // namespace stepsim::sim
