// The scenario's training and parallelism mappings: what is read, and what is refused with which words.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/workloads/fixtures.h"

namespace stepsim::workloads {
namespace {

using ::testing::HasSubstr;

std::string TrainingError(const std::string& text) {
  const auto node = sim::ParseConfig(text, "s.yaml");
  const auto read = sim::ReadWith(TrainingSchema(), *node);
  return read.ok() ? "" : std::string(read.status().message().data(), read.status().message().size());
}

std::string ParallelismError(const std::string& text) {
  const auto node = sim::ParseConfig(text, "s.yaml");
  const auto read = sim::ReadWith(ParallelismSchema(), *node);
  return read.ok() ? "" : std::string(read.status().message().data(), read.status().message().size());
}

TEST(TrainingSchema, ReadsTheDocumentedScenario) {
  const auto node = sim::ParseConfig(
      "{sequence_length: 2048, micro_batch: 1, global_batch: 2Mi tokens, precision: bf16-mixed, recompute: full, "
      "attention: flash2, optimizer: adamw-fused, packing_efficiency: 1.0, execution: eager, framework: pytorch-fsdp2}",
      "s.yaml");
  const auto training = sim::ReadWith(TrainingSchema(), *node);
  ASSERT_TRUE(training.ok()) << training.status();
  EXPECT_EQ(training->MicroBatches(1024), 1);
  EXPECT_EQ(training->MicroBatches(256), 4);
  EXPECT_EQ(training->MicroBatches(1000), 0);
  EXPECT_EQ(training->recompute, RecomputeChoice::kFull);
}

TEST(TrainingSchema, GlobalBatchCountsSequencesUnlessItSaysTokens) {
  TrainingSpec training = SmallTraining();
  training.global_batch = {64, false};
  EXPECT_EQ(training.MicroBatches(8), 4);  // 64 / (8 · 2)
  training.global_batch = {64 * 128, true};
  EXPECT_EQ(training.MicroBatches(8), 4);
}

TEST(TrainingSchema, TellsUnmodelledFromMisspelt) {
  EXPECT_THAT(TrainingError("{sequence_length: 8, precision: fp8-mixed}"),
              HasSubstr("s.yaml:1:33: \"fp8-mixed\" is not modelled yet"));
  EXPECT_THAT(TrainingError("{sequence_length: 8, recompute: selective}"), HasSubstr("not modelled yet"));
  EXPECT_THAT(TrainingError("{sequence_length: 8, execution: compile}"), HasSubstr("not modelled yet"));
  EXPECT_THAT(TrainingError("{sequence_length: 8, precision: bf16-mixd}"), HasSubstr("bf16-mixed"));
  EXPECT_THAT(TrainingError("{sequence_length: 8, framework: deepspeed}"), HasSubstr("not modelled yet"));
}

TEST(TrainingSchema, RefusesWhatCannotBe) {
  EXPECT_THAT(TrainingError("{micro_batch: 1}"), HasSubstr("sequence_length"));
  EXPECT_NE(TrainingError("{sequence_length: 0}"), "");
  EXPECT_NE(TrainingError("{sequence_length: 8, micro_batch: -1}"), "");
  EXPECT_NE(TrainingError("{sequence_length: 8, packing_efficiency: 1.5}"), "");
  EXPECT_THAT(TrainingError("{sequence_length: 8, global_batch: 64 cows}"), HasSubstr("expected a batch"));
  EXPECT_THAT(TrainingError("{sequence_length: 8, global_batch: 64, gradient_accumulation: 2}"),
              HasSubstr("give one of the two"));
  EXPECT_THAT(TrainingError("{sequence_length: 8, precision: fp32, attention: flash2}"), HasSubstr("16-bit"));
  EXPECT_EQ(TrainingError("{sequence_length: 8, precision: fp32}"), "");
}

TEST(ParallelismSchema, RefusesWhatIsNotModelled) {
  EXPECT_EQ(ParallelismError("{strategy: fsdp, tensor: 1, pipeline: 1, offload: none}"), "");
  EXPECT_THAT(ParallelismError("{strategy: zero3}"), HasSubstr("\"zero3\" is not modelled yet; modelled: none, ddp, fsdp"));
  EXPECT_THAT(ParallelismError("{strategy: fsdp, tensor: 2}"), HasSubstr("tensor parallelism is not modelled yet"));
  EXPECT_THAT(ParallelismError("{strategy: fsdp, offload: optimizer}"), HasSubstr("not modelled yet"));
  EXPECT_THAT(ParallelismError("{strategy: fspd}"), HasSubstr("fsdp"));
}

std::string WorkloadError(const TrainingSpec& training, const ParallelismSpec& parallelism, int world,
                          const std::string& text) {
  const auto scenario = sim::ParseConfig(text, "s.yaml");
  sim::Diagnostics problems;
  CheckWorkload(SmallModel("gpt"), training, parallelism, world, *scenario, &problems);
  const absl::Status status = problems.ToStatus();
  return std::string(status.message().data(), status.message().size());
}

TEST(CheckWorkload, PointsAtTheKey) {
  TrainingSpec training = SmallTraining();
  ParallelismSpec parallelism;
  parallelism.strategy = "fsdp";
  EXPECT_EQ(WorkloadError(training, parallelism, 8, "{training: {}, parallelism: {}}"), "");
  parallelism.data = 16;
  EXPECT_THAT(WorkloadError(training, parallelism, 8, "{training: {}, parallelism: {data: 16}}"),
              HasSubstr("s.yaml:1:35: data-parallel ranks must be all 8 GPUs"));
  parallelism.data = 0;
  training.global_batch = {100, false};
  EXPECT_THAT(WorkloadError(training, parallelism, 8, "{training: {global_batch: 100}}"),
              HasSubstr("s.yaml:1:27: global batch of 100 sequences is no multiple"));
  training.global_batch = {};
  training.sequence_length = 1024;
  EXPECT_THAT(WorkloadError(training, parallelism, 8, "{training: {}}"), HasSubstr("128 learned positions"));
  EXPECT_THAT(WorkloadError(SmallTraining(), parallelism, 1, "{training: {}}"), HasSubstr("needs at least two GPUs"));
  parallelism.strategy = "none";
  EXPECT_THAT(WorkloadError(SmallTraining(), parallelism, 8, "{training: {}}"), HasSubstr("is for one GPU"));
  EXPECT_EQ(WorkloadWarnings(SmallModel("llama"), training).size(), 1u);
}

}  // namespace
}  // namespace stepsim::workloads
