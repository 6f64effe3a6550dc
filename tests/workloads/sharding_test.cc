// Schedules of the sharding strategies: what is sent, how often, in which order, and what waits for what.
#include "workloads/sharding/strategy.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/program/check.h"
#include "tests/workloads/fixtures.h"
#include "workloads/model/family.h"

namespace stepsim::workloads {
namespace {

using ::testing::ElementsAre;
using Kind = sim::CollectiveKind;

// Every strategy with every family: programs pass the static checks (fixtures), issue work for every parameter, and end
// with the memory they began with.
class Contract : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(Contract, ProgramIsSound) {
  const auto& [strategy, family] = GetParam();
  const auto entry = ShardingStrategies().Find(strategy);
  ASSERT_TRUE(entry.ok());
  const ModelSpec model = SmallModel(family);
  for (const int world : {2, 4, 7}) {  // 7 divides no dimension
    if (!entry->is_parallel && world != 2) continue;
    for (const auto recompute : {RecomputeChoice::kNone, RecomputeChoice::kFull, RecomputeChoice::kEvery2}) {
      for (const bool no_sync : {false, true}) {
        TrainingSpec training = SmallTraining();
        training.recompute = recompute;
        training.no_sync = no_sync;
        training.gradient_accumulation = 2;
        training.clip = 1;
        const sim::Program program = Build(model, training, strategy, entry->is_parallel ? world : 1);
        EXPECT_EQ(program.groups.empty(), !entry->is_parallel);
        EXPECT_EQ(program.samples, 4);
        // Each layer's forward products once per micro-batch, whatever the strategy.
        EXPECT_EQ(program.model_flops, Build(model, training, "none", 1).model_flops);
        EXPECT_GT(program.hardware_flops, recompute == RecomputeChoice::kNone ? 0 : program.model_flops);
      }
    }
  }
}

std::vector<std::string> FamilyNames() { return Families().Names(); }
std::vector<std::string> StrategyNames() { return ShardingStrategies().Names(); }

INSTANTIATE_TEST_SUITE_P(All, Contract,
                         ::testing::Combine(::testing::ValuesIn(StrategyNames()), ::testing::ValuesIn(FamilyNames())),
                         [](const auto& instance) {
                           std::string name = std::get<0>(instance.param) + "_" + std::get<1>(instance.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Fsdp, CollectivesComeInTheScheduledOrder) {
  const sim::Program program = Build(SmallModel("llama"), SmallTraining(), "fsdp", 2);
  EXPECT_THAT(CollectiveLabels(program),
              ElementsAre("all_gather root", "all_gather layer 0", "all_gather layer 1", "all_gather layer 2",  // forward
                          "all_gather layer 2",  // prefetched by the loss; the root is still gathered
                          "all_gather layer 1", "reduce_scatter layer 2", "all_gather layer 0", "reduce_scatter layer 1",
                          "reduce_scatter layer 0", "reduce_scatter root"));
}

TEST(Fsdp, RootIsGatheredAgainWhenToldToReshard) {
  const std::vector<std::string> labels = CollectiveLabels(Build(SmallModel("llama"), SmallTraining(), "fsdp", 2, true));
  EXPECT_EQ(std::count(labels.begin(), labels.end(), "all_gather root"), 2);
  EXPECT_EQ(labels[4], "all_gather root");
}

TEST(Fsdp, GradOpGathersOnce) {
  const sim::Program program = Build(SmallModel("llama"), SmallTraining(), "fsdp-grad-op", 2);
  EXPECT_EQ(TotalsByKind(program)[Kind::kAllGather].count, 3 + 1);
  EXPECT_EQ(TotalsByKind(program)[Kind::kReduceScatter].count, 3 + 1);
}

// Bytes of a step in closed form: 2-byte weights gathered twice (the root once), 4-byte gradients reduced once.
TEST(Fsdp, BytesAreTheClosedForm) {
  for (const char* family : {"gpt", "llama", "bert"}) {
    const ModelSpec model = SmallModel(family);
    ModelSpec rootless = model;
    rootless.layers = 1;
    const int64_t layer = (CountParameters(model) - CountParameters(rootless)) / 2;
    const int64_t root = CountParameters(model) - 3 * layer;
    auto totals = TotalsByKind(Build(model, SmallTraining(), "fsdp", 2));
    EXPECT_EQ(totals[Kind::kAllGather].bytes, 2 * (2 * 3 * layer + root)) << family;
    EXPECT_EQ(totals[Kind::kReduceScatter].bytes, 4 * model.parameters) << family;
    TrainingSpec training = SmallTraining();
    training.reduce_dtype = sim::DType::kBf16;
    totals = TotalsByKind(Build(model, training, "fsdp", 2));
    EXPECT_EQ(totals[Kind::kReduceScatter].bytes, 2 * model.parameters) << family;
  }
}

TEST(Fsdp, EachParameterIsPaddedToTheGroup) {
  // 7 ranks: rows 512 → 518, 256 → 259, 1024 → 1029, 128 → 133; see SmallModel.
  const int64_t layer = 259 * 256 + 2 * 133 * 256 + 259 * 256 + 2 * 1029 * 256 + 259 * 1024 + 2 * 259;
  const int64_t root = 518 * 256 + 259 + 518 * 256;
  auto totals = TotalsByKind(Build(SmallModel("llama"), SmallTraining(), "fsdp", 7));
  EXPECT_EQ(totals[Kind::kReduceScatter].bytes, 4 * (3 * layer + root));
}

TEST(Fsdp, AccumulationReducesEveryMicroBatchUnlessToldNot) {
  TrainingSpec training = SmallTraining();
  training.gradient_accumulation = 3;
  auto totals = TotalsByKind(Build(SmallModel("gpt"), training, "fsdp", 2));
  EXPECT_EQ(totals[Kind::kAllGather].count, 3 * (2 * 3 + 1));
  EXPECT_EQ(totals[Kind::kReduceScatter].count, 3 * 4);
  training.no_sync = true;
  const sim::Program program = Build(SmallModel("gpt"), training, "fsdp", 2);
  totals = TotalsByKind(program);
  EXPECT_EQ(totals[Kind::kAllGather].count, 3 * (2 * 3 + 1));
  EXPECT_EQ(totals[Kind::kReduceScatter].count, 4);
  const int tensors = 12 * 3 + 4;
  EXPECT_EQ(CountKernels(program, "nosync_cast"), tensors);
  EXPECT_EQ(CountKernels(program, "nosync_add"), 2 * tensors);
}

// The compute stream waits for each gather, and before each packing of gradients for the previous reduce-scatter.
TEST(Fsdp, ComputeWaitsForGathersAndForThePreviousReduce) {
  const sim::Program program = Build(SmallModel("llama"), SmallTraining(), "fsdp", 2);
  ASSERT_EQ(program.streams.size(), 4u);
  std::vector<int> recorded_on(static_cast<size_t>(program.num_event_slots));
  int waits_for_gather = 0, waits_for_reduce = 0, waits_in_flight = 0;
  bool reduce_pending = false;
  for (const sim::Op& op : program.ops) {
    if (op.kind == sim::OpKind::kRecord) recorded_on[static_cast<size_t>(op.index)] = op.stream;
    if (op.kind == sim::OpKind::kCollective && op.stream == 3) reduce_pending = true;
    if (op.kind != sim::OpKind::kWait || op.stream != 0) continue;
    const std::string& stream = program.streams[static_cast<size_t>(recorded_on[static_cast<size_t>(op.index)])].name;
    waits_for_gather += stream == "all-gather";
    waits_for_reduce += stream == "reduce-scatter";
    if (stream == "reduce-scatter" && std::exchange(reduce_pending, false)) ++waits_in_flight;
  }
  EXPECT_EQ(waits_for_gather, 7);      // 4 forward, 3 backward
  EXPECT_EQ(waits_for_reduce, 3 + 4);  // before the packing of all units but the first, and each at the end
  EXPECT_EQ(waits_in_flight, 4);
}

TEST(Ddp, BucketsCloseBehindTheParameterThatPassesTheLimit) {
  TrainingSpec training = SmallTraining();
  training.bucket_mb = 2;
  const ModelSpec model = SmallModel("gpt");
  auto totals = TotalsByKind(Build(model, training, "ddp", 2));
  EXPECT_EQ(totals[Kind::kAllReduce].bytes, 4 * model.parameters);
  // fp32 layer: projection 1 MiB, fc 1 MiB, o 0.25 MiB, qkv 0.75 MiB, small ones 13 KiB; embedding 0.5 MiB arrives last.
  // First bucket (1 MiB) = final norm .. last projection; then 2 MiB each: {fc, o, qkv | …} = 2.01 MiB per bucket up to the
  // next layer: {fc o qkv(2.0)}, {projection fc}, {o qkv projection}, {fc o qkv}, {positions, embedding}.
  EXPECT_EQ(totals[Kind::kAllReduce].count, 6);
  EXPECT_EQ(CountKernels(Build(model, training, "ddp", 2), "ddp_mul"), 12 * 3 + 4);
}

TEST(Ddp, NoSyncReducesOnce) {
  TrainingSpec training = SmallTraining();
  training.gradient_accumulation = 3;
  const ModelSpec model = SmallModel("bert");
  EXPECT_EQ(TotalsByKind(Build(model, training, "ddp", 2))[Kind::kAllReduce].bytes, 3 * 4 * model.parameters);
  training.no_sync = true;
  EXPECT_EQ(TotalsByKind(Build(model, training, "ddp", 2))[Kind::kAllReduce].bytes, 4 * model.parameters);
}

TEST(SingleGpu, AccumulatesEachGradientFromTheSecondMicroBatch) {
  TrainingSpec training = SmallTraining();
  const sim::Program one = Build(SmallModel("gpt"), training, "none", 1);
  training.gradient_accumulation = 3;
  const sim::Program three = Build(SmallModel("gpt"), training, "none", 1);
  EXPECT_EQ(CountKernels(three, "acc_add") - 3 * CountKernels(one, "acc_add"), 2 * (12 * 3 + 4));
}

TEST(Clip, SumsTheNormOverShardsOnly) {
  TrainingSpec training = SmallTraining();
  training.clip = 1;
  EXPECT_EQ(TotalsByKind(Build(SmallModel("gpt"), training, "fsdp", 2))[Kind::kAllReduce].bytes, 4);
  training.bucket_mb = 1e4;
  EXPECT_EQ(TotalsByKind(Build(SmallModel("gpt"), training, "ddp", 2))[Kind::kAllReduce].count, 2);  // the buckets
}

}  // namespace
}  // namespace stepsim::workloads
