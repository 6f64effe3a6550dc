// Peak memory in closed form (docs/models/memory.md) where one is known.
#include "gtest/gtest.h"
#include "tests/workloads/fixtures.h"

namespace stepsim::workloads {
namespace {

int64_t Part(const std::array<sim::Bytes, sim::kNumMemoryParts>& parts, sim::MemoryPart part) {
  return parts[static_cast<size_t>(part)].count();
}

TEST(Memory, PersistentStateIsSixteenBytesAParameterLessGradients) {
  const ModelSpec model = CatalogueModel("tinyllama-1.1b");
  TrainingSpec training;
  training.sequence_length = 2048;
  const sim::Program program = Build(model, training, "none", 1);
  const auto& persistent = program.memory.persistent;
  EXPECT_EQ(Part(persistent, sim::MemoryPart::kParameters), 4 * model.parameters);  // all sizes divide by 512
  EXPECT_EQ(Part(persistent, sim::MemoryPart::kOptimizerStates), 8 * model.parameters);
}

TEST(Memory, FsdpSharesThePersistentState) {
  const ModelSpec model = CatalogueModel("llama2-7b");
  TrainingSpec training;
  training.sequence_length = 2048;
  training.recompute = RecomputeChoice::kFull;
  const sim::Program program = Build(model, training, "fsdp", 1024);
  const auto& persistent = program.memory.persistent;
  // 4096 / 1024 = 4 rows of everything but the vocabulary (32 of 31.25 rows) and the MLP (11 of 10.75).
  const int64_t layer = 4 * 4 * 4096 + 2 * 11 * 4096 + 4 * 11008;  // q k v o, gate up, down; norms round to 512 bytes
  const int64_t root = 2 * 32 * 4096;
  EXPECT_EQ(Part(persistent, sim::MemoryPart::kParameters), 4 * (32 * layer + root) + 65 * 512);
  EXPECT_EQ(Part(persistent, sim::MemoryPart::kOptimizerStates), 8 * (32 * layer + root) + 2 * 65 * 512);
}

// 12·R·V bytes of logits and loss at their peak, where nothing else is large: one layer, long batch.
TEST(Memory, LossOfACausalModelTakesTwelveBytesPerTokenAndWord) {
  ModelSpec model = SmallModel("llama", 1);
  model.vocab = 65536;
  TrainingSpec training = SmallTraining();
  training.micro_batch = 64;
  const sim::Program program = Build(model, training, "none", 1);
  const int64_t tokens = 64 * 128;
  EXPECT_EQ(Part(program.memory.peak_parts, sim::MemoryPart::kLogitsAndLoss), 12 * tokens * model.vocab);
}

// Saved activations per layer and token: 30h + 4kv + 8F + 4H + 8 under autocast, 20h + … in bf16; 4h and 2h when recomputed.
int64_t SavedPerLayer(const ModelSpec& shape, TrainingSpec training) {
  const auto at_loss = [&](int layers) {
    ModelSpec model = shape;
    model.layers = layers;
    const sim::Program program = Build(model, training, "none", 1);
    return Part(program.memory.peak_parts, sim::MemoryPart::kActivations);
  };
  return at_loss(5) - at_loss(4);
}

TEST(Memory, SavedActivationsOfALlamaLayer) {
  ModelSpec model = SmallModel("llama", 4);
  model.vocab = 32768;  // the peak lies in the loss
  const int64_t h = model.hidden, kv = model.kv_width(), f = model.ffn;
  TrainingSpec training = SmallTraining();
  training.micro_batch = 16;
  const int64_t tokens = 16 * 128;
  EXPECT_EQ(SavedPerLayer(model, training), tokens * (30 * h + 4 * kv + 8 * f + 4 * model.heads + 8));
  training.recompute = RecomputeChoice::kFull;
  EXPECT_EQ(SavedPerLayer(model, training), tokens * 4 * h);
  training.precision = PrecisionChoice::kBf16;
  EXPECT_EQ(SavedPerLayer(model, training), tokens * 2 * h);
  training.recompute = RecomputeChoice::kNone;
  EXPECT_EQ(SavedPerLayer(model, training), tokens * (20 * h + 4 * kv + 8 * f + 4 * model.heads + 8));
}

TEST(Memory, SavedActivationsOfGptAndBertLayers) {
  TrainingSpec training = SmallTraining();
  training.micro_batch = 16;
  const int64_t tokens = 16 * 128;
  ModelSpec gpt = SmallModel("gpt", 4);
  gpt.vocab = 32768;
  EXPECT_EQ(SavedPerLayer(gpt, training), tokens * (20 * gpt.hidden + 16 * gpt.ffn + 4 * gpt.heads + 16));
  ModelSpec bert = SmallModel("bert", 4);
  bert.vocab = 32768;
  EXPECT_EQ(SavedPerLayer(bert, training), tokens * (24 * bert.hidden + 4 * bert.ffn + 4 * bert.heads + 16));
}

TEST(Memory, PeakPartsAddUpToThePeak) {
  for (const char* strategy : {"none", "ddp", "fsdp", "fsdp-grad-op"}) {
    const sim::Program program = Build(SmallModel("llama"), SmallTraining(), strategy, strategy[0] == 'n' ? 1 : 4);
    int64_t sum = 0;
    for (const sim::Bytes part : program.memory.peak_parts) sum += part.count();
    EXPECT_EQ(sum, program.memory.peak.count()) << strategy;
    EXPECT_LT(program.memory.peak_op, static_cast<int32_t>(program.ops.size())) << strategy;
  }
}

}  // namespace
}  // namespace stepsim::workloads
