// What happens at one moment on a rank: ops take effect, kernels begin and end, time is accounted for.
#include <algorithm>

#include "sim/base/check.h"
#include "sim/device/rank_run.h"

namespace stepsim::sim {

void RankExecutor::Run::Pop(int stream) {
  StreamState& q = s.streams[static_cast<size_t>(stream)];
  ++q.index;
  if (stream != 0 && AtEnd(stream)) EndStep(stream);
  AdvanceHost();
}

void RankExecutor::Run::EndStep(int stream) {
  StreamState& q = s.streams[static_cast<size_t>(stream)];
  ++q.step;
  q.index = 0;
  if (q.step >= executor.steps_) q.status = StreamStatus::kFinished;
}

bool RankExecutor::Run::Fire(int stream, RankArrival* arrival) {
  StreamState& q = s.streams[static_cast<size_t>(stream)];
  if (q.status == StreamStatus::kRunning) {
    EndKernel(stream);
    return false;
  }
  const QueuedOp& op = Head(stream);
  switch (op.kind) {
    case QueuedKind::kKernel:
      BeginKernel(stream, op);
      return false;
    case QueuedKind::kCollective:
      return FireCollective(stream, op, arrival);
    case QueuedKind::kRecord:
      q.ready_ps = s.now_ps;
      tables.event_ps[static_cast<size_t>(q.step & 1) * plan.records.size() + static_cast<size_t>(op.index)] = s.now_ps;
      Pop(stream);
      return false;
    case QueuedKind::kWait:
      q.ready_ps = s.now_ps;
      Pop(stream);
      return false;
    case QueuedKind::kStepEnd:
      if (q.step == executor.steps_ - 2) {
        s.window_begin_ps = s.now_ps;
        s.window_begin_sums = s.sums;
      }
      if (q.step == executor.steps_ - 1) s.end_ps = s.now_ps;
      EndStep(stream);
      AdvanceHost();
      return false;
  }
  return false;
}

// A collective kernel becomes resident when the running kernel leaves it SMs: at once if it leaves enough free, else at the
// next round of thread blocks (high-priority stream) or when that kernel ends.
bool RankExecutor::Run::FireCollective(int stream, const QueuedOp& op, RankArrival* arrival) {
  StreamState& q = s.streams[static_cast<size_t>(stream)];
  const int channels = executor.channels_[static_cast<size_t>(op.index)];
  if (q.status == StreamStatus::kReady) {
    q.arrival_ps = s.now_ps;
    const StreamState& compute = s.streams[0];
    if (compute.status == StreamStatus::kRunning && !LeavesRoom(plan, Head(0).index, channels)) {
      const bool priority = plan.program->streams[static_cast<size_t>(stream)].high_priority;
      q.arrival_ps = SmsFreeAt(priority ? 1 : 0);
      if (q.arrival_ps > s.now_ps) {
        q.status = StreamStatus::kNeedsSms;
        return false;
      }
    }
  }
  q.status = StreamStatus::kResident;
  q.begin_ps = s.now_ps;
  ++s.resident;
  arrival->at_ps = s.now_ps;
  arrival->stream = stream;
  arrival->collective = op.index;
  const Collective& collective = plan.program->collectives[CollectiveId(op.index)];
  arrival->sequence = q.step * plan.collectives_of_group[static_cast<size_t>(collective.group.value())] + op.sequence;
  return true;
}

int64_t RankExecutor::Run::SmsFreeAt(int priority) const {
  const StreamState& compute = s.streams[0];
  const auto kernel = static_cast<size_t>(Head(0).index);
  const int64_t whole = plan.time_ps[kernel];
  int64_t left = compute.left_ps;
  const double waves = plan.costs[kernel].waves;
  if (priority != 0 && waves > 1) {
    const auto wave = std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(whole) / waves));
    const int64_t done = whole - left;
    left = std::min(left, (wave - done % wave) % wave);
  }
  return s.now_ps + Stretched(left, Slow()[kernel]);
}

void RankExecutor::Run::BeginKernel(int stream, const QueuedOp& op) {
  StreamState& q = s.streams[static_cast<size_t>(stream)];
  q.status = StreamStatus::kRunning;
  q.begin_ps = s.now_ps;
  q.left_ps = plan.time_ps[static_cast<size_t>(op.index)];
}

void RankExecutor::Run::EndKernel(int stream) {
  StreamState& q = s.streams[static_cast<size_t>(stream)];
  if (observer != nullptr) observer->OnKernel(stream, q.step, Head(stream), q.begin_ps, s.now_ps);
  q.status = StreamStatus::kReady;
  q.ready_ps = s.now_ps;
  q.left_ps = 0;
  Pop(stream);
}

