#include "sim/device/rank_executor.h"

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "tests/device/plan_fixture.h"

namespace stepsim::sim {
namespace {

constexpr int64_t kUs = 1000000;  // picoseconds

// One rank with nothing resident (class 0) or a collective that slows every kernel by 1.5 (class 1).
struct Rank {
  explicit Rank(const ExecutionPlan& p, int steps = 1, int channels = 10) : plan(p) {
    classes.push_back({{}, std::vector<int32_t>(plan.costs.size(), 65536)});
    classes.push_back({{}, std::vector<int32_t>(plan.costs.size(), 98304)});
    executor = std::make_unique<RankExecutor>(&plan, steps, &classes,
                                              std::vector<int>(plan.program->collectives.size(), channels));
    tables = executor->MakeTables();
    state = executor->InitialState();
  }
  RankArrival Go() { return executor->RunToArrival(&state, &tables, nullptr); }
  void To(int64_t us) { executor->RunTo(&state, &tables, us * kUs, nullptr); }
  int64_t end_us() const { return state.end_ps / kUs; }

  ExecutionPlan plan;
  std::vector<FootprintClass> classes;
  std::unique_ptr<RankExecutor> executor;
  RankExecutor::Tables tables;
  RankState state;
};

TEST(RankExecutorTest, QueuedKernelsFollowEachOtherWithTheGap) {
  PlanFixture f;
  f.Kernel(0, 10).Kernel(0, 20).Kernel(0, 30);
  Rank rank(f.Plan());
  EXPECT_LT(rank.Go().at_ps, 0);
  // launch latency 7, then 10 + 20 + 30 with two gaps of 1
  EXPECT_EQ(rank.end_us(), 7 + 10 + 1 + 20 + 1 + 30);
  EXPECT_EQ(rank.state.sums.compute, 60 * kUs);
}

TEST(RankExecutorTest, ASlowHostBindsTheStep) {
  PlanFixture f;
  for (int i = 0; i < 5; ++i) f.Kernel(0, 2, 20);
  Rank rank(f.Plan());
  rank.Go();
  // The last launch is issued at 5 × 20, starts 7 later and runs 2.
  EXPECT_EQ(rank.end_us(), 100 + 7 + 2);
  // Idle but for the kernels; all of it is the host's but the gap after each kernel.
  EXPECT_EQ(rank.state.sums.idle, (109 - 10) * kUs);
  EXPECT_EQ(rank.state.sums.host_bound, (109 - 10 - 4) * kUs - 1 * kUs);
}

TEST(RankExecutorTest, AWaitHoldsItsStreamUntilTheRecordIsPassed) {
  PlanFixture f(2);
  f.Kernel(1, 50).Record(1, 0).Wait(0, 0).Kernel(0, 10);
  Rank rank(f.Plan());
  rank.Go();
  EXPECT_EQ(rank.end_us(), 7 + 50 + 1 + 10);
  EXPECT_EQ(rank.state.sums.compute, 60 * kUs);
}

TEST(RankExecutorTest, TheHostIssuesNothingWhileItWaitsForAStream) {
  PlanFixture f;
  f.Kernel(0, 100, 5).Sync(0, 3).Kernel(0, 10, 5);
  Rank rank(f.Plan());
  rank.Go();
  // The kernel ends at 5 + 7 + 100; the host goes on then, issues for 5, and the launch takes 7.
  EXPECT_EQ(rank.end_us(), 112 + 5 + 7 + 10);
}

TEST(RankExecutorTest, ACollectiveStartsWhenItsStreamReachesItAndIsTheOnlyThingReported) {
  PlanFixture f(2);
  f.Kernel(0, 40, 0, 1, 0.5).Collective(1, 1000, 2).Kernel(0, 60);
  Rank rank(f.Plan());
  const RankArrival arrival = rank.Go();
  EXPECT_EQ(arrival.at_ps, 9 * kUs);  // issued at 2, launch latency 7; the kernel leaves half of the SMs
  EXPECT_EQ(arrival.stream, 1);
  EXPECT_EQ(arrival.sequence, 0);
  EXPECT_EQ(rank.state.now_ps, 9 * kUs);
}

TEST(RankExecutorTest, KernelsSlowDownWhileACollectiveIsResidentAndSpeedUpWhenItEnds) {
  PlanFixture f(2);
  f.Collective(1, 1000).Kernel(0, 40);
  Rank rank(f.Plan());
  EXPECT_EQ(rank.Go().at_ps, 7 * kUs);
  rank.state.footprint = 1;
  rank.To(37);  // 30 us at 1 / 1.5: 20 of 40 us of work done
  rank.executor->EndCollective(&rank.state, 1);
  rank.state.footprint = 0;
  EXPECT_LT(rank.Go().at_ps, 0);
  EXPECT_EQ(rank.end_us(), 37 + 20);
  EXPECT_EQ(rank.state.sums.communication, 30 * kUs);
  EXPECT_EQ(rank.state.sums.exposed, 0);
}

TEST(RankExecutorTest, CommunicationWithNothingRunningIsExposed) {
  PlanFixture f(2);
  f.Collective(1, 1000).Record(1, 0).Wait(0, 0).Kernel(0, 40);
  Rank rank(f.Plan());
  rank.Go();
  rank.To(100);
  rank.executor->EndCollective(&rank.state, 1);
  rank.Go();
  EXPECT_EQ(rank.state.sums.exposed, 93 * kUs);
  EXPECT_EQ(rank.end_us(), 100 + 1 + 40);
}

TEST(RankExecutorTest, ACollectiveWaitsForTheEndOfAKernelThatHoldsEverySm) {
  PlanFixture f(2);
  f.Kernel(0, 40).Collective(1, 1000, 5).Kernel(0, 60);
  Rank rank(f.Plan());
  EXPECT_EQ(rank.Go().at_ps, 47 * kUs);  // ready at 12, the kernel ends at 47
}

TEST(RankExecutorTest, OnAHighPriorityStreamItWaitsForOneRoundOfThreadBlocksOnly) {
  PlanFixture f(2);
  f.Kernel(0, 40, 0, /*waves=*/4).Collective(1, 1000, 5);
  f.program().streams[1].high_priority = true;
  Rank rank(f.Plan());
  EXPECT_EQ(rank.Go().at_ps, 17 * kUs);  // ready at 12; the first of four waves of 10 us ends at 17
}

TEST(RankExecutorTest, CollectivesOfOneGroupRunInIssueOrderEvenOnTwoStreams) {
  PlanFixture f(3);
  f.Collective(1, 1000).Collective(2, 2000).Kernel(0, 1);
  Rank rank(f.Plan());
  EXPECT_EQ(rank.Go().collective, 0);
  rank.To(50);
  rank.executor->EndCollective(&rank.state, 1);
  const RankArrival second = rank.Go();
  EXPECT_EQ(second.collective, 1);
  EXPECT_EQ(second.at_ps, 50 * kUs);
}

TEST(RankExecutorTest, TheMeasuredWindowIsTheLastStep) {
  PlanFixture f;
  f.Kernel(0, 100, 1).Sync(0);
  Rank rank(f.Plan(), /*steps=*/3);
  rank.Go();
  const RankSums window = rank.state.sums - rank.state.window_begin_sums;
  EXPECT_EQ(window.compute, 100 * kUs);
  // Each step: host 1, latency 7, kernel 100, and nothing overlaps since the host waits for the stream.
  EXPECT_EQ(rank.state.end_ps - rank.state.window_begin_ps, 108 * kUs);
}

// Going back and stopping anywhere on the way must not change what happens (the world relies on it).
TEST(RankExecutorTest, StoppingAtRandomMomentsChangesNothing) {
  RandomStream random(7, "stops");
  for (int round = 0; round < 200; ++round) {
    PlanFixture f(3);
    for (int i = 0; i < 30; ++i) {
      const int stream = static_cast<int>(random.Below(3));
      f.Kernel(stream, static_cast<int64_t>(1 + random.Below(50)), static_cast<int64_t>(random.Below(20)));
      if (random.Below(4) == 0) f.Record(stream, i).Wait(static_cast<int>(random.Below(3)), i);
      if (random.Below(8) == 0) f.Sync(static_cast<int>(random.Below(3)));
    }
    Rank whole(f.Plan(), 2), pieces(f.Plan(), 2);
    ASSERT_LT(whole.Go().at_ps, 0);
    for (int64_t us = 0; us < 3000; us += static_cast<int64_t>(1 + random.Below(100))) {
      pieces.To(us);
      RankState ahead = pieces.state;  // run ahead on a copy, then forget it
      pieces.executor->RunToArrival(&ahead, &pieces.tables, nullptr);
    }
    pieces.Go();
    ASSERT_EQ(whole.state.end_ps, pieces.state.end_ps) << "round " << round;
    EXPECT_EQ(whole.state.sums.compute, pieces.state.sums.compute);
    EXPECT_EQ(whole.state.sums.sm / 1000, pieces.state.sums.sm / 1000);
  }
}

}  // namespace
}  // namespace stepsim::sim
