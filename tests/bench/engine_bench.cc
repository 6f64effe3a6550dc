// Cost of the engine's three parts: events, activities whose rate changes, and shares.
#include <vector>

#include "benchmark/benchmark.h"
#include "sim/base/random.h"
#include "sim/engine/activity.h"
#include "sim/engine/fair_share.h"
#include "sim/engine/simulator.h"

namespace stepsim::sim {
namespace {

// The hold model (Jones, "An empirical comparison of priority-queue and event-set implementations", 1986): the number of
// pending events is constant, and each event schedules the next one a random time ahead.
class Hold : public EventHandler {
 public:
  explicit Hold(int64_t pending) : id_(simulator_.AddHandler(this)) {
    for (int64_t i = 0; i < pending; ++i) OnEvent(Event());
  }
  void OnEvent(const Event&) override {
    const auto delay = static_cast<int64_t>(random_.Below(1'000'000));
    simulator_.After(Duration::Picoseconds(delay), EventPriority::kArrival, Event{id_, 0, 0, 0});
    if (--left_ == 0) simulator_.Stop();
  }
  void Run(int64_t events) {
    left_ = events;
    simulator_.Run();
  }

 private:
  Simulator simulator_;
  RandomStream random_{1, "hold"};
  HandlerId id_;
  int64_t left_ = 0;
};

void BM_Hold(benchmark::State& state) {
  constexpr int64_t kBatch = 10'000;
  Hold hold(state.range(0));
  for (auto _ : state) hold.Run(kBatch);
  state.SetItemsProcessed(state.iterations() * kBatch);
}
BENCHMARK(BM_Hold)->Arg(1'000)->Arg(100'000);

// Half of all events are cancelled before they run, as when rates change under way.
void BM_ScheduleAndCancel(benchmark::State& state) {
  EventQueue queue;
  RandomStream random(1, "cancel");
  int64_t now = 0;
  const auto push = [&] {
    return queue.Push(Time::Picoseconds(now + static_cast<int64_t>(random.Below(1'000'000))), EventPriority::kArrival, Event());
  };
  for (int64_t i = 0; i < state.range(0); ++i) push();
  for (auto _ : state) {
    queue.Cancel(push());
    push();
    now = queue.NextTime().picoseconds();
    queue.Pop();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_ScheduleAndCancel)->Arg(1'000);

class Nobody : public EventHandler {
 public:
  void OnEvent(const Event&) override {}
};

void BM_ActivityRateChange(benchmark::State& state) {
  Simulator simulator;
  Nobody nobody;
  ActivitySet set(&simulator, simulator.AddHandler(&nobody), 0);
  std::vector<ActivityId> ids;
  for (int64_t i = 0; i < state.range(0); ++i) ids.push_back(set.Start(1'000'000'000, 1000));
  RandomStream random(1, "rates");
  for (auto _ : state) set.SetRate(ids[random.Below(ids.size())], 1000 + static_cast<int64_t>(random.Below(1000)));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_ActivityRateChange)->Arg(1'000);

// A collective over `count` resources from `first` on, one element each.
std::vector<FairShareSolver::Element> Span(int64_t first, int64_t count) {
  std::vector<FairShareSolver::Element> elements;
  for (int64_t r = first; r < first + count; ++r) {
    elements.push_back({ResourceId(static_cast<int32_t>(r)), FairShareSolver::kWeightUnit - r % 7});
  }
  return elements;
}

FairShareSolver MakeSolver(int64_t resources) {
  FairShareSolver solver;
  for (int64_t r = 0; r < resources; ++r) solver.AddResource(25'000'000'000 + r % 11);
  return solver;
}

// The usual case: one collective of range(0) links at a time.
void BM_StartAndEndAlone(benchmark::State& state) {
  FairShareSolver solver = MakeSolver(state.range(0));
  const std::vector<FairShareSolver::Element> elements = Span(0, state.range(0));
  for (auto _ : state) {
    const DemandId demand = solver.Add({elements});
    benchmark::DoNotOptimize(solver.Solve());
    solver.Remove(demand);
    benchmark::DoNotOptimize(solver.Solve());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_StartAndEndAlone)->Arg(16)->Arg(5'000);

// Beside another one on the same links: both are solved at start and at end.
void BM_StartAndEndBesideAnother(benchmark::State& state) {
  FairShareSolver solver = MakeSolver(state.range(0));
  const std::vector<FairShareSolver::Element> elements = Span(0, state.range(0));
  solver.Add({elements});
  solver.Solve();
  for (auto _ : state) {
    const DemandId demand = solver.Add({elements});
    benchmark::DoNotOptimize(solver.Solve());
    solver.Remove(demand);
    benchmark::DoNotOptimize(solver.Solve());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_StartAndEndBesideAnother)->Arg(16)->Arg(5'000);

// Start and end of one demand in a component of range(0) demands, each on two of as many resources (a chain).
void BM_StartAndEndInChain(benchmark::State& state) {
  const int64_t n = state.range(0);
  FairShareSolver solver = MakeSolver(n + 1);
  for (int64_t i = 0; i < n; ++i) solver.Add({Span(i, 2)});
  solver.Solve();
  const std::vector<FairShareSolver::Element> elements = Span(n / 2, 2);
  for (auto _ : state) {
    const DemandId demand = solver.Add({elements});
    benchmark::DoNotOptimize(solver.Solve());
    solver.Remove(demand);
    benchmark::DoNotOptimize(solver.Solve());
  }
  state.SetItemsProcessed(state.iterations() * n);
}
BENCHMARK(BM_StartAndEndInChain)->Arg(1'000);

}  // namespace
}  // namespace stepsim::sim