void RankExecutor::Run::Count(const QueuedOp& op, int64_t busy_ps) {
  const auto kernel = static_cast<size_t>(op.index);
  s.sums.sm += static_cast<int64_t>((static_cast<__int128>(busy_ps) * plan.sm_share[kernel]) >> 16);
  if (op.phase == Phase::kOptimizer) s.sums.optimizer += busy_ps;
  s.sums.category[static_cast<size_t>(plan.program->kernels[KernelId(op.index)].category)] += busy_ps;
}

void RankExecutor::Run::Account(int64_t from_ps, int64_t to_ps, int64_t compute_busy_ps, int64_t host_ps) {
  const int64_t length = to_ps - from_ps;
  bool side = false;
  for (int stream = 1; stream < plan.num_streams; ++stream) {
    side = side || s.streams[static_cast<size_t>(stream)].status == StreamStatus::kRunning;
  }
  const int64_t compute = side ? length : compute_busy_ps;
  s.sums.compute += compute;
  if (s.resident > 0) {
    s.sums.communication += length;
    s.sums.exposed += length - compute;
    if (s.transferring > 0) s.sums.transfer += length;
  } else {
    s.sums.idle += length - compute;
    if (!side) s.sums.host_bound += host_ps;
  }
}

void RankExecutor::Run::AdvanceTo(int64_t to_ps) {
  const int64_t length = to_ps - s.now_ps;
  SIM_CHECK(length >= 0) << "a rank went back in time";
  if (length == 0) return;
  for (int stream = 0; stream < plan.num_streams; ++stream) {
    StreamState& q = s.streams[static_cast<size_t>(stream)];
    if (q.status != StreamStatus::kRunning) continue;
    const QueuedOp& op = Head(stream);
    const int32_t slow = stream == 0 ? Slow()[static_cast<size_t>(op.index)] : 65536;
    q.left_ps = std::max<int64_t>(0, q.left_ps - WorkDone(length, slow));
    Count(op, length);
  }
  const StreamState& compute = s.streams[0];
  const bool busy = compute.status == StreamStatus::kRunning;
  int64_t host = 0;
  if (!busy && compute.status == StreamStatus::kReady && !AtEnd(0)) {
    // Idle because the launch has not happened: from when the stream could have gone on until then.
    const int64_t issue = IssueTime(Head(0), compute.step);
    const bool waits_for_host = Head(0).kind == QueuedKind::kKernel && issue == kNever;
    const int64_t launched = issue == kNever ? to_ps : std::min(to_ps, issue + plan.launch_latency_ps);
    const int64_t could = std::max(s.now_ps, compute.ready_ps + plan.kernel_gap_ps);
    if (Head(0).kind == QueuedKind::kKernel || waits_for_host) host = std::max<int64_t>(0, launched - could);
  }
  Account(s.now_ps, to_ps, busy ? length : 0, host);
  s.now_ps = to_ps;
}

void RankExecutor::Run::RunCompute(int64_t limit) {
  StreamState& q = s.streams[0];
  const std::vector<QueuedOp>& queue = plan.queues[0];
  const std::vector<int32_t>& slow = Slow();
  const auto segments = plan.segments.size();
  const int64_t begin = s.now_ps;
  int64_t now = begin, ready = q.ready_ps, busy = 0, host = 0;
  while (static_cast<size_t>(q.index) < queue.size()) {
    const QueuedOp& op = queue[static_cast<size_t>(q.index)];
    if (op.kind != QueuedKind::kKernel || !HasIssued(q.step, op.segment)) break;
    const int64_t issue = tables.segment_ps[static_cast<size_t>(q.step) * segments + static_cast<size_t>(op.segment)] + op.issue_ps;
    const int64_t launched = issue + plan.launch_latency_ps;
    const int64_t could = ready + plan.kernel_gap_ps;
    const int64_t start = std::max({could, launched, begin});
    if (start >= limit) break;
    host += std::max<int64_t>(0, launched - std::max(could, begin));
    const auto kernel = static_cast<size_t>(op.index);
    const int64_t end = start + Stretched(plan.time_ps[kernel], slow[kernel]);
    if (end > limit) {
      q.status = StreamStatus::kRunning;
      q.begin_ps = start;
      q.left_ps = plan.time_ps[kernel];
      now = start;
      break;
    }
    if (observer != nullptr) observer->OnKernel(0, q.step, op, start, end);
    Count(op, end - start);
    busy += end - start;
    ready = now = end;
    ++q.index;
  }
  q.ready_ps = ready;
  Account(begin, now, busy, host);
  s.now_ps = now;
  AdvanceHost();
}

}  // namespace stepsim::sim
