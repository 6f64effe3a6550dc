#include "sim/program/program.h"

namespace stepsim::sim {

const char* Name(KernelCategory category) {
  switch (category) {
    case KernelCategory::kGemm: return "gemm";
    case KernelCategory::kAttention: return "attention";
    case KernelCategory::kElementwise: return "elementwise";
    case KernelCategory::kReduction: return "reduction";
    case KernelCategory::kCast: return "cast";
    case KernelCategory::kLoss: return "loss";
    case KernelCategory::kEmbedding: return "embedding";
    case KernelCategory::kOptimizer: return "optimizer";
    case KernelCategory::kCommunicationCopy: return "communication_copy";
    case KernelCategory::kMemset: return "memset";
    case KernelCategory::kMemcpy: return "memcpy";
    case KernelCategory::kOther: return "other";
  }
  return "?";
}

const char* Name(Phase phase) {
  switch (phase) {
    case Phase::kForward: return "forward";
    case Phase::kBackward: return "backward";
    case Phase::kRecompute: return "recompute";
    case Phase::kOptimizer: return "optimizer";
  }
  return "?";
}

const char* Name(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kAllReduce: return "all_reduce";
    case CollectiveKind::kAllGather: return "all_gather";
    case CollectiveKind::kReduceScatter: return "reduce_scatter";
    case CollectiveKind::kBroadcast: return "broadcast";
    case CollectiveKind::kReduce: return "reduce";
    case CollectiveKind::kAllToAll: return "all_to_all";
    case CollectiveKind::kSendRecv: return "send_recv";
    case CollectiveKind::kBarrier: return "barrier";
  }
  return "?";
}

const char* Name(MemoryPart part) {
  switch (part) {
    case MemoryPart::kParameters: return "parameters";
    case MemoryPart::kGradients: return "gradients";
    case MemoryPart::kOptimizerStates: return "optimizer_states";
    case MemoryPart::kActivations: return "activations";
    case MemoryPart::kLogitsAndLoss: return "logits_and_loss";
    case MemoryPart::kGatheredParameters: return "gathered_parameters";
    case MemoryPart::kCommunicationBuffers: return "communication_buffers";
    case MemoryPart::kWeightCopies: return "weight_copies";
    case MemoryPart::kWorkspace: return "workspace";
  }
  return "?";
}

}  // namespace stepsim::sim
