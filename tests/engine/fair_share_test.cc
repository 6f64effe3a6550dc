// Each test states the system, then the law, then asserts. C: capacity, w: weight (1 unless named), x: rate.
#include "sim/engine/fair_share.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stepsim::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kOne = FairShareSolver::kWeightUnit;
constexpr int64_t kUnlimited = FairShareSolver::kUnlimited;

class FairShareTest : public ::testing::Test {
 protected:
  ResourceId Resource(int64_t capacity) { return solver_.AddResource(capacity); }
  DemandId Add(const std::vector<FairShareSolver::Element>& elements, int64_t cap = kUnlimited, int64_t share = 1,
               int64_t multiplicity = 1) {
    return solver_.Add({elements, cap, share, multiplicity});
  }
  int64_t Rate(DemandId demand) {
    solver_.Solve();
    return solver_.rate(demand);
  }

  FairShareSolver solver_;
};

// One resource, n equal demands: x = C / n, rounded down.
TEST_F(FairShareTest, EqualDemandsShareEqually) {
  const ResourceId r = Resource(1000);
  const DemandId a = Add({{r}}), b = Add({{r}}), c = Add({{r}});
  EXPECT_EQ(Rate(a), 333);
  EXPECT_EQ(Rate(b), 333);
  EXPECT_EQ(Rate(c), 333);
  EXPECT_EQ(solver_.bottleneck(a), r);
}

// One resource, one demand: w x = C.
TEST_F(FairShareTest, TwiceTheWeightGetsHalfTheRateWhenAlone) {
  const ResourceId r = Resource(1000);
  const DemandId a = Add({{r, kOne}});
  EXPECT_EQ(Rate(a), 1000);
  solver_.Remove(a);
  EXPECT_EQ(Rate(Add({{r, 2 * kOne}})), 500);
}

// One resource, w_a = 1, w_b = 2, equal shares: x_a = x_b with x_a + 2 x_b = C.
TEST_F(FairShareTest, EqualSharesGiveEqualRatesWhateverTheWeights) {
  const ResourceId r = Resource(900);
  const DemandId a = Add({{r, kOne}}), b = Add({{r, 2 * kOne}});
  EXPECT_EQ(Rate(a), 300);
  EXPECT_EQ(Rate(b), 300);
}

// One resource, w_a = 1, w_b = 2, s_a = 2, s_b = 1: x_a = 2 x_b with x_a + 2 x_b = C, so both load r alike.
TEST_F(FairShareTest, ShareInverseToWeightGivesTwiceTheWeightHalfTheRate) {
  const ResourceId r = Resource(1000);
  const DemandId a = Add({{r, kOne}}, kUnlimited, 2), b = Add({{r, 2 * kOne}}, kUnlimited, 1);
  EXPECT_EQ(Rate(a), 500);
  EXPECT_EQ(Rate(b), 250);
}

// One resource, k_a = 100: the rest goes to the others, x_b = x_c = (C − 100) / 2.
TEST_F(FairShareTest, WhatACapLeavesGoesToTheOthers) {
  const ResourceId r = Resource(1000);
  const DemandId a = Add({{r}}, 100), b = Add({{r}}), c = Add({{r}}, 450);
  EXPECT_EQ(Rate(a), 100);
  EXPECT_EQ(Rate(b), 450);
  EXPECT_EQ(Rate(c), 450);
  EXPECT_FALSE(solver_.bottleneck(a).valid());
  EXPECT_EQ(solver_.bottleneck(b), r);
  EXPECT_EQ(solver_.Usage(r), 1000 * kOne);
}

// Parking lot: a long demand over three resources and a short one on each. C = 1 everywhere: all get C / 2.
TEST_F(FairShareTest, ParkingLotOfEqualResourcesHalvesEach) {
  const ResourceId r0 = Resource(1000), r1 = Resource(1000), r2 = Resource(1000);
  const DemandId around = Add({{r0}, {r1}, {r2}});
  const DemandId s0 = Add({{r0}}), s1 = Add({{r1}}), s2 = Add({{r2}});
  for (const DemandId d : {around, s0, s1, s2}) EXPECT_EQ(Rate(d), 500);
}

// The same with C = 400, 1000, 600: r0 fixes the long one at 200, the short ones take the rest of their resource.
TEST_F(FairShareTest, ParkingLotIsBoundByItsNarrowestResource) {
  const ResourceId r0 = Resource(400), r1 = Resource(1000), r2 = Resource(600);
  const DemandId around = Add({{r0}, {r1}, {r2}});
  const DemandId s0 = Add({{r0}}), s1 = Add({{r1}}), s2 = Add({{r2}});
  EXPECT_EQ(Rate(around), 200);
  EXPECT_EQ(Rate(s0), 200);
  EXPECT_EQ(Rate(s1), 800);
  EXPECT_EQ(Rate(s2), 400);
  EXPECT_EQ(solver_.bottleneck(around), r0);
  EXPECT_EQ(solver_.bottleneck(s2), r2);
}

