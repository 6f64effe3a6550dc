#include "sim/engine/simulator.h"

#include <functional>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/check.h"

namespace stepsim::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

// Notes (time, name) of each event and does what the test says.
class Recorder : public EventHandler {
 public:
  explicit Recorder(Simulator* simulator) : simulator_(simulator), id_(simulator->AddHandler(this)) {}
  void OnEvent(const Event& event) override {
    seen.emplace_back(simulator_->Now().picoseconds(), event.a);
    if (action) action(event);
  }
  Event Named(int64_t name) const { return Event{id_, 0, name, 0}; }

  std::vector<std::pair<int64_t, int64_t>> seen;
  std::function<void(const Event&)> action;

 private:
  Simulator* simulator_;
  HandlerId id_;
};

constexpr EventPriority kAny = EventPriority::kArrival;
Time At(int64_t ps) { return Time::Picoseconds(ps); }

TEST(SimulatorTest, ClockMovesToEachEvent) {
  Simulator simulator;
  Recorder recorder(&simulator);
  simulator.At(At(20), kAny, recorder.Named(2));
  simulator.After(Duration::Picoseconds(10), kAny, recorder.Named(1));
  simulator.Run();
  EXPECT_THAT(recorder.seen, ElementsAre(Pair(10, 1), Pair(20, 2)));
  EXPECT_EQ(simulator.Now(), At(20));
  EXPECT_EQ(simulator.events_run(), 2);
}

TEST(SimulatorTest, EventOfTheCurrentInstantRunsAfterThoseAlreadyDue) {
  Simulator simulator;
  Recorder recorder(&simulator);
  recorder.action = [&](const Event& event) {
    if (event.a == 1) simulator.After(Duration(), kAny, recorder.Named(3));
  };
  simulator.At(At(5), kAny, recorder.Named(1));
  simulator.At(At(5), kAny, recorder.Named(2));
  simulator.Run();
  EXPECT_THAT(recorder.seen, ElementsAre(Pair(5, 1), Pair(5, 2), Pair(5, 3)));
}

TEST(SimulatorTest, HandlersGetTheirOwnEvents) {
  Simulator simulator;
  Recorder first(&simulator), second(&simulator);
  simulator.At(At(1), kAny, second.Named(7));
  simulator.At(At(2), kAny, first.Named(8));
  simulator.Run();
  EXPECT_THAT(first.seen, ElementsAre(Pair(2, 8)));
  EXPECT_THAT(second.seen, ElementsAre(Pair(1, 7)));
}

TEST(SimulatorTest, RunUntilIncludesItsLimitAndSetsTheClock) {
  Simulator simulator;
  Recorder recorder(&simulator);
  for (const int64_t ps : {10, 20, 21}) simulator.At(At(ps), kAny, recorder.Named(ps));
  simulator.RunUntil(At(20));
  EXPECT_THAT(recorder.seen, ElementsAre(Pair(10, 10), Pair(20, 20)));
  EXPECT_EQ(simulator.events_pending(), 1u);
  simulator.RunUntil(At(20));
  EXPECT_EQ(simulator.Now(), At(20));
  simulator.RunUntil(At(30));
  EXPECT_EQ(simulator.Now(), At(30));
  EXPECT_EQ(recorder.seen.size(), 3u);
}

TEST(SimulatorTest, StopEndsTheRunAndRunGoesOn) {
  Simulator simulator;
  Recorder recorder(&simulator);
  recorder.action = [&](const Event& event) {
    if (event.a == 1) simulator.Stop();
  };
  simulator.At(At(1), kAny, recorder.Named(1));
  simulator.At(At(2), kAny, recorder.Named(2));
  simulator.RunUntil(At(9));
  EXPECT_EQ(simulator.Now(), At(1));
  simulator.Run();
  EXPECT_THAT(recorder.seen, ElementsAre(Pair(1, 1), Pair(2, 2)));
}

TEST(SimulatorTest, ChecksKnowTheSimulatedTime) {
  Simulator simulator;
  Recorder recorder(&simulator);
  Time seen;
  recorder.action = [&](const Event&) { seen = ThreadCheckContext().now; };
  simulator.At(At(123), kAny, recorder.Named(0));
  simulator.Run();
  EXPECT_EQ(seen, At(123));
}

TEST(SimulatorDeathTest, EventInThePastIsOurFault) {
  Simulator simulator;
  Recorder recorder(&simulator);
  simulator.RunUntil(At(100));
  EXPECT_DEATH(simulator.At(At(99), kAny, recorder.Named(0)), "past of 100 ps");
  EXPECT_DEATH(simulator.After(Duration::Picoseconds(-1), kAny, recorder.Named(0)), "past");
  EXPECT_DEATH(simulator.After(Duration::Infinite(), kAny, recorder.Named(0)), "range of the clock");
  EXPECT_DEATH(simulator.At(At(100), kAny, Event()), "without a handler");
}

}  // namespace
}  // namespace stepsim::sim
