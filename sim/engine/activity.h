// Activities: work that is done at a rate which may change while it runs, followed lazily. Only a change of rate costs
// anything; between changes nothing is stored but (work left, since when, rate).
//
// With work W in whole units and rates R_i in units per second held for t_i picoseconds, the work left is kept as
//   L = 10^12 W − Σ R_i t_i      (unit·ps/s, 128-bit, exact)
// and the activity completes ceil(L / R) picoseconds from now. So no work is lost to rounding however often the rate
// changes, a completion is never early, and it is late by less than one picosecond.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/base/ids.h"
#include "sim/engine/simulator.h"
#include "sim/engine/wide.h"

namespace stepsim::sim {

using ActivityId = Id<struct ActivityTag>;

// A rate that nothing limits: the activity completes at once.
constexpr int64_t kUnlimitedRate = std::numeric_limits<int64_t>::max();

class ActivitySet {
 public:
  // A completion reaches `handler` as Event{kind = completion_kind, a = activity id, b = token}, priority kCompletion.
  ActivitySet(Simulator* simulator, HandlerId handler, int32_t completion_kind);

  // work ≥ 0 units, rate ≥ 0 units/s (checked). Completes by event, never within the call, even when work is 0.
  ActivityId Start(int64_t work, int64_t rate, int64_t token = 0);
  void SetRate(ActivityId id, int64_t rate);
  // To be called after its completion, or to abandon it; the id may then be given to another activity.
  void Remove(ActivityId id);

  // Whole units done so far (rounded down; all of them at its completion).
  int64_t WorkDone(ActivityId id) const;
  int64_t rate(ActivityId id) const { return Get(id).rate; }
  int64_t token(ActivityId id) const { return Get(id).token; }
  // Infinite when it will not complete at its current rate.
  Time CompletionTime(ActivityId id) const;

  // Activities that will not complete at their current rates (rate 0, or beyond the clock's range), by id.
  std::vector<ActivityId> Stalled() const;
  int64_t size() const { return size_; }

 private:
  struct Row {
    Int128 left = 0;  // at `since`
    int64_t work = 0;
    int64_t rate = 0;
    int64_t token = 0;
    Time since;
    Time end;  // of the completion event; infinite when none is scheduled
    EventHandle completion;
    bool live = false;
  };
  const Row& Get(ActivityId id) const;
  Row& Get(ActivityId id) { return const_cast<Row&>(static_cast<const ActivitySet*>(this)->Get(id)); }
  Int128 LeftNow(const Row& row) const;
  void Schedule(ActivityId id, Row* row);

  Simulator* simulator_;
  HandlerId handler_;
  int32_t completion_kind_;
  std::vector<Row> rows_;
  std::vector<int32_t> free_;
  int64_t size_ = 0;
};

}  // namespace stepsim::sim
