// What a step puts on the links, and which of them holds the collectives back.
#pragma once

#include <string>

#include "sim/run/result.h"
#include "sim/run/world.h"

namespace stepsim::sim {

// Utilisation by kind of link, and the busiest link of each kind.
void MeasureLinks(const World& world, const Platform& platform, const Job& job, Result* result);

// One row for each (kind, algorithm, protocol), rank 0's point of view.
void MeasureCollectives(const World& world, const Platform& platform, Result* result);

// The plan that takes most of the transfer time; null when nothing is transferred.
const CollectivePlan* SlowestPlan(const World& world);

// "node0/cpu0→node0/cpu1 (…)": what limits a plan, for people.
std::string Limit(const CollectivePlan& plan, const Platform& platform);

// GPU memory outside PyTorch's allocator: CUDA context and NCCL's buffers.
Bytes ContextBytes(const Role& role, const World& world);

}  // namespace stepsim::sim
