#include <cmath>

#include "support.h"

namespace stepsim::sim {
namespace {

double Micros(const ComputeModel& model, const Kernel& kernel) { return model.CostAtFullClock(kernel).time.microseconds(); }

TEST(GemmModelTest, IsNeverFasterThanTheTensorPeakOrMemory) {
  const ComputeModel model = H200Model();
  const double peak = 132 * 4096 * 1980.0;  // FLOP/us at the clock the part reaches
  for (const int64_t m : {64, 100, 512, 4096, 8192}) {
    for (const int64_t n : {64, 768, 4096, 30522}) {
      for (const int64_t k : {64, 1000, 8192}) {
        const double time = Micros(model, Gemm(m, n, k));
        const auto flops = static_cast<double>(2 * m * n * k);
        const auto bytes = static_cast<double>(2 * (m * k + n * k + m * n));
        EXPECT_GE(time, flops / (peak * 1.001)) << m << ' ' << n << ' ' << k;
        EXPECT_GE(time, bytes / 4.8e6) << m << ' ' << n << ' ' << k;
      }
    }
  }
}

TEST(GemmModelTest, LargeProductReachesTheFittedShareOfThePeak) {
  // 132 × 2 rows and columns of 256 × 128 tiles: whole waves, long k, so t → flops / R / cube-sum of tensor and feed terms.
  const ComputeModel model = H200Model();
  const Kernel kernel = Gemm(256 * 132, 128 * 64, 16384);
  const double tensor = 1 / 0.877;                                                // of 2·256·128 / (R/S)
  const double feed = (256 + 128) * 2 / 72.5 / (2 * 256 * 128 / 4096.0);           // the same unit
  const double expected = std::cbrt(tensor * tensor * tensor + feed * feed * feed);
  const double at_peak = 2.0 * 256 * 132 * 128 * 64 * 16384 / (132 * 4096 * 1980.0);
  EXPECT_NEAR(Micros(model, kernel) / at_peak, expected, 0.03 * expected);
  EXPECT_EQ(model.CostAtFullClock(kernel).bound, Bound::kTensor);
}

TEST(GemmModelTest, ASecondWaveCostsAWholeWave) {
  // One 64-row tile column too many for one wave: units jump from 132 to 133 at equal tiles. Only one tile and no split, so
  // that the model cannot evade.
  Architecture architecture = H200Model().architecture();
  architecture.gemm.tiles = {{128, 128}};
  architecture.gemm.splits = {1};
  const ComputeModel model(H200(), architecture);
  const double one = Micros(model, Gemm(128 * 132, 128, 8192));
  const double two = Micros(model, Gemm(128 * 132 + 128, 128, 8192));
  const double launch = architecture.gemm.launch.microseconds();
  EXPECT_NEAR((two - launch) / (one - launch), 2.0, 0.05);
  EXPECT_NEAR(Micros(model, Gemm(128 * 131 + 8, 128, 8192)) / one, 1.0, 0.01) << "a ragged tile costs a whole one";
  EXPECT_DOUBLE_EQ(model.CostAtFullClock(Gemm(128 * 132, 128, 8192)).waves, 1.0);
  EXPECT_DOUBLE_EQ(model.CostAtFullClock(Gemm(128 * 264, 128, 8192)).waves, 2.0);
}

TEST(GemmModelTest, SmallProductOccupiesPartOfTheGpu) {
  Architecture architecture = H200Model().architecture();
  architecture.gemm.tiles = {{128, 128}};
  architecture.gemm.splits = {1};
  const KernelCost cost = ComputeModel(H200(), architecture).CostAtFullClock(Gemm(128 * 33, 128, 1024));
  EXPECT_DOUBLE_EQ(cost.sm_share, 0.25);
  EXPECT_DOUBLE_EQ(cost.waves, 1.0);
}

TEST(GemmModelTest, OuterProductIsBoundByMemory) {
  const KernelCost cost = H200Model().CostAtFullClock(Gemm(32768, 32768, 64));
  EXPECT_EQ(cost.bound, Bound::kMemory);
  EXPECT_GE(cost.memory_traffic.value(), 2.0 * 32768 * 32768);
  // 2 GiB written at 0.889 of 4.8 TB/s, and little beside it.
  EXPECT_NEAR(cost.time.microseconds(), 2.0 * 32768 * 32768 / (0.889 * 4.8e6), 0.25 * cost.time.microseconds());
}

TEST(GemmModelTest, MoreMemoryBandwidthIsNeverSlower) {
  GpuSpec fast = H200();
  fast.memory_rate = fast.memory_rate * 2;
  const ComputeModel slow = H200Model();
  const ComputeModel doubled(fast, slow.architecture());
  for (const int64_t m : {128, 2048, 16384}) {
    for (const int64_t k : {64, 1024, 8192}) {
      EXPECT_LE(Micros(doubled, Gemm(m, 4096, k)), Micros(slow, Gemm(m, 4096, k)));
    }
  }
}

TEST(GemmModelTest, BatchesFillTheSameWaves) {
  const ComputeModel model = H200Model();
  EXPECT_LE(Micros(model, Gemm(512, 512, 512, DType::kBf16, 32)), 32 * Micros(model, Gemm(512, 512, 512)));
  EXPECT_GE(Micros(model, Gemm(512, 512, 512, DType::kBf16, 32)), Micros(model, Gemm(512, 512, 512)));
}

TEST(GemmModelTest, UnalignedVocabularyRunsAtAThirdOfTheRate) {
  // bert-large's vocabulary projection on an H200: 252 to 268 TFLOPS, where 30,528 columns would run at three times that.
  const ComputeModel model = H200Model();
  const double flops = 2.0 * 16384 * 30522 * 1024;
  const double rate = flops / Micros(model, Gemm(16384, 30522, 1024)) / 1e6;
  EXPECT_GT(rate, 252 * 0.93);
  EXPECT_LT(rate, 268 * 1.07);
}

TEST(GemmModelTest, NumberFormatsRunAtTheirOwnRates) {
  const ComputeModel model = H200Model();
  const double bf16 = Micros(model, Gemm(16384, 8192, 8192));
  EXPECT_NEAR(Micros(model, Gemm(16384, 8192, 8192, DType::kTf32)) / bf16, 2.0, 0.1);
  EXPECT_LT(Micros(model, Gemm(16384, 8192, 8192, DType::kFp8)), 0.65 * bf16);
  const double fp32 = 2.0 * 16384 * 8192 * 8192 / (0.77 * 66.9e6);
  EXPECT_NEAR(Micros(model, Gemm(16384, 8192, 8192, DType::kFp32)), fp32, 0.04 * fp32);
  EXPECT_EQ(model.CostAtFullClock(Gemm(16384, 8192, 8192, DType::kFp32)).bound, Bound::kFp32);
}

TEST(GemmModelTest, CardWithoutTheFormatIsAnError) {
  const absl::Status status = ModelOfCard("v100-sxm2-32gb").Check(Gemm(512, 512, 512, DType::kBf16));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("bf16"), absl::string_view::npos) << status;
  EXPECT_TRUE(ModelOfCard("v100-sxm2-32gb").Check(Gemm(512, 512, 512, DType::kFp16)).ok());
}

}  // namespace
}  // namespace stepsim::sim
