#include "sim/device/sm_sharing.h"

#include <algorithm>
#include <cmath>

namespace stepsim::sim {
namespace {
constexpr double kLongKernelExponent = 0.45;  // more than kShortWaves waves: power limited
constexpr double kShortWaves = 4;
constexpr double kTensorBeside = 1.05;        // tensor kernels beside a collective, SMs apart
constexpr double kReachableMemoryShare = 0.9;

double SmFactor(const KernelCost& cost, int held, int sms) {
  const int left = std::max(1, sms - held);
  if (cost.waves > kShortWaves) {
    return std::pow(static_cast<double>(sms) / left, kLongKernelExponent) * kTensorBeside;
  }
  const double blocks = cost.waves * sms;
  return std::ceil(blocks / left - 1e-9) / std::ceil(blocks / sms - 1e-9) * kTensorBeside;
}

double MemoryFactor(const KernelCost& cost, BytesPerSecond beside, BytesPerSecond memory_rate) {
  const double seconds = std::max(1e-9, cost.time.seconds());
  const double wanted = cost.memory_traffic.value() / seconds + beside.per_second();
  return wanted / (kReachableMemoryShare * memory_rate.per_second());
}

}  // namespace

int32_t Slowdown(const Kernel& kernel, const KernelCost& cost, const Footprint& beside, int sms, BytesPerSecond memory_rate) {
  double factor = 1;
  if (beside.channels > 0 && kernel.uses_tensor_cores()) factor = std::max(factor, SmFactor(cost, beside.channels, sms));
  if (beside.memory_traffic.per_second() > 0 && cost.memory_traffic.count() > 0) {
    factor = std::max(factor, MemoryFactor(cost, beside.memory_traffic, memory_rate));
  }
  return static_cast<int32_t>(std::lround(std::min(factor, 100.0) * kSlowdownUnit));
}

std::vector<int32_t> Slowdowns(const ExecutionPlan& plan, const Footprint& beside, BytesPerSecond memory_rate) {
  std::vector<int32_t> factors;
  factors.reserve(plan.costs.size());
  size_t i = 0;
  for (const Kernel& kernel : plan.program->kernels) {
    factors.push_back(Slowdown(kernel, plan.costs[i++], beside, plan.sms, memory_rate));
  }
  return factors;
}

bool LeavesRoom(const ExecutionPlan& plan, int32_t kernel, int channels) {
  const double used = plan.sm_share[static_cast<size_t>(kernel)] / 65536.0 * plan.sms;
  return used + channels <= plan.sms;
}

}  // namespace stepsim::sim
