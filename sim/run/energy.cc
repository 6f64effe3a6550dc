#include "sim/run/energy.h"

#include <algorithm>

namespace stepsim::sim {
namespace {
// Shares of the board's power limit by what runs. Tensor work draws the limit (the clock falls until it does: models/kernels);
// the others are rough figures of data-centre boards, good to some 15 % of the limit.
constexpr double kIdleShare = 0.15;
constexpr double kCommunicationShare = 0.35;
constexpr double kMemoryBoundShare = 0.65;
constexpr double kTensorShare = 1.0;
}  // namespace

void MeasureEnergy(const World& world, Result* r) {
  const auto seconds = [r](KernelCategory c) { return r->kernels[static_cast<size_t>(c)].time_s; };
  const double tensor = std::min(r->compute_s, seconds(KernelCategory::kGemm) + seconds(KernelCategory::kAttention));
  const double other = r->compute_s - tensor;
  const double rest = std::max(0.0, r->step_time_s - r->compute_s - r->exposed_communication_s);
  const double share = (tensor * kTensorShare + other * kMemoryBoundShare + r->exposed_communication_s * kCommunicationShare +
                        rest * kIdleShare) / r->step_time_s;
  double limit = 0;
  for (const Role& role : world.roles()) limit += role.count * role.gpu->tdp_watts;
  r->watts_per_gpu = limit / static_cast<double>(r->gpus) * share;
  if (r->tokens_per_s_per_gpu > 0) r->joules_per_token = r->watts_per_gpu / r->tokens_per_s_per_gpu;
}

}  // namespace stepsim::sim
