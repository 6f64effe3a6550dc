// Each test states the links and flows, then the law, then asserts.
#include "sim/network/flow_network.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/network/network_fixture.h"

namespace stepsim::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kWhole = kLoadUnit;

class FlowNetworkTest : public NetworkFixture {};

// One link of 100 B/s, 1000 bytes: 10 s.
TEST_F(FlowNetworkTest, FlowAloneTakesBytesOverCapacity) {
  Build({100});
  const FlowId flow = Start(1000, {{NthLink(0), kWhole}}, 1);
  EXPECT_EQ(Rate(flow), 100);
  EXPECT_EQ(network_->bottleneck(flow), NthLink(0));
  simulator_.Run();
  EXPECT_EQ(ended_ps[1], 10 * kSecond);
  EXPECT_EQ(network_->num_flows(), 0);
  EXPECT_EQ(simulator_.events_run(), 1);  // no solve: the completion is the only event
}

// A coupled flow moves at min C / w: links 100, 300 with w = 1/2, 2 give 200 and 150.
TEST_F(FlowNetworkTest, CoupledFlowIsBoundByItsSlowestLink) {
  Build({100, 300});
  const FlowId flow = Start(1500, {{NthLink(0), kWhole / 2}, {NthLink(1), 2 * kWhole}}, 1);
  EXPECT_EQ(Rate(flow), 150);
  EXPECT_EQ(network_->bottleneck(flow), NthLink(1));
  EXPECT_EQ(network_->LinkRate(NthLink(0)).per_second(), 75);
  simulator_.Run();
  EXPECT_EQ(ended_ps[1], 10 * kSecond);
  EXPECT_EQ(Carried(0), 750);
  EXPECT_EQ(Carried(1), 3000);
}

TEST_F(FlowNetworkTest, RateCapBinds) {
  Build({100});
  const FlowId flow = Start(100, {{NthLink(0), kWhole}}, 1, 40);
  EXPECT_EQ(Rate(flow), 40);
  EXPECT_FALSE(network_->bottleneck(flow).valid());
  simulator_.Run();
  EXPECT_EQ(ended_ps[1], 5 * kSecond / 2);
}

// Two flows of 1000 on one link of 100; the second comes at 5 s when 500 are left of the first.
// Both at 50: the first ends at 15 s, the second then has 500 left and the link for itself: 20 s.
TEST_F(FlowNetworkTest, FlowsShareALinkWhileBothRun) {
  Build({100});
  const std::vector<LinkLoad> loads = {{NthLink(0), kWhole}};
  Start(1000, loads, 1);
  RunTo(5 * kSecond);
  const FlowId second = Start(1000, loads, 2);
  RunTo(6 * kSecond);
  EXPECT_EQ(Rate(second), 50);
  simulator_.Run();
  EXPECT_EQ(ended_ps[1], 15 * kSecond);
  EXPECT_EQ(ended_ps[2], 20 * kSecond);
}

// w_a = 1, w_b = 2 on one link of 120: equal wire rates of 60, so x_a = 60 and x_b = 30.
TEST_F(FlowNetworkTest, FlowWithTwiceTheWeightGetsHalfTheRate) {
  Build({120});
  const FlowId a = Start(600, {{NthLink(0), kWhole}}, 1);
  const FlowId b = Start(600, {{NthLink(0), 2 * kWhole}}, 2);
  RunTo(0);
  EXPECT_EQ(Rate(a), 60);
  EXPECT_EQ(Rate(b), 30);
}

// A ring that puts 1/8 of its message on each of eight 80 B/s ports, beside a plain flow on one of them: that port is
// split in equal wire rates of 40, so the ring moves 40 · 8 message bytes per second.
TEST_F(FlowNetworkTest, FlowSpreadOverPortsCountsByItsWireBytesOnThem) {
  Build(std::vector<double>(8, 80));
  std::vector<LinkLoad> ring;
  for (int i = 0; i < 8; ++i) ring.push_back({NthLink(i), kWhole / 8});
  const FlowId spread = Start(1000, ring, 1);
  EXPECT_EQ(Rate(spread), 640);
  const FlowId plain = Start(1000, {{NthLink(3), kWhole}}, 2);
  RunTo(0);
  EXPECT_EQ(Rate(spread), 320);
  EXPECT_EQ(Rate(plain), 40);
}

// A leaves on link 0 and B on link 1; C crosses both later. Disjoint D is never touched.
TEST_F(FlowNetworkTest, FlowsThatShareNoLinkNeverAffectEachOther) {
  Build({100, 100, 77});
  Start(1000, {{NthLink(2), kWhole}}, 4);
  Start(1000, {{NthLink(0), kWhole}}, 1);
  Start(1000, {{NthLink(1), kWhole}}, 2);
  RunTo(2 * kSecond);
  Start(100, {{NthLink(0), kWhole}, {NthLink(1), kWhole}}, 3);
  simulator_.Run();
  EXPECT_EQ(ended_ps[4], (1000 * kSecond + 76) / 77);
  EXPECT_EQ(ended_ps[3], 4 * kSecond);
  EXPECT_EQ(ended_ps[1], 11 * kSecond);
  EXPECT_EQ(ended_ps[2], 11 * kSecond);
}

