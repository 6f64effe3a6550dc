#include "sim/compute/compute_model.h"

#include <utility>

#include "sim/base/check.h"
#include "sim/base/status.h"
#include "sim/compute/kernel_model.h"
#include "sim/compute/power.h"

namespace stepsim::sim {
namespace {

void Stretch(KernelCost* cost, double factor) { cost->time = Duration::FromMicroseconds(cost->time.microseconds() * factor); }

}  // namespace

ComputeModel::ComputeModel(GpuSpec spec, Architecture architecture)
    : spec_(std::move(spec)), architecture_(std::move(architecture)), rates_(MakeCardRates(spec_, architecture_)) {
  SIM_CHECK(spec_.sms > 0 && rates_.memory > 0) << "GPU " << spec_.name << " without SMs or memory rate";
}

absl::Status ComputeModel::Check(const Kernel& kernel) const {
  const absl::Status status = ModelOf(kernel.kind).Check(kernel, rates_, architecture_);
  return Annotate(status, absl::StrCat("GPU ", spec_.name, ", kernel \"", kernel.name, "\""));
}

absl::Status ComputeModel::Check(const Program& program) const {
  for (const Kernel& kernel : program.kernels) SIM_RETURN_IF_ERROR(Check(kernel));
  return absl::OkStatus();
}

KernelCost ComputeModel::CostAtFullClock(const Kernel& kernel) const {
  return ModelOf(kernel.kind).Cost(kernel, rates_, architecture_);
}

KernelCost ComputeModel::CostAlone(const Kernel& kernel) const {
  KernelCost cost = CostAtFullClock(kernel);
  Stretch(&cost, ClockFactorAlone(kernel, cost, rates_));
  return cost;
}

std::vector<KernelCost> ComputeModel::CostInStep(const Program& program) const {
  std::vector<KernelCost> costs;
  costs.reserve(program.kernels.size());
  for (const Kernel& kernel : program.kernels) costs.push_back(CostAtFullClock(kernel));
  const double factor = ClockFactorInStep(TensorShare(program, costs, rates_), rates_);
  for (size_t i = 0; i < costs.size(); ++i) {
    const Kernel& kernel = program.kernels[KernelId(static_cast<int32_t>(i))];
    if (kernel.uses_tensor_cores() && kernel.dtype != DType::kFp32) Stretch(&costs[i], factor);
  }
  return costs;
}

}  // namespace stepsim::sim
