#include "sim/compute/power.h"

#include <algorithm>
#include <cmath>

namespace stepsim::sim {
namespace {

constexpr int kMaxPasses = 60;
constexpr double kSettledShare = 1e-9;

struct BusyTime {
  double tensor = 0;
  double other = 0;
};

// DMA engines work beside the SMs and are left out.
BusyTime AtFullClock(const Program& program, const std::vector<KernelCost>& costs) {
  std::vector<int64_t> runs(program.kernels.size(), 0);
  for (const Op& op : program.ops) {
    if (op.kind == OpKind::kKernel) ++runs[static_cast<size_t>(op.index)];
  }
  BusyTime busy;
  for (size_t i = 0; i < runs.size(); ++i) {
    const Kernel& kernel = program.kernels[KernelId(static_cast<int32_t>(i))];
    if (kernel.kind == KernelKind::kCopy) continue;
    const double seconds = costs[i].time.seconds() * static_cast<double>(runs[i]);
    (kernel.uses_tensor_cores() && kernel.dtype != DType::kFp32 ? busy.tensor : busy.other) += seconds;
  }
  return busy;
}

}  // namespace

double ClockFactorInStep(double tensor_share, const CardRates& card) {
  return std::cbrt(std::max(1.0, tensor_share * card.power_in_step));
}

double ClockFactorAlone(const Kernel& kernel, const KernelCost& at_full_clock, const CardRates& card, double settled) {
  if (kernel.kind != KernelKind::kGemm || kernel.dtype == DType::kFp32) return 1;
  const double flops = 2.0 * static_cast<double>(kernel.m) * static_cast<double>(kernel.n) * static_cast<double>(kernel.k) *
                       static_cast<double>(kernel.batch);
  const double utilisation = flops / card.Tensor(kernel.dtype) / at_full_clock.time.microseconds();
  return std::pow(std::max(1.0, utilisation * card.power_alone), settled / 3);
}

double TensorShare(const Program& program, const std::vector<KernelCost>& at_full_clock, const CardRates& card) {
  const BusyTime busy = AtFullClock(program, at_full_clock);
  if (busy.tensor <= 0) return 0;
  // share ↦ share of the time stretched by its clock factor: increasing, with slope below 1/3, so it settles quickly.
  double share = busy.tensor / (busy.tensor + busy.other);
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    const double tensor = busy.tensor * ClockFactorInStep(share, card);
    const double next = tensor / (tensor + busy.other);
    if (std::abs(next - share) < kSettledShare) return next;
    share = next;
  }
  return share;
}

}  // namespace stepsim::sim
