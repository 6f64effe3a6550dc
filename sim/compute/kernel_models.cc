// The table of kernel models.
#include "sim/base/check.h"
#include "sim/compute/kernel_model.h"

namespace stepsim::sim {

const char* Name(KernelKind kind) {
  switch (kind) {
    case KernelKind::kGemm: return "gemm";
    case KernelKind::kAttention: return "attention";
    case KernelKind::kMemoryBound: return "memory-bound";
    case KernelKind::kFixed: return "fixed";
    case KernelKind::kMemset: return "memset";
    case KernelKind::kCopy: return "copy";
  }
  return "?";
}

const Registry<const KernelModel*>& KernelModels() {
  static const auto* registry = new Registry<const KernelModel*>("kernel model", {
      {"gemm", "tiles and waves over the SMs, operand feed, memory traffic", &GemmModel()},
      {"attention", "fused attention: blocks of query rows that walk the keys", &AttentionModel()},
      {"memory-bound", "bytes over the rate of the kernel's class, L2 and HBM", &MemoryBoundModel()},
      {"fixed", "kernels whose bytes do not matter: a time by class", &FixedModel()},
      {"memset", "bytes written over the fill rate", &MemoryBoundModel()},
      {"copy", "bytes over PCIe between host and device", &CopyModel()},
  });
  return *registry;
}

const KernelModel& ModelOf(KernelKind kind) {
  // In the order of KernelKind, so that a program's costs need no look-up by name.
  const auto& entries = KernelModels().entries();
  const auto row = static_cast<size_t>(kind);
  SIM_CHECK(row < entries.size() && entries[row].name == Name(kind)) << "no kernel model for kind " << row;
  return *entries[row].factory;
}

}  // namespace stepsim::sim
