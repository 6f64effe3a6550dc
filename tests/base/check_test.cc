#include "sim/base/check.h"

#include "gtest/gtest.h"

namespace stepsim::sim {
namespace {

int Counted(int* calls) { return ++*calls; }

TEST(CheckTest, TrueConditionCostsNothingMore) {
  int calls = 0;
  SIM_CHECK(1 + 1 == 2) << Counted(&calls);
  EXPECT_EQ(calls, 0);
}

TEST(CheckTest, BindsAsOneStatement) {
  bool otherwise = false;
  if (false)
    SIM_CHECK(true) << "not reached";
  else
    otherwise = true;
  EXPECT_TRUE(otherwise);
}

TEST(CheckDeathTest, BrokenInvariantNamesPlaceTimeAndRank) {
  ThreadCheckContext() = {Time::Picoseconds(2'500'000'000'000), RankId(7)};
  EXPECT_DEATH(SIM_CHECK(1 + 1 == 3) << "bytes left: " << 12,
               "check_test.cc:[0-9]+: check failed: 1 \\+ 1 == 3 .simulated time 2.5 s, rank 7. bytes left: 12");
  ThreadCheckContext() = {};
}

}  // namespace
}  // namespace stepsim::sim
