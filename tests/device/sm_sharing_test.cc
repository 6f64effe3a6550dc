#include "sim/device/sm_sharing.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stepsim::sim {
namespace {

Kernel Gemm() {
  Kernel kernel;
  kernel.kind = KernelKind::kGemm;
  return kernel;
}
KernelCost Cost(int64_t us, double waves, int64_t bytes = 0) {
  KernelCost cost;
  cost.time = Duration::Microseconds(us);
  cost.waves = waves;
  cost.memory_traffic = Bytes(bytes);
  return cost;
}
double Factor(const Kernel& kernel, const KernelCost& cost, const Footprint& beside) {
  return Slowdown(kernel, cost, beside, 100, BytesPerSecond(1e12)) / 65536.0;
}

TEST(SmSharingTest, NothingBesideMeansNoSlowdown) { EXPECT_EQ(Factor(Gemm(), Cost(10, 1), {}), 1.0); }

TEST(SmSharingTest, AFullWaveNeedsASecondOneWhenSmsAreTaken) {
  // 100 blocks on 100 SMs: one wave; on 90: two.
  EXPECT_NEAR(Factor(Gemm(), Cost(10, 1), {10, BytesPerSecond()}), 2 * 1.05, 1e-4);
}

TEST(SmSharingTest, APartialWaveHasRoom) { EXPECT_NEAR(Factor(Gemm(), Cost(10, 0.8), {10, BytesPerSecond()}), 1.05, 1e-4); }

TEST(SmSharingTest, LongKernelsLoseLessThanTheSmsTaken) {
  EXPECT_NEAR(Factor(Gemm(), Cost(1000, 20), {19, BytesPerSecond()}), std::pow(100.0 / 81, 0.45) * 1.05, 1e-4);
}

TEST(SmSharingTest, MemoryBoundKernelsShareTheBandwidth) {
  Kernel kernel;  // memory bound
  // 10 MB in 10 us is the full 1 TB/s; 0.2 TB/s beside it: 1.2 over the reachable 0.9.
  EXPECT_NEAR(Factor(kernel, Cost(10, 1, 10000000), {4, BytesPerSecond(0.2e12)}), 1.2 / 0.9, 1e-4);
}

TEST(SmSharingTest, MoreBesideNeverSpeedsUp) {
  for (double waves : {0.3, 1.0, 2.5, 3.9, 5.0, 40.0}) {
    double last = 0;
    for (int channels = 0; channels < 90; ++channels) {
      const double factor = Factor(Gemm(), Cost(100, waves), {channels, BytesPerSecond()});
      EXPECT_GE(factor, 1.0);
      EXPECT_GE(factor, last) << waves << " waves, " << channels;
      last = factor;
    }
  }
}

}  // namespace
}  // namespace stepsim::sim
