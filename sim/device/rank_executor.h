// Runs one rank's program on its GPU between the points where other ranks matter.
//
// Within a rank everything is decided by its own queues: streams are in order, events tie them together, the host issues at
// its own pace, and kernels slow down beside a resident collective. Only the end of a collective comes from outside. So the
// caller lets a rank run ahead until its next collective starts (RunToArrival), goes back to the state it kept when a
// collective ends earlier, and advances to that moment (RunTo). One call passes through hundreds of kernels in a tight loop,
// with no event of the simulator each.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/base/ids.h"
#include "sim/device/execution_plan.h"
#include "sim/device/rank_state.h"
#include "sim/device/sm_sharing.h"

namespace stepsim::sim {

// Slow-downs by footprint class, shared by the ranks of a role. Class 0 is "nothing resident".
struct FootprintClass {
  Footprint footprint;
  std::vector<int32_t> slowdown;  // by kernel, 1/65536
};

// Listens to what a traced rank does. Calls may be undone by the caller when the rank goes back (it keeps them in a buffer).
class RankObserver {
 public:
  virtual ~RankObserver() = default;
  virtual void OnKernel(int stream, int32_t step, const QueuedOp& op, int64_t begin_ps, int64_t end_ps) = 0;
  virtual void OnSegmentStart(int32_t step, int32_t segment, int64_t start_ps) = 0;
};

struct RankArrival {
  int64_t at_ps = -1;  // -1: the rank has nothing more to do before something from outside happens
  int stream = -1;
  int32_t collective = -1;  // CollectiveId
  int32_t sequence = -1;    // of the group, over steps
};

class RankExecutor {
 public:
  // steps ≥ 1 repetitions of the program; the window of the sums is the last of them. channels: CTAs of each collective
  // (by CollectiveId), for the wait for free SMs.
  RankExecutor(const ExecutionPlan* plan, int steps, const std::vector<FootprintClass>* classes, std::vector<int> channels);

  // Per-rank tables that are not part of the state since going back overwrites them with the same values or is told by
  // cursors: event times and host segment starts.
  struct Tables {
    std::vector<int64_t> event_ps;    // slot of an even and an odd step
    std::vector<int64_t> segment_ps;  // by step × segments
  };
  Tables MakeTables() const;
  RankState InitialState() const;

  // Runs until a collective starts; the state is then at that moment with the collective resident.
  RankArrival RunToArrival(RankState* state, Tables* tables, RankObserver* observer) const;

  // Runs up to a moment no later than the next arrival.
  void RunTo(RankState* state, Tables* tables, int64_t until_ps, RankObserver* observer) const;

  // The collective resident on `stream` ends now.
  void EndCollective(RankState* state, int stream) const;

  // What is resident changes: a collective that waits for SMs looks again, since the kernel it waits for runs at another speed.
  void LookAgain(RankState* state) const;

  bool Finished(const RankState& state) const { return state.end_ps >= 0; }

  // What the rank waits for, for people: "stream all-gather waits for collective all_gather layer 3 (#17)".
  std::string Describe(const RankState& state) const;

  const ExecutionPlan& plan() const { return *plan_; }

 private:
  struct Run;  // one call: state, tables, limits
  const ExecutionPlan* plan_;
  int steps_;
  const std::vector<FootprintClass>* classes_;
  std::vector<int> channels_;
};

}  // namespace stepsim::sim
