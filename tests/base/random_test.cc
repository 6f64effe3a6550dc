#include "sim/base/random.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace stepsim::sim {
namespace {

TEST(StableHashTest, IsFnv1aAsPublished) {
  // Test vectors of the FNV page of Fowler, Noll and Vo (64-bit FNV-1a).
  EXPECT_EQ(StableHash(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(StableHash("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(StableHash("foobar"), 0x85944171f73967e8ULL);
}

TEST(RandomStreamTest, IsSplitMix64AsPublished) {
  // The reference sequence of state 1234567. The empty name and this seed give that state:
  // 14695981039346656037 ^ (seed * 0x9E3779B97F4A7C15) = 1234567 (mod 2^64).
  constexpr uint64_t kSeed = 11428302461942648218ULL;
  RandomStream stream(kSeed, "");
  for (const uint64_t expected : {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
                                  4593380528125082431ULL, 16408922859458223821ULL}) {
    EXPECT_EQ(stream.NextBits(), expected);
  }
}

TEST(RandomStreamTest, NamesAndSeedsGiveIndependentStreams) {
  EXPECT_EQ(RandomStream(1, "jitter").NextBits(), RandomStream(1, "jitter").NextBits());
  EXPECT_NE(RandomStream(1, "jitter").NextBits(), RandomStream(1, "stragglers").NextBits());
  EXPECT_NE(RandomStream(1, "jitter").NextBits(), RandomStream(2, "jitter").NextBits());
}

TEST(RandomStreamTest, UniformHasItsMeanAndStaysInRange) {
  RandomStream stream(7, "uniform");
  constexpr int kDraws = 100000;
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.Uniform();
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
  }
  // Standard error of the mean: sqrt(1/12 / n); five of them.
  EXPECT_NEAR(sum / kDraws, 0.5, 5 * std::sqrt(1.0 / 12 / kDraws));
}

TEST(RandomStreamTest, BelowReachesEveryValueAndNoOther) {
  RandomStream stream(7, "below");
  std::vector<int> counts(6);
  for (int i = 0; i < 6000; ++i) {
    const uint64_t x = stream.Below(6);
    ASSERT_LT(x, 6u);
    ++counts[x];
  }
  // Binomial(6000, 1/6): standard deviation 28.9; six of them.
  for (const int count : counts) EXPECT_NEAR(count, 1000, 174);
}

TEST(RandomStreamTest, NormalHasMeanZeroAndVarianceOne) {
  RandomStream stream(7, "normal");
  constexpr int kDraws = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.Normal();
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0, 5 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 5 * std::sqrt(2.0 / kDraws));
}

}  // namespace
}  // namespace stepsim::sim