TEST_F(FlowNetworkTest, OneSolveServesAllThatBeginAtOneInstant) {
  Build({100});
  for (int64_t i = 0; i < 10; ++i) Start(1000, {{NthLink(0), kWhole}}, i);
  simulator_.Run();
  for (int64_t i = 0; i < 10; ++i) EXPECT_EQ(ended_ps[i], 100 * kSecond);
  // Two solves (begin, and the first end while nine are left), and ten ends.
  EXPECT_EQ(simulator_.events_run(), 2 + 10);
}

TEST_F(FlowNetworkTest, CapacityMayChangeUnderWay) {
  Build({100});
  const FlowId flow = Start(1000, {{NthLink(0), kWhole}}, 1);
  RunTo(4 * kSecond);
  network_->ScaleCapacity(NthLink(0), 0.25);
  RunTo(8 * kSecond);  // 500 left
  EXPECT_EQ(Rate(flow), 25);
  EXPECT_EQ(Carried(0), 500);
  network_->ScaleCapacity(NthLink(0), 1.0);
  simulator_.Run();
  EXPECT_EQ(ended_ps[1], 13 * kSecond);
}

TEST_F(FlowNetworkTest, LinkWithoutCapacityStallsAndIsNamed) {
  Build({100, 100});
  network_->ScaleCapacity(NthLink(1), 0);
  const FlowId flow = Start(1000, {{NthLink(0), kWhole}, {NthLink(1), kWhole}}, 1);
  Start(100, {{NthLink(0), kWhole}}, 2);
  simulator_.Run();
  EXPECT_THAT(network_->Stalled(), ElementsAre(flow));
  EXPECT_EQ(network_->bottleneck(flow), NthLink(1));
  EXPECT_EQ(network_->token(flow), 1);
  EXPECT_EQ(ended_ps[2], kSecond);
  network_->ScaleCapacity(NthLink(1), 1);
  simulator_.Run();
  EXPECT_EQ(ended_ps[1], 11 * kSecond);
  EXPECT_THAT(network_->Stalled(), IsEmpty());
}

TEST_F(FlowNetworkTest, EmptyFlowsEndAtOnce) {
  Build({100});
  Start(0, {{NthLink(0), kWhole}}, 1);
  Start(1000, {}, 2);
  Start(1000, {{NthLink(0), 0}}, 3);
  Start(1000, {}, 4, 500);
  EXPECT_THAT(ended_ps, IsEmpty());
  simulator_.Run();
  EXPECT_EQ(ended_ps[1], 0);
  EXPECT_EQ(ended_ps[2], 0);
  EXPECT_EQ(ended_ps[3], 0);
  EXPECT_EQ(ended_ps[4], 2 * kSecond);
}

// Three flows given at once or one by one.
TEST_F(FlowNetworkTest, MultiplicityIsSoManyFlows) {
  Build({100, 100});
  const FlowId grouped = Start(1000, {{NthLink(0), kWhole}}, 1, std::nullopt, 3);
  const FlowId beside = Start(1000, {{NthLink(0), kWhole}}, 2);
  for (int64_t i = 3; i < 7; ++i) Start(1000, {{NthLink(1), kWhole}}, i);
  RunTo(0);
  EXPECT_EQ(Rate(grouped), 25);
  EXPECT_EQ(Rate(beside), 25);
  simulator_.Run();
  EXPECT_EQ(ended_ps[1], ended_ps[3]);
  EXPECT_EQ(Carried(0), 4000);
  EXPECT_EQ(Carried(1), 4000);
}

TEST_F(FlowNetworkTest, WindowIsTheDifferenceOfTwoReadings) {
  Build({100});
  Start(1000, {{NthLink(0), kWhole}}, 1);
  RunTo(3 * kSecond);
  const int64_t begin = Carried(0);
  RunTo(7 * kSecond);
  EXPECT_EQ(Carried(0) - begin, 400);
  EXPECT_EQ(network_->Carried()[LinkId(1)].count(), 0);  // the other direction
}

TEST_F(FlowNetworkTest, FlowStartedFromAnEndTakesThePlaceOfTheOld) {
  Build({100});
  const std::vector<LinkLoad> loads = {{NthLink(0), kWhole}};
  const FlowId first = Start(100, loads, 1);
  simulator_.Run();
  const FlowId second = Start(100, loads, 2);
  EXPECT_EQ(second, first);  // ids are used again
  simulator_.Run();
  EXPECT_EQ(ended_ps[2], 2 * kSecond);
  EXPECT_THAT(ended_ps, SizeIs(2));
}

}  // namespace
}  // namespace stepsim::sim
