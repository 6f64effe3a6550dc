// What a kernel loses beside a resident collective: the SMs that the collective's CTAs hold, and memory bandwidth.
//
// Rules fitted on kernels beside collectives on two H200 (docs/models/overlap.md):
//   SMs    up to four waves: waves on (SMs - held) over waves on SMs; longer: (SMs / (SMs - held))^0.45, since long tensor
//          kernels are power limited and fewer SMs clock higher; × 1.05
//   memory (kernel's traffic + collective's traffic) over 0.9 of the memory rate, where above 1
// The larger of the two counts. Memory-bound kernels are not SM bound.
#pragma once

#include <vector>

#include "sim/compute/cost.h"
#include "sim/device/execution_plan.h"

namespace stepsim::sim {

// What the collectives resident on a GPU hold together.
struct Footprint {
  int channels = 0;                // CTAs, one SM each
  BytesPerSecond memory_traffic;   // HBM bytes a second while bytes flow
  bool operator==(const Footprint&) const = default;
};

constexpr int64_t kSlowdownUnit = 65536;

// Factor ≥ 1 on a kernel's time, in 1/65536.
int32_t Slowdown(const Kernel& kernel, const KernelCost& cost, const Footprint& beside, int sms, BytesPerSecond memory_rate);

// For every kernel of the plan.
std::vector<int32_t> Slowdowns(const ExecutionPlan& plan, const Footprint& beside, BytesPerSecond memory_rate);

// Whether a collective of that many CTAs finds room beside the kernel without waiting.
bool LeavesRoom(const ExecutionPlan& plan, int32_t kernel, int channels);

}  // namespace stepsim::sim