// Two bottlenecks in a chain. a: r0; b: r0, r1; c, d: r1. C0 = 1000, C1 = 900.
// r1 is lower (300): b = c = d = 300; then a = 700.
TEST_F(FairShareTest, LowerBottleneckIsFilledFirst) {
  const ResourceId r0 = Resource(1000), r1 = Resource(900);
  const DemandId a = Add({{r0}}), b = Add({{r0}, {r1}}), c = Add({{r1}}), d = Add({{r1}});
  EXPECT_EQ(Rate(a), 700);
  for (const DemandId x : {b, c, d}) EXPECT_EQ(Rate(x), 300);
}

TEST_F(FairShareTest, NoCapacityMeansRateZero) {
  const ResourceId dead = Resource(0), live = Resource(100);
  const DemandId a = Add({{dead}, {live}}), b = Add({{live}}), c = Add({{dead}});
  EXPECT_EQ(Rate(a), 0);
  EXPECT_EQ(Rate(b), 100);
  EXPECT_EQ(Rate(c), 0);
  EXPECT_EQ(solver_.bottleneck(a), dead);
}

TEST_F(FairShareTest, DemandOnNothingGetsItsCap) {
  EXPECT_EQ(Rate(Add({})), kUnlimited);
  EXPECT_EQ(Rate(Add({}, 42)), 42);
}

TEST_F(FairShareTest, MultiplicityCountsAsSoManyDemands) {
  const ResourceId r = Resource(1000);
  const DemandId three = Add({{r}}, kUnlimited, 1, 3), one = Add({{r}});
  EXPECT_EQ(Rate(three), 250);
  EXPECT_EQ(Rate(one), 250);
  solver_.SetMultiplicity(three, 1);
  EXPECT_EQ(Rate(three), 500);
}

// {a, b} on r0 and {c} on r1 share nothing.
TEST_F(FairShareTest, SolveReportsOnlyWhatChanged) {
  const ResourceId r0 = Resource(1000), r1 = Resource(600);
  const DemandId a = Add({{r0}}), c = Add({{r1}});
  EXPECT_THAT(solver_.Solve(), ElementsAre(a, c));
  const DemandId b = Add({{r0}});
  EXPECT_THAT(solver_.Solve(), ElementsAre(a, b));
  EXPECT_THAT(solver_.Solve(), IsEmpty());
  solver_.SetCapacity(r1, 500);
  EXPECT_THAT(solver_.Solve(), ElementsAre(c));
  solver_.SetRateCap(b, 200);
  EXPECT_THAT(solver_.Solve(), ElementsAre(a, b));
  EXPECT_EQ(solver_.rate(a), 800);
  solver_.Remove(b);
  EXPECT_THAT(solver_.Solve(), ElementsAre(a));
  EXPECT_EQ(solver_.rate(a), 1000);
}

TEST_F(FairShareTest, AloneMeansNoSharedResource) {
  const ResourceId r0 = Resource(10), r1 = Resource(10), r2 = Resource(10);
  const DemandId a = Add({{r0}, {r1}});
  EXPECT_TRUE(solver_.alone(a));
  const DemandId b = Add({{r1}, {r2}}), c = Add({{r1}});
  EXPECT_FALSE(solver_.alone(a));
  EXPECT_FALSE(solver_.alone(b));
  solver_.Remove(b);
  EXPECT_FALSE(solver_.alone(a));
  solver_.Remove(c);
  EXPECT_TRUE(solver_.alone(a));
}

// Capacities and weights at their limits: no product overflows.
TEST_F(FairShareTest, ExtremeValuesStayExact) {
  const int64_t huge = FairShareSolver::kMaxCapacity;
  const ResourceId r = Resource(huge);
  const DemandId a = Add({{r, 1}}, kUnlimited, int64_t{1} << 32), b = Add({{r, int64_t{1} << 26}}, kUnlimited, 1);
  // (2^32 + 2^26) L = 65536 C.
  __extension__ using Wide = __int128;
  const Wide numerator = static_cast<Wide>(huge) * kOne, denominator = (int64_t{1} << 32) + (int64_t{1} << 26);
  EXPECT_EQ(Rate(b), static_cast<int64_t>(numerator / denominator));
  EXPECT_EQ(Rate(a), static_cast<int64_t>((numerator << 32) / denominator));
}

TEST(FairShareDeathTest, RefusesMalformedDemands) {
  FairShareSolver solver;
  const ResourceId r = solver.AddResource(10);
  std::vector<FairShareSolver::Element> twice = {{r}, {r}}, weightless = {{r, 0}}, unknown = {{ResourceId(9)}};
  EXPECT_DEATH(solver.Add({twice}), "resource 0 after 0");
  EXPECT_DEATH(solver.Add({weightless}), "weight 0");
  EXPECT_DEATH(solver.Add({unknown}), "resource 9");
  EXPECT_DEATH(solver.rate(DemandId(0)), "no demand 0");
  EXPECT_DEATH(solver.AddResource(-1), "capacity -1");
}

}  // namespace
}  // namespace stepsim::sim
