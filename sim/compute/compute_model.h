// The time of kernels on one kind of GPU. Equations and sources: docs/models/kernels.md.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "sim/compute/architecture.h"
#include "sim/compute/card_rates.h"
#include "sim/compute/cost.h"
#include "sim/platform/gpu_spec.h"
#include "sim/program/kernel.h"
#include "sim/program/program.h"

namespace stepsim::sim {

class ComputeModel {
 public:
  // `architecture` must be the one spec.architecture names (checked by the caller).
  ComputeModel(GpuSpec spec, Architecture architecture);

  // What this GPU cannot run: a kernel class the architecture file does not know, a number format without a rate, an
  // attention kernel that does not exist there. Costs may be asked only of kernels that pass.
  absl::Status Check(const Kernel& kernel) const;
  absl::Status Check(const Program& program) const;

  // At full clock: power never binds.
  KernelCost CostAtFullClock(const Kernel& kernel) const;

  // As repeated alone on random data in a benchmark loop: tensor work holds the part at its power limit.
  KernelCost CostAlone(const Kernel& kernel) const;

  // Costs of all kernels of a program as they run in its step: the clock follows from the share of tensor work in the busy
  // time (fixed point). Indexed by KernelId.
  std::vector<KernelCost> CostInStep(const Program& program) const;

  const GpuSpec& spec() const { return spec_; }
  const Architecture& architecture() const { return architecture_; }
  const CardRates& rates() const { return rates_; }

 private:
  GpuSpec spec_;
  Architecture architecture_;
  CardRates rates_;
};

}  // namespace stepsim::sim
