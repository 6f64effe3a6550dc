#include "sim/engine/activity.h"

#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stepsim::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kSecond = 1'000'000'000'000;  // ps

// An activity set whose completions are noted by token.
class ActivityTest : public ::testing::Test, public EventHandler {
 protected:
  void OnEvent(const Event& event) override {
    ended_ps_[event.b] = simulator_.Now().picoseconds();
    work_done_[event.b] = set_.WorkDone(ActivityId(static_cast<int32_t>(event.a)));
    set_.Remove(ActivityId(static_cast<int32_t>(event.a)));
  }
  void RunTo(int64_t ps) { simulator_.RunUntil(Time::Picoseconds(ps)); }

  Simulator simulator_;
  ActivitySet set_{&simulator_, simulator_.AddHandler(this), 0};
  std::map<int64_t, int64_t> ended_ps_;
  std::map<int64_t, int64_t> work_done_;
};

TEST_F(ActivityTest, ConstantRateTakesWorkOverRate) {
  set_.Start(1000, 250, 1);
  simulator_.Run();
  EXPECT_EQ(ended_ps_[1], 4 * kSecond);
  EXPECT_EQ(work_done_[1], 1000);
  EXPECT_EQ(set_.size(), 0);
}

// 1 unit at 3 units/s is a third of a second: 333,333,333,333.3 ps, so the first whole picosecond not before it.
TEST_F(ActivityTest, CompletionIsRoundedUpToAPicosecond) {
  set_.Start(1, 3, 1);
  simulator_.Run();
  EXPECT_EQ(ended_ps_[1], 333'333'333'334);
}

// 100 units: 2 s at 10, 1 s at 50 leave 30, at 5 another 6 s.
TEST_F(ActivityTest, WorkIsTheSumOfRateTimesTime) {
  const ActivityId id = set_.Start(100, 10, 1);
  RunTo(2 * kSecond);
  EXPECT_EQ(set_.WorkDone(id), 20);
  set_.SetRate(id, 50);
  RunTo(3 * kSecond);
  EXPECT_EQ(set_.WorkDone(id), 70);
  set_.SetRate(id, 5);
  EXPECT_EQ(set_.CompletionTime(id), Time::Picoseconds(9 * kSecond));
  simulator_.Run();
  EXPECT_EQ(ended_ps_[1], 9 * kSecond);
}

// Each change falls on a fraction of a unit; rounding any of them would move the end.
TEST_F(ActivityTest, ManyRateChangesLoseNothing) {
  const ActivityId id = set_.Start(1'000'000, 3, 1);
  int64_t done_unit_ps = 0;
  for (int64_t i = 1; i <= 10'000; ++i) {
    RunTo(i * 7);
    done_unit_ps += (i % 2 == 1 ? 3 : 1'000'000'007) * int64_t{7};
    set_.SetRate(id, i % 2 == 1 ? 1'000'000'007 : 3);
  }
  const Int128 left = Product(1'000'000, kSecond) - done_unit_ps;
  set_.SetRate(id, 1'000'000'000'000);
  simulator_.Run();
  EXPECT_EQ(ended_ps_[1], 70'000 + static_cast<int64_t>((left + kSecond - 1) / kSecond));
}

TEST_F(ActivityTest, RateZeroStallsUntilTheRateReturns) {
  const ActivityId id = set_.Start(10, 10, 1);
  RunTo(kSecond / 2);
  set_.SetRate(id, 0);
  EXPECT_THAT(set_.Stalled(), ElementsAre(id));
  EXPECT_EQ(set_.CompletionTime(id), Time::Infinite());
  simulator_.Run();
  EXPECT_THAT(ended_ps_, IsEmpty());
  RunTo(3 * kSecond);
  EXPECT_EQ(set_.WorkDone(id), 5);
  set_.SetRate(id, 1);
  EXPECT_THAT(set_.Stalled(), IsEmpty());
  simulator_.Run();
  EXPECT_EQ(ended_ps_[1], 8 * kSecond);
}

TEST_F(ActivityTest, EndBeyondTheClockIsStalled) {
  const ActivityId id = set_.Start(INT64_MAX, 1, 1);
  EXPECT_THAT(set_.Stalled(), ElementsAre(id));
  simulator_.Run();
  EXPECT_EQ(simulator_.Now(), Time());
}

TEST_F(ActivityTest, NoWorkOrNoLimitEndsNowByEvent) {
  set_.Start(0, 5, 1);
  set_.Start(0, 0, 2);
  set_.Start(INT64_MAX, kUnlimitedRate, 3);
  EXPECT_THAT(ended_ps_, IsEmpty());
  simulator_.Run();
  EXPECT_EQ(ended_ps_.size(), 3u);
  EXPECT_EQ(simulator_.Now(), Time());
  EXPECT_EQ(work_done_[3], INT64_MAX);
}

TEST_F(ActivityTest, RemovedActivityDoesNotComplete) {
  set_.Remove(set_.Start(10, 10, 1));
  set_.Start(20, 10, 2);  // takes the id of the first
  simulator_.Run();
  EXPECT_THAT(ended_ps_, ElementsAre(std::pair<const int64_t, int64_t>(2, 2 * kSecond)));
}

TEST_F(ActivityTest, SameRateKeepsItsPlaceAmongTies) {
  const ActivityId first = set_.Start(10, 10, 1);
  set_.Start(10, 10, 2);
  const int64_t events = static_cast<int64_t>(simulator_.events_pending());
  set_.SetRate(first, 10);
  EXPECT_EQ(static_cast<int64_t>(simulator_.events_pending()), events);
}

}  // namespace
}  // namespace stepsim::sim
