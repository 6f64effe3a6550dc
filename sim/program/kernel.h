// GPU work as data: what a kernel computes and moves, not how long it takes (sim/compute turns it into time).
#pragma once

#include <string>

#include "sim/base/units.h"
#include "sim/platform/dtype.h"

namespace stepsim::sim {

enum class KernelKind : uint8_t {
  kGemm,         // C[m,n] = A[m,k] · B[k,n], batch times
  kAttention,    // fused attention
  kMemoryBound,  // pointwise, reduction, cast, copy, optimizer: bytes over the bandwidth of its class
  kFixed,        // too small for bytes to matter: the time of its class
  kMemset,
  kCopy,         // DMA between host and device: bytes over PCIe
};

// Which product of a Linear layer (operand layouts differ).
enum class GemmVariant : uint8_t { kForward, kDataGradient, kWeightGradient };

// Category in reports and in `kernels{…}` of the result.
enum class KernelCategory : uint8_t {
  kGemm, kAttention, kElementwise, kReduction, kCast, kLoss, kEmbedding, kOptimizer, kCommunicationCopy, kMemset, kMemcpy, kOther
};
constexpr int kNumKernelCategories = 12;
const char* Name(KernelCategory category);

enum class AttentionBackend : uint8_t { kFlash1, kFlash2, kFlash3, kCudnn };

struct Kernel {
  KernelKind kind = KernelKind::kMemoryBound;
  KernelCategory category = KernelCategory::kElementwise;
  // Class of the bandwidth table of the architecture file ("mul", "cast_fp32_bf16", "layer_norm"): one per way a kernel
  // walks memory, not one per operation. Empty for GEMM and attention.
  std::string kernel_class;
  std::string name;  // for people and traces
  DType dtype = DType::kBf16;
  // GEMM
  int64_t m = 0, n = 0, k = 0, batch = 1;
  GemmVariant variant = GemmVariant::kForward;
  // Attention
  int64_t sequences = 0, heads = 0, kv_heads = 0, sequence = 0, head_dim = 0;
  bool causal = false;
  bool backward = false;
  AttentionBackend backend = AttentionBackend::kFlash2;
  // All kinds: memory traffic if nothing stays in L2, and arithmetic.
  Bytes read;
  Bytes written;
  Flops flops;

  Bytes bytes() const { return read + written; }
  bool uses_tensor_cores() const { return kind == KernelKind::kGemm || kind == KernelKind::kAttention; }
  bool operator==(const Kernel&) const = default;
};

}  // namespace stepsim::sim
