// The classes of kernels that bytes or a fixed time describe: one per way a kernel walks memory, since broadcasting or
// mixed types drop PyTorch to a loop without vector loads and with it a factor of two to four of bandwidth. The
// bandwidth table of each GPU architecture (configs/calibration) has one entry per name.
//
// In names: f = fp32, b = 16 bit (bf16 or fp16), bw = backward. Columns: enumerator, name, kind, category, meaning.
#pragma once

#include "sim/program/kernel.h"

namespace stepsim::workloads {

// clang-format off
#define STEPSIM_KERNEL_CLASSES(X) \
  X(kMul, "mul", kMemoryBound, kElementwise, "product of two tensors of one type") \
  X(kAdd, "add", kMemoryBound, kElementwise, "sum of two tensors of one type") \
  X(kAccumulate, "acc_add", kMemoryBound, kElementwise, "gradient accumulated onto another") \
  X(kMulScalar, "mul_scalar", kMemoryBound, kElementwise, "product with a number") \
  X(kAddScalar, "add_scalar", kMemoryBound, kElementwise, "sum with a number") \
  X(kPow, "pow", kMemoryBound, kElementwise, "power") \
  X(kTanh, "tanh", kMemoryBound, kElementwise, "tanh") \
  X(kTanhBackward, "tanh_bw", kMemoryBound, kElementwise, "gradient of tanh") \
  X(kSilu, "silu", kMemoryBound, kElementwise, "SiLU") \
  X(kSiluBackward, "silu_bw", kMemoryBound, kElementwise, "gradient of SiLU") \
  X(kGelu, "gelu", kMemoryBound, kElementwise, "exact GELU") \
  X(kGeluBackward, "gelu_bw", kMemoryBound, kElementwise, "gradient of exact GELU") \
  X(kMulMixed, "mul_mixed", kMemoryBound, kElementwise, "product of fp32 and 16 bit") \
  X(kAddMixed, "add_mixed", kMemoryBound, kElementwise, "sum of fp32 and 16 bit: residual under autocast") \
  X(kAddBroadcast, "add_bc", kMemoryBound, kElementwise, "sum with a tensor broadcast over the batch") \
  X(kMulRow, "mul_row_f", kMemoryBound, kElementwise, "product with one fp32 factor per row") \
  X(kMulWeightF, "mul_w_f", kMemoryBound, kElementwise, "product with one fp32 factor per column") \
  X(kMulWeightB, "mul_w_b", kMemoryBound, kElementwise, "product with one 16-bit factor per column") \
  X(kMulRopeBF, "mul_rope_bf", kMemoryBound, kElementwise, "rotary: 16 bit times fp32 table") \
  X(kMulRopeBB, "mul_rope_bb", kMemoryBound, kElementwise, "rotary: 16 bit times 16-bit table") \
  X(kMulRopeFF, "mul_rope_ff", kMemoryBound, kElementwise, "rotary: fp32 times fp32 table") \
  X(kMulRopeBackwardF, "mul_ropebw_f", kMemoryBound, kElementwise, "gradient of the rotary product, fp32") \
  X(kMulRopeBackwardB, "mul_ropebw_b", kMemoryBound, kElementwise, "gradient of the rotary product, 16 bit") \
  X(kAddRopeF, "add_rope_f", kMemoryBound, kElementwise, "sum of the two rotary products, fp32") \
  X(kAddRopeB, "add_rope_b", kMemoryBound, kElementwise, "sum of the two rotary products, 16 bit") \
  X(kNegHalf, "neg_half", kMemoryBound, kElementwise, "rotary: half of each head negated") \
  X(kCatRope, "cat_rope", kMemoryBound, kElementwise, "rotary: halves of each head joined") \
  X(kSliceCopy, "slice_copy", kMemoryBound, kElementwise, "copy into a slice") \
  X(kTransposeCopy, "clone_t", kMemoryBound, kElementwise, "copy with two dimensions exchanged") \
  X(kCatQkv, "cat3", kMemoryBound, kElementwise, "gradients of q, k and v joined") \
  X(kZeros, "zeros", kMemoryBound, kElementwise, "fill") \
  X(kRsqrt, "rsqrt", kMemoryBound, kElementwise, "1/sqrt of one number per row") \
  X(kRsqrtBackward, "rsqrt_bw", kMemoryBound, kElementwise, "gradient of rsqrt (one of its three kernels)") \
  X(kDivExpand, "div_expand", kMemoryBound, kElementwise, "gradient of a row mean: broadcast and divide") \
  X(kAddMask, "add_mask", kMemoryBound, kElementwise, "eager attention: scores plus mask") \
  X(kDotDoO, "dot_do_o", kMemoryBound, kElementwise, "attention backward: row sums of output times gradient") \
  X(kConvertDq, "convert_dq", kMemoryBound, kElementwise, "attention backward: fp32 query gradient to 16 bit") \
  X(kReduceHead, "reduce_head", kMemoryBound, kAttention, "attention backward with grouped heads: sum over a group") \
  X(kSoftmax, "softmax", kMemoryBound, kReduction, "eager attention: softmax") \
  X(kSoftmaxBackward, "softmax_bw", kMemoryBound, kReduction, "eager attention: gradient of softmax") \
  X(kMean, "mean", kMemoryBound, kReduction, "mean of each row") \
  X(kSumRow, "sum_row", kMemoryBound, kReduction, "sum of each row") \
  X(kSumColumnF, "sum_col_f", kMemoryBound, kReduction, "sum of each column, fp32") \
  X(kSumColumnB, "sum_col_b", kMemoryBound, kReduction, "sum of each column, 16 bit") \
  X(kBiasSum, "bias_sum", kMemoryBound, kReduction, "bias gradient: sum of each column") \
  X(kSumBatch, "sum_batch", kMemoryBound, kReduction, "sum over the batch") \
  X(kLayerNorm, "layer_norm", kMemoryBound, kReduction, "LayerNorm") \
  X(kLayerNormBackwardX, "ln_bw_x", kMemoryBound, kReduction, "LayerNorm: gradient of the input") \
  X(kLayerNormBackwardW, "ln_bw_w", kMemoryBound, kReduction, "LayerNorm: gradients of weight and bias") \
  X(kCopyBF, "copy_bf", kMemoryBound, kCast, "16 bit to fp32") \
  X(kCopyFB, "copy_fb", kMemoryBound, kCast, "fp32 to 16 bit") \
  X(kLogSoftmax, "log_softmax", kMemoryBound, kLoss, "log-softmax over the vocabulary") \
  X(kLogSoftmaxBackward, "log_softmax_bw", kMemoryBound, kLoss, "gradient of log-softmax") \
  X(kGather, "gather", kMemoryBound, kEmbedding, "embedding look-up") \
  X(kEmbeddingGradient, "emb_grad", kMemoryBound, kEmbedding, "embedding gradient of sorted tokens") \
  X(kEmbeddingScatter, "emb_scatter", kMemoryBound, kEmbedding, "embedding gradient: partial sums scattered") \
  X(kEmbeddingFeature, "emb_grad_feature", kMemoryBound, kEmbedding, "embedding gradient, few tokens: one kernel") \
  X(kCopyDeviceToDevice, "copy_d2d", kMemoryBound, kMemcpy, "copy within the GPU's memory by the driver") \
  X(kDdpMul, "ddp_mul", kMemoryBound, kCommunicationCopy, "DDP: gradient over world size into its bucket") \
  X(kGatherCast, "ag_cast", kMemoryBound, kCommunicationCopy, "FSDP2: shards cast for the all-gather") \
  X(kGatherCopyIn, "ag_copy_in", kMemoryBound, kCommunicationCopy, "FSDP2: shards packed for the all-gather") \
  X(kGatherCopyOut, "copy_out", kMemoryBound, kCommunicationCopy, "FSDP2: all-gather output to parameters") \
  X(kChunkCat, "chunk_cat", kMemoryBound, kCommunicationCopy, "FSDP2: gradients packed for the reduce-scatter") \
  X(kNoSyncCast, "nosync_cast", kMemoryBound, kCommunicationCopy, "FSDP2 without sync: gradient kept in the reduce type") \
  X(kNoSyncAdd, "nosync_add", kMemoryBound, kCommunicationCopy, "FSDP2 without sync: gradient added to the kept one") \
  X(kReduceCast, "rs_cast", kMemoryBound, kCommunicationCopy, "FSDP2: reduced shard cast to the parameters' type") \
  X(kShardAccumulate, "shard_acc", kMemoryBound, kCommunicationCopy, "FSDP2: reduced shard added to the kept one") \
  X(kForeachNorm, "norm", kMemoryBound, kOptimizer, "clipping: foreach norm") \
  X(kForeachClip, "clip_mul", kMemoryBound, kOptimizer, "clipping: foreach product") \
  X(kAmpUnscale, "amp_unscale", kMemoryBound, kOptimizer, "fp16 loss scaling: gradients checked and unscaled") \
  X(kFusedAdamF, "fused_adam_f", kMemoryBound, kOptimizer, "fused AdamW, fp32") \
  X(kFusedAdamB, "fused_adam_b", kMemoryBound, kOptimizer, "fused AdamW, 16 bit") \
  X(kSingleAdam, "single_adam", kMemoryBound, kOptimizer, "one kernel of AdamW's loop over parameters") \
  X(kForeachSgd, "sgd", kMemoryBound, kOptimizer, "foreach SGD") \
  X(kSplitK, "splitk", kFixed, kGemm, "sum of a GEMM's split-k parts") \
  X(kSort, "sort", kFixed, kEmbedding, "embedding gradient: one of the sort and scan kernels") \
  X(kPositionTest, "prefix", kFixed, kOther, "positions and the test for packed sequences") \
  X(kRotaryTable, "rotary", kFixed, kOther, "rotary tables") \
  X(kLabels, "labels", kFixed, kLoss, "labels shifted") \
  X(kOnes, "ones", kFixed, kLoss, "gradient of the loss itself") \
  X(kNll, "nll", kFixed, kLoss, "negative log-likelihood") \
  X(kNllBackward, "nll_bw", kFixed, kLoss, "gradient of the negative log-likelihood") \
  X(kClipScalar, "clip", kFixed, kOptimizer, "clipping: scalar kernels") \
  X(kStepCounter, "step_add", kFixed, kOptimizer, "optimizer: step counters") \
  X(kAmpScale, "amp_scale", kFixed, kOptimizer, "fp16 loss scaling: scalar kernels") \
  X(kMemset, "memset", kMemset, kMemset, "flag or accumulator cleared before a kernel") \
  X(kHostToDevice, "h2d", kCopy, kMemcpy, "copy from the host") \
  X(kDeviceToHost, "d2h", kCopy, kMemcpy, "copy to the host")
// clang-format on

enum class KernelClass : uint8_t {
#define STEPSIM_ENUMERATOR(id, name, kind, category, meaning) id,
  STEPSIM_KERNEL_CLASSES(STEPSIM_ENUMERATOR)
#undef STEPSIM_ENUMERATOR
};

struct KernelClassInfo {
  const char* name;
  sim::KernelKind kind;
  sim::KernelCategory category;
  const char* meaning;
};

inline constexpr KernelClassInfo kKernelClasses[] = {
#define STEPSIM_ROW(id, name, kind, category, meaning) \
  {name, sim::KernelKind::kind, sim::KernelCategory::category, meaning},
    STEPSIM_KERNEL_CLASSES(STEPSIM_ROW)
#undef STEPSIM_ROW
};
inline constexpr int kNumKernelClasses = static_cast<int>(sizeof(kKernelClasses) / sizeof(kKernelClasses[0]));

constexpr const KernelClassInfo& Info(KernelClass kernel_class) {
  return kKernelClasses[static_cast<int>(kernel_class)];
}

}  // namespace stepsim::workloads
