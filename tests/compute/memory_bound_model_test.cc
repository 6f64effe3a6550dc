#include "support.h"

namespace stepsim::sim {
namespace {

TEST(MemoryBoundModelTest, LargeKernelsTakeTheirMeasuredShareOnTheReferenceCard) {
  const ComputeModel model = H200Model();
  for (const auto& [name, c] : model.architecture().memory.classes) {
    const double bytes = 4e9;
    const double expected = c.launch.microseconds() + bytes / (c.share * 4.8e6);
    EXPECT_NEAR(model.CostAtFullClock(Memory(name, bytes)).time.microseconds(), expected, 1e-3 * expected) << name;
  }
}

TEST(MemoryBoundModelTest, CopyReachesTheEfficiencyOfTheMemoryType) {
  const double bytes = 8e9;
  const struct { const char* card; double efficiency; double rate; } kCards[] = {
      {"a800-sxm4-80gb", 0.83, 2.039e6}, {"l40", 0.78, 0.864e6}, {"h100-sxm5", 0.88, 3.352e6}};
  for (const auto& card : kCards) {
    const double expected = bytes / (card.efficiency * card.rate);
    EXPECT_NEAR(ModelOfCard(card.card).CostAtFullClock(Memory("copy", bytes)).time.microseconds(), expected, 0.01 * expected) << card.card;
  }
}

TEST(MemoryBoundModelTest, IssueBoundClassesAreHeldByMemoryOnCardsWithLittleOfIt) {
  // L40: SMs × clock 1.35 of an H200's, memory 0.18: a class that is issue bound on an H200 is memory bound on an L40.
  const double h200 = H200Model().CostAtFullClock(Memory("mul_w_b", 1e9)).time.seconds() /
                      H200Model().CostAtFullClock(Memory("mul", 1e9)).time.seconds();
  const ComputeModel l40 = ModelOfCard("l40");
  const double ratio = l40.CostAtFullClock(Memory("mul_w_b", 1e9)).time.seconds() / l40.CostAtFullClock(Memory("mul", 1e9)).time.seconds();
  EXPECT_GT(h200, 2.9);
  EXPECT_LT(ratio, 1.15);
}

TEST(MemoryBoundModelTest, NeverFasterThanMemoryOnceTheWorkingSetExceedsL2) {
  for (const char* card : {"h200-sxm", "a100-sxm4-80gb", "l40", "rtx-3090", "b200-sxm", "mi300x"}) {
    const ComputeModel model = ModelOfCard(card);
    const double bytes = 2 * model.rates().l2_bytes + 1e8;
    for (const auto& [name, rate] : model.rates().classes) {
      EXPECT_GE(model.CostAtFullClock(Memory(name, bytes)).time.microseconds(), bytes / model.rates().memory) << card << ' ' << name;
    }
  }
}

TEST(MemoryBoundModelTest, WorkingSetWithinL2IsFasterAndReachesNoMemory) {
  const ComputeModel model = H200Model();
  const KernelCost cost = model.CostAtFullClock(Memory("mul", 20e6));
  EXPECT_EQ(cost.memory_traffic.count(), 0);
  EXPECT_LT(cost.time.microseconds(), 1.2 + 20e6 / (0.88 * 4.8e6));
  EXPECT_EQ(model.CostAtFullClock(Memory("mul", 60e6)).memory_traffic.count(), 60'000'000);
}

TEST(MemoryBoundModelTest, TimeGrowsWithBytesAndFallsWithBandwidth) {
  const ComputeModel model = H200Model();
  GpuSpec fast = H200();
  fast.memory_rate = fast.memory_rate * 2;
  const ComputeModel doubled(fast, model.architecture());
  for (const auto& [name, c] : model.architecture().memory.classes) {
    Duration before;
    for (double bytes = 1e3; bytes < 1e10; bytes *= 1.3) {
      const Duration time = model.CostAtFullClock(Memory(name, bytes)).time;
      EXPECT_GE(time, before) << name << ' ' << bytes;
      EXPECT_LE(doubled.CostAtFullClock(Memory(name, bytes)).time, time) << name << ' ' << bytes;
      before = time;
    }
  }
}

TEST(MemoryBoundModelTest, UnknownClassIsAnErrorWithTheNearestName) {
  Program program;
  program.kernels.push_back(Memory("mul", 1e6));
  const ComputeModel model = H200Model();
  EXPECT_TRUE(model.Check(program).ok());
  program.kernels.push_back(Memory("layer_nrom", 1e6));
  const absl::Status status = model.Check(program);
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_NE(status.message().find("\"layer_norm\""), absl::string_view::npos) << status;
}

TEST(FixedModelTest, TakesTheTimeOfItsClass) {
  Kernel kernel;
  kernel.kind = KernelKind::kFixed;
  kernel.kernel_class = "nll";
  EXPECT_EQ(H200Model().CostAtFullClock(kernel).time, Duration::Nanoseconds(19700));
  kernel.kernel_class = "mul";
  EXPECT_FALSE(H200Model().Check(kernel).ok());
}

TEST(CopyModelTest, LargeCopiesReachTheMeasuredPcieRate) {
  Kernel kernel;
  kernel.kind = KernelKind::kCopy;
  kernel.kernel_class = "h2d";
  kernel.written = Bytes(int64_t{1} << 30);
  // H200 on PCIe 5.0 x16, pinned: 55 GB/s up, 53 GB/s down; PCIe 4.0 has half.
  EXPECT_NEAR(H200Model().CostAtFullClock(kernel).time.microseconds(), 1.0737e9 / 55e3, 0.01 * 19522);
  EXPECT_NEAR(ModelOfCard("l40").CostAtFullClock(kernel).time.microseconds(), 2 * 1.0737e9 / 55e3, 0.01 * 39044);
  EXPECT_EQ(H200Model().CostAtFullClock(kernel).bound, Bound::kPcie);
  kernel.kernel_class = "d2h";
  EXPECT_NEAR(H200Model().CostAtFullClock(kernel).time.microseconds(), 1.0737e9 / 53e3, 0.01 * 20259);
  kernel.kernel_class = "sideways";
  EXPECT_FALSE(H200Model().Check(kernel).ok());
}

}  // namespace
}  // namespace stepsim::sim
