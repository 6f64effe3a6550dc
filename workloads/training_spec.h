// How a step is trained: the scenario's `training:` mapping.
#pragma once

#include <optional>
#include <string>

#include "sim/config/schema.h"
#include "sim/platform/dtype.h"

namespace stepsim::workloads {

enum class PrecisionChoice : uint8_t { kFp32, kTf32, kFp16Mixed, kBf16Mixed, kBf16 };
enum class RecomputeChoice : uint8_t { kNone, kFull, kEvery2 };
enum class AttentionChoice : uint8_t { kEager, kFlash1, kFlash2, kFlash3, kCudnn };
enum class OptimizerChoice : uint8_t { kAdamWFused, kAdamWSingleTensor, kSgd };
enum class FrameworkChoice : uint8_t { kFromStrategy, kPytorchDdp, kPytorchFsdp2 };

// "1024 sequences", "2Mi tokens"; a bare integer counts sequences. 0: not given.
struct GlobalBatch {
  int64_t amount = 0;
  bool in_tokens = false;
};

struct TrainingSpec {
  int64_t sequence_length = 0;            // tokens
  int64_t micro_batch = 1;                // sequences per data-parallel rank and pass
  int64_t gradient_accumulation = 0;      // micro-batches per step; 0: from global_batch, else 1
  GlobalBatch global_batch;
  PrecisionChoice precision = PrecisionChoice::kBf16Mixed;
  RecomputeChoice recompute = RecomputeChoice::kNone;
  std::optional<AttentionChoice> attention;  // unset: flash2, but eager where no flash kernel exists (fp32, tf32)
  OptimizerChoice optimizer = OptimizerChoice::kAdamWFused;
  double packing_efficiency = 1.0;        // share of tokens that are not padding: scales tokens/s, not the work
  FrameworkChoice framework = FrameworkChoice::kFromStrategy;
  std::optional<sim::DType> reduce_dtype;  // unset: the framework's default
  double bucket_mb = 0;                   // DDP's bucket in MiB; 0: the framework's default
  std::optional<bool> no_sync;            // reduce gradients in the last micro-batch only
  double clip = 0;                        // gradient clipping to this global norm; 0: none

  AttentionChoice attention_or_default() const;
  bool is_16_bit() const { return precision != PrecisionChoice::kFp32 && precision != PrecisionChoice::kTf32; }
  // Micro-batches per step; 0 when the global batch is no multiple of ranks × micro_batch.
  int64_t MicroBatches(int64_t data_parallel_ranks) const;
};

const sim::Schema<TrainingSpec>& TrainingSchema();

}  // namespace stepsim::workloads
