// The machinery of RankExecutor: one run of one rank over a stretch of time. Internal to sim/device.
#pragma once

#include "sim/device/rank_executor.h"

namespace stepsim::sim {

constexpr int64_t kNever = INT64_MAX;

struct RankExecutor::Run {
  const RankExecutor& executor;
  const ExecutionPlan& plan;
  RankState& s;
  Tables& tables;
  RankObserver* observer;

  // Goes to `until` or to the first collective that starts, whichever is first.
  RankArrival Go(int64_t until_ps);

 private:
  // When the head op of a stream can take effect; kNever if something else must happen first. For a running kernel its end.
  int64_t NextTime(int stream) const;
  int64_t HeadTime(int stream) const;
  int64_t IssueTime(const QueuedOp& op, int32_t step) const;  // kNever while the host has not got there
  bool HasIssued(int32_t step, int32_t segment) const;
  int64_t WaitTime(const QueuedOp& op, int32_t step, int64_t at) const;

  // The head op of the stream takes effect now. Returns true if a collective has just started.
  bool Fire(int stream, RankArrival* arrival);
  bool FireCollective(int stream, const QueuedOp& op, RankArrival* arrival);
  void BeginKernel(int stream, const QueuedOp& op);
  void EndKernel(int stream);
  void EndStep(int stream);
  void Pop(int stream);
  void AdvanceHost();

  // Kernels of the compute stream one after another, while nothing else happens before `limit`.
  void RunCompute(int64_t limit);
  void AdvanceTo(int64_t to_ps);
  void Account(int64_t from_ps, int64_t to_ps, int64_t compute_busy_ps, int64_t host_ps);

  const QueuedOp& Head(int stream) const {
    return plan.queues[static_cast<size_t>(stream)][static_cast<size_t>(s.streams[static_cast<size_t>(stream)].index)];
  }
  bool AtEnd(int stream) const {
    const StreamState& q = s.streams[static_cast<size_t>(stream)];
    return q.index >= static_cast<int32_t>(plan.queues[static_cast<size_t>(stream)].size());
  }
  const std::vector<int32_t>& Slow() const { return (*executor.classes_)[static_cast<size_t>(s.footprint)].slowdown; }
  void Count(const QueuedOp& op, int64_t busy_ps);
  int64_t SmsFreeAt(int channels) const;
};

// Time that `left` of work takes at a slow-down in 1/65536, rounded up; and the work done in a time, rounded down.
constexpr int64_t Stretched(int64_t left_ps, int32_t slowdown) {
  return slowdown == 65536 ? left_ps : static_cast<int64_t>((static_cast<__int128>(left_ps) * slowdown + 65535) >> 16);
}
constexpr int64_t WorkDone(int64_t elapsed_ps, int32_t slowdown) {
  return slowdown == 65536 ? elapsed_ps : static_cast<int64_t>((static_cast<__int128>(elapsed_ps) << 16) / slowdown);
}

}  // namespace stepsim::sim
