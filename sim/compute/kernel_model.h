// A kernel model: the time of one kind of kernel at full clock, and what it holds meanwhile.
#pragma once

#include "absl/status/status.h"
#include "sim/base/registry.h"
#include "sim/compute/architecture.h"
#include "sim/compute/card_rates.h"
#include "sim/compute/cost.h"
#include "sim/program/kernel.h"

namespace stepsim::sim {

class KernelModel {
 public:
  virtual ~KernelModel() = default;
  // At full clock, alone. Only for kernels that Check accepts.
  virtual KernelCost Cost(const Kernel& kernel, const CardRates& card, const Architecture& architecture) const = 0;
  // InvalidArgument: what the card or the architecture lacks for this kernel.
  virtual absl::Status Check(const Kernel& kernel, const CardRates& card, const Architecture& architecture) const = 0;
};

const KernelModel& GemmModel();
const KernelModel& AttentionModel();
const KernelModel& MemoryBoundModel();  // kMemoryBound and kMemset
const KernelModel& FixedModel();
const KernelModel& CopyModel();

// By name of the kind: "gemm", "attention", "memory-bound", "fixed", "memset", "copy".
const Registry<const KernelModel*>& KernelModels();
const char* Name(KernelKind kind);
const KernelModel& ModelOf(KernelKind kind);

}  // namespace stepsim::sim
