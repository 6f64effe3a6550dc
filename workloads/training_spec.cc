#include "workloads/training_spec.h"

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "sim/base/status.h"
#include "workloads/modelled_choice.h"

namespace stepsim::workloads {
namespace {

using sim::ConfigNode;
using sim::Diagnostics;

void ReadGlobalBatch(const ConfigNode& node, TrainingSpec* training, Diagnostics* problems) {
  constexpr const char* kExpected = "expected a batch such as \"1024 sequences\" or \"2Mi tokens\"";
  if (!node.is_scalar()) {
    problems->Add(node.position(), kExpected);
    return;
  }
  const std::vector<std::string> words = absl::StrSplit(node.text(), ' ', absl::SkipWhitespace());
  const auto amount = words.empty() ? absl::StatusOr<int64_t>(absl::InvalidArgumentError("empty"))
                                    : sim::ParseInteger(words[0]);
  const bool has_unit = words.size() == 2 && (words[1] == "sequences" || words[1] == "tokens");
  if (!amount.ok() || *amount <= 0 || !(words.size() == 1 || has_unit)) {
    problems->Add(node.position(), kExpected);
    return;
  }
  training->global_batch = {*amount, has_unit && words[1] == "tokens"};
}

void ReadReduceType(const ConfigNode& node, TrainingSpec* training, Diagnostics* problems) {
  const auto index = sim::internal::ReadChoice(node, {"fp32", "bf16", "fp16"}, problems);
  if (!index) return;
  if (*index == 2) {
    problems->Add(node.position(), "\"fp16\" is not modelled yet; modelled: fp32, bf16");
    return;
  }
  training->reduce_dtype = *index == 0 ? sim::DType::kFp32 : sim::DType::kBf16;
}

void ReadNoSync(const ConfigNode& node, TrainingSpec* training, Diagnostics* problems) {
  training->no_sync = sim::internal::ReadBoolean(node, {}, problems);
}

void CheckTraining(const ConfigNode& node, const TrainingSpec& training, Diagnostics* problems) {
  if (training.global_batch.amount > 0 && training.gradient_accumulation > 0) {
    problems->Add(node["gradient_accumulation"].position(),
                  "gradient_accumulation follows from global_batch; give one of the two");
  }
  if (!training.is_16_bit() && training.attention_or_default() != AttentionChoice::kEager) {
    problems->Add(node["attention"].position(), "flash and cuDNN attention need a 16-bit precision; use eager");
  }
  if (training.precision == PrecisionChoice::kFp16Mixed && training.reduce_dtype == sim::DType::kBf16) {
    problems->Add(node["reduce_dtype"].position(), "bf16 reduction of fp16 gradients is not modelled yet");
  }
}

template <class E>
nlohmann::json Words(const std::vector<std::pair<std::string, E>>& values) {
  std::vector<std::string> names;
  for (const auto& value : values) names.push_back(value.first);
  return {{"enum", names}};
}

const std::vector<std::pair<std::string, PrecisionChoice>> kPrecisions = {{"fp32", PrecisionChoice::kFp32},
                                                                          {"tf32", PrecisionChoice::kTf32},
                                                                          {"fp16-mixed", PrecisionChoice::kFp16Mixed},
                                                                          {"bf16-mixed", PrecisionChoice::kBf16Mixed},
                                                                          {"bf16", PrecisionChoice::kBf16}};
const std::vector<std::pair<std::string, RecomputeChoice>> kRecomputes = {
    {"none", RecomputeChoice::kNone}, {"full", RecomputeChoice::kFull}, {"every-2", RecomputeChoice::kEvery2}};
const std::vector<std::pair<std::string, AttentionChoice>> kAttentions = {{"eager", AttentionChoice::kEager},
                                                                          {"flash1", AttentionChoice::kFlash1},
                                                                          {"flash2", AttentionChoice::kFlash2},
                                                                          {"flash3", AttentionChoice::kFlash3},
                                                                          {"cudnn", AttentionChoice::kCudnn}};
const std::vector<std::pair<std::string, OptimizerChoice>> kOptimizers = {
    {"adamw-fused", OptimizerChoice::kAdamWFused},
    {"adamw-single-tensor", OptimizerChoice::kAdamWSingleTensor},
    {"sgd", OptimizerChoice::kSgd}};
const std::vector<std::pair<std::string, FrameworkChoice>> kFrameworks = {
    {"pytorch-ddp", FrameworkChoice::kPytorchDdp}, {"pytorch-fsdp2", FrameworkChoice::kPytorchFsdp2}};

void AddChoices(sim::Schema<TrainingSpec>* schema) {
  schema
      ->Custom("precision", ModelledChoice(&TrainingSpec::precision, kPrecisions, {"fp8-mixed", "mxfp8", "nvfp4"}),
               Words(kPrecisions), {.help = "of the matrix products; *-mixed keeps fp32 weights"})
      .Custom("recompute", ModelledChoice(&TrainingSpec::recompute, kRecomputes, {"selective"}), Words(kRecomputes),
              {.help = "activation checkpointing by layer"})
      .Custom("attention", ModelledChoice(&TrainingSpec::attention, kAttentions, {}), Words(kAttentions),
              {.help = "attention kernels; flash2 if left out"})
      .Custom("optimizer",
              ModelledChoice(&TrainingSpec::optimizer, kOptimizers, {"adamw-foreach", "adamw-cpu", "lamb"}),
              Words(kOptimizers), {.help = "optimizer and its implementation"})
      .Custom("execution", OnlyValue<TrainingSpec>("eager", {"compile", "cuda-graph"}), {{"enum", {"eager"}}},
              {.help = "how the framework issues kernels"})
      .Custom("framework",
              ModelledChoice(&TrainingSpec::framework, kFrameworks,
                             {"pytorch-fsdp1", "deepspeed", "megatron-lm", "megatron-deepspeed", "nemo", "maxtext",
                              "megatron-bridge", "llm.c", "internevo", "paddle", "hf-trainer", "other"}),
              Words(kFrameworks), {.help = "whose schedule and host costs; by strategy if left out"});
}

}  // namespace

AttentionChoice TrainingSpec::attention_or_default() const {
  return attention.value_or(is_16_bit() ? AttentionChoice::kFlash2 : AttentionChoice::kEager);
}

int64_t TrainingSpec::MicroBatches(int64_t data_parallel_ranks) const {
  if (global_batch.amount == 0) return gradient_accumulation == 0 ? 1 : gradient_accumulation;
  const int64_t pass = data_parallel_ranks * micro_batch * (global_batch.in_tokens ? sequence_length : 1);
  return global_batch.amount % pass == 0 ? global_batch.amount / pass : 0;
}

const sim::Schema<TrainingSpec>& TrainingSchema() {
  static const auto* schema = [] {
    auto* s = new sim::Schema<TrainingSpec>("training");
    s->Integer("sequence_length", &TrainingSpec::sequence_length,
               {.help = "tokens", .required = true, .min = 1, .max = 1 << 24})
        .Integer("micro_batch", &TrainingSpec::micro_batch,
                 {.help = "sequences per data-parallel rank and pass", .min = 1, .max = 1 << 16})
        .Integer("gradient_accumulation", &TrainingSpec::gradient_accumulation,
                 {.help = "micro-batches per step", .min = 1, .max = 1 << 16})
        .Custom("global_batch", ReadGlobalBatch, {{"type", {"string", "integer"}}},
                {.help = "\"1024 sequences\" or \"2Mi tokens\" per step over all ranks"});
    AddChoices(s);
    s->Number("packing_efficiency", &TrainingSpec::packing_efficiency,
              {.help = "share of tokens that are not padding; scales tokens/s", .max = 1, .positive = true})
        .Custom("reduce_dtype", ReadReduceType, {{"enum", {"fp32", "bf16"}}}, {.help = "type of gradient reduction (fsdp)"})
        .Number("bucket_mb", &TrainingSpec::bucket_mb, {.help = "DDP's bucket in MiB", .max = 65536, .positive = true})
        .Custom("no_sync", ReadNoSync, {{"type", "boolean"}},
                {.help = "reduce gradients in the last micro-batch only"})
        .Number("clip", &TrainingSpec::clip, {.help = "clip gradients to this global norm", .positive = true})
        .Check(CheckTraining);
    return s;
  }();
  return *schema;
}

}  // namespace stepsim::workloads
