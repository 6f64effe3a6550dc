#include "support.h"

namespace stepsim::sim {
namespace {

constexpr AttentionBackend kAll[] = {AttentionBackend::kFlash1, AttentionBackend::kFlash2, AttentionBackend::kFlash3,
                                     AttentionBackend::kCudnn};

TEST(AttentionModelTest, CausalIsNeverSlowerThanFull) {
  const ComputeModel model = H200Model();
  for (const AttentionBackend backend : kAll) {
    for (const bool backward : {false, true}) {
      for (const int64_t sequence : {128, 512, 1024, 4096, 16384}) {
        const Duration causal = model.CostAtFullClock(Attention(backend, backward, 4, 32, sequence, 128, true)).time;
        const Duration full = model.CostAtFullClock(Attention(backend, backward, 4, 32, sequence, 128, false)).time;
        EXPECT_LE(causal, full) << sequence << (backward ? " backward" : " forward");
      }
    }
  }
}

TEST(AttentionModelTest, LongCausalSequencesTakeHalfOfFull) {
  const ComputeModel model = H200Model();
  const double causal = model.CostAtFullClock(Attention(AttentionBackend::kCudnn, false, 8, 32, 32768, 128, true)).time.seconds();
  const double full = model.CostAtFullClock(Attention(AttentionBackend::kCudnn, false, 8, 32, 32768, 128, false)).time.seconds();
  EXPECT_NEAR(causal / full, 0.5, 0.03);
}

TEST(AttentionModelTest, IsNeverFasterThanTheTensorPeak) {
  for (const char* card : {"h200-sxm", "a800-sxm4-80gb", "l40", "rtx-4090", "b200-sxm"}) {
    const ComputeModel model = ModelOfCard(card);
    for (const AttentionBackend backend : {AttentionBackend::kFlash2, AttentionBackend::kCudnn}) {
      for (const bool backward : {false, true}) {
        const Kernel kernel = Attention(backend, backward, 8, 32, 4096, 128, false);
        const double flops = (backward ? 10.0 : 4.0) * 8 * 32 * 4096.0 * 4096 * 128;
        EXPECT_GE(model.CostAtFullClock(kernel).time.microseconds(), flops / model.rates().tensor_16bit) << card;
      }
    }
  }
}

TEST(AttentionModelTest, TimeGrowsWithEverySize) {
  const ComputeModel model = H200Model();
  const auto time = [&](int64_t sequences, int64_t heads, int64_t sequence, int64_t size) {
    return model.CostAtFullClock(Attention(AttentionBackend::kFlash2, true, sequences, heads, sequence, size, true)).time;
  };
  const Duration base = time(4, 16, 2048, 64);
  EXPECT_LT(base, time(8, 16, 2048, 64));
  EXPECT_LT(base, time(4, 32, 2048, 64));
  EXPECT_LT(base, time(4, 16, 4096, 64));
  EXPECT_LT(base, time(4, 16, 2048, 128));
}

TEST(AttentionModelTest, GroupedHeadsMoveLessAndTakeAsLong) {
  const ComputeModel model = H200Model();
  Kernel grouped = Attention(AttentionBackend::kCudnn, false, 4, 32, 2048, 128, true);
  const KernelCost whole = model.CostAtFullClock(grouped);
  grouped.kv_heads = 4;
  const KernelCost few = model.CostAtFullClock(grouped);
  EXPECT_EQ(few.time, whole.time);
  EXPECT_LT(few.memory_traffic, whole.memory_traffic);
}

TEST(AttentionModelTest, KernelsThatACardLacksAreErrors) {
  const Kernel flash3 = Attention(AttentionBackend::kFlash3, false, 1, 8, 1024, 64, true);
  EXPECT_TRUE(H200Model().Check(flash3).ok());
  EXPECT_EQ(ModelOfCard("l40").Check(flash3).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ModelOfCard("b200-sxm").Check(flash3).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(ModelOfCard("v100-sxm2-32gb").Check(Attention(AttentionBackend::kFlash2, false, 1, 8, 1024, 64, true)).ok());
  Kernel fp32 = flash3;
  fp32.dtype = DType::kFp32;
  EXPECT_FALSE(H200Model().Check(fp32).ok());
}

}  // namespace
}  // namespace stepsim::sim
