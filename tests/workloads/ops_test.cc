// Kernels of one layer: the counts of docs/models/workload.md, seen one to one in profiler traces (PyTorch 2.11).
#include "gtest/gtest.h"
#include "tests/workloads/fixtures.h"

namespace stepsim::workloads {
namespace {

struct Counts {
  int gemm = 0, attention = 0, memory = 0;
  bool operator==(const Counts&) const = default;
  Counts operator-(const Counts& o) const { return {gemm - o.gemm, attention - o.attention, memory - o.memory}; }
};

std::ostream& operator<<(std::ostream& out, const Counts& c) {
  return out << c.gemm << "/" << c.attention << "/" << c.memory;
}

Counts CountPhase(const sim::Program& program, sim::Phase phase) {
  Counts counts;
  for (const sim::Op& op : program.ops) {
    if (op.kind != sim::OpKind::kKernel || op.phase != phase) continue;
    const sim::Kernel& kernel = program.kernels[sim::KernelId(op.index)];
    switch (kernel.category) {
      case sim::KernelCategory::kMemset:
      case sim::KernelCategory::kMemcpy: break;
      case sim::KernelCategory::kGemm: ++counts.gemm; break;
      case sim::KernelCategory::kAttention: ++counts.attention; break;
      default: ++counts.memory;
    }
  }
  return counts;
}

// One layer is the difference of models of three and two layers.
Counts Layer(const std::string& family, const TrainingSpec& training, sim::Phase phase) {
  const sim::Program three = Build(SmallModel(family, 3), training, "none", 1);
  const sim::Program two = Build(SmallModel(family, 2), training, "none", 1);
  return CountPhase(three, phase) - CountPhase(two, phase);
}

struct Expected {
  const char* family;
  Counts forward, backward, recompute;
};

class LayerKernels : public ::testing::TestWithParam<Expected> {};

// Memory-bound kernels: 40/76 llama, 24/40 gpt2, 21/35 bert under autocast.
TEST_P(LayerKernels, UnderAutocast) {
  TrainingSpec training = SmallTraining();
  EXPECT_EQ(Layer(GetParam().family, training, sim::Phase::kForward), GetParam().forward);
  EXPECT_EQ(Layer(GetParam().family, training, sim::Phase::kBackward), GetParam().backward);
  training.recompute = RecomputeChoice::kFull;
  EXPECT_EQ(Layer(GetParam().family, training, sim::Phase::kRecompute), GetParam().recompute);
}

INSTANTIATE_TEST_SUITE_P(Families, LayerKernels,
                         ::testing::Values(Expected{"llama", {7, 1, 40}, {14, 3, 76}, {6, 1, 39}},
                                           Expected{"gpt", {4, 1, 24}, {8, 1, 40}, {3, 1, 23}},
                                           Expected{"bert", {6, 1, 21}, {12, 1, 35}, {6, 1, 21}}),
                         [](const auto& instance) { return std::string(instance.param.family); });

TEST(PureBf16Layer, HasNoWeightCasts) {
  TrainingSpec training = SmallTraining();
  training.precision = PrecisionChoice::kBf16;
  EXPECT_EQ(Layer("llama", training, sim::Phase::kForward), (Counts{7, 1, 30}));
  EXPECT_EQ(Layer("llama", training, sim::Phase::kBackward), (Counts{14, 3, 60}));
  EXPECT_EQ(Layer("gpt", training, sim::Phase::kForward), (Counts{4, 1, 12}));
  EXPECT_EQ(Layer("gpt", training, sim::Phase::kBackward), (Counts{8, 1, 24}));
  EXPECT_EQ(Layer("bert", training, sim::Phase::kForward), (Counts{6, 1, 5}));
  EXPECT_EQ(Layer("bert", training, sim::Phase::kBackward), (Counts{12, 1, 17}));
}

TEST(EagerAttention, MaterialisesTheScores) {
  TrainingSpec training = SmallTraining();
  const Counts fused = Layer("gpt", training, sim::Phase::kForward);
  training.attention = AttentionChoice::kEager;
  const Counts eager = Layer("gpt", training, sim::Phase::kForward);
  EXPECT_EQ(eager - fused, (Counts{2, -1, 8}));
}

TEST(FullPrecision, LaunchesNoCast) {
  TrainingSpec training = SmallTraining();
  training.precision = PrecisionChoice::kTf32;
  for (const char* family : {"gpt", "llama", "bert"}) {
    const sim::Program program = Build(SmallModel(family), training, "none", 1);
    EXPECT_EQ(CountKernels(program, "copy_bf") + CountKernels(program, "copy_fb"), 0) << family;
    for (const sim::Kernel& kernel : program.kernels) {
      if (kernel.kind == sim::KernelKind::kGemm) EXPECT_EQ(kernel.dtype, sim::DType::kTf32);
    }
  }
}

// Elements and types of every kernel table entry follow from the shapes: bytes of the whole forward's products.
TEST(GemmBytes, FollowFromTheShape) {
  const sim::Program program = Build(SmallModel("gpt"), SmallTraining(), "none", 1);
  for (const sim::Kernel& kernel : program.kernels) {
    if (kernel.kind != sim::KernelKind::kGemm) continue;
    EXPECT_EQ(kernel.flops.count(), 2 * kernel.m * kernel.n * kernel.k);
    EXPECT_EQ(kernel.bytes().count(), 2 * (kernel.m * kernel.k + kernel.k * kernel.n + kernel.m * kernel.n));
  }
}

}  // namespace
}  // namespace stepsim::workloads
