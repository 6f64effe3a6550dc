#include "workloads/optimizer/multi_tensor.h"

#include "gtest/gtest.h"

namespace stepsim::workloads {
namespace {

constexpr int64_t kChunk = 65536;

TEST(MultiTensorTest, SmallTensorsFillALaunchByNumber) {
  EXPECT_EQ(MultiTensorLaunches(std::vector<int64_t>(36, 1), 4), 1);
  EXPECT_EQ(MultiTensorLaunches(std::vector<int64_t>(37, 1), 4), 2);
  EXPECT_EQ(MultiTensorLaunches(std::vector<int64_t>(64, 1), 2), 1);
  EXPECT_EQ(MultiTensorLaunches(std::vector<int64_t>(111, 1), 1), 2);
}

TEST(MultiTensorTest, LargeTensorIsSplitEvery320Chunks) {
  EXPECT_EQ(MultiTensorLaunches({320 * kChunk}, 4), 1);
  EXPECT_EQ(MultiTensorLaunches({320 * kChunk + 1}, 4), 2);
  EXPECT_EQ(MultiTensorLaunches({1000 * kChunk}, 4), 4);  // 3.125 launches of 320 chunks
}

TEST(MultiTensorTest, EmptyTensorsTakeNoPlace) {
  EXPECT_EQ(MultiTensorLaunches({0, 0}, 4), 0);
  EXPECT_EQ(MultiTensorLaunches({}, 1), 0);
}

// 291 tensors of llama2-7b: counted in the traces of its fused AdamW on two ranks (half of 6.74e9 parameters each).
TEST(MultiTensorTest, CountsOfAShardedLlama7b) {
  std::vector<int64_t> sizes = {32000 * 4096 / 2};
  for (int layer = 0; layer < 32; ++layer) {
    for (int i = 0; i < 4; ++i) sizes.push_back(4096 * 4096 / 2);
    for (int i = 0; i < 3; ++i) sizes.push_back(4096 * 11008 / 2);
    for (int i = 0; i < 2; ++i) sizes.push_back(4096 / 2);
  }
  sizes.push_back(4096 / 2);
  sizes.push_back(32000 * 4096 / 2);
  const double full = 320.0 * kChunk;
  int64_t elements = 0;
  for (const int64_t size : sizes) elements += size;
  const int64_t launches = MultiTensorLaunches(sizes, 1);
  EXPECT_EQ(launches, 161);  // clip_grad_norm_ in the measured step: 2 × 161
  EXPECT_NEAR(static_cast<double>(launches), static_cast<double>(elements) / full, 1.0);
}

}  // namespace
}  // namespace stepsim::workloads
