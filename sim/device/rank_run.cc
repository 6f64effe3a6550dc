#include "sim/device/rank_run.h"

#include <algorithm>

#include "sim/base/check.h"

namespace stepsim::sim {

bool RankExecutor::Run::HasIssued(int32_t step, int32_t segment) const {
  return step * static_cast<int32_t>(plan.segments.size()) + segment < s.known_segments;
}

int64_t RankExecutor::Run::IssueTime(const QueuedOp& op, int32_t step) const {
  if (!HasIssued(step, op.segment)) return kNever;
  const auto row = static_cast<size_t>(step) * plan.segments.size() + static_cast<size_t>(op.segment);
  return tables.segment_ps[row] + op.issue_ps;
}

// A wait passes once the record it refers to lies behind its stream's cursor (of the same step).
int64_t RankExecutor::Run::WaitTime(const QueuedOp& op, int32_t step, int64_t at) const {
  const RecordSite& site = plan.records[static_cast<size_t>(op.index)];
  if (site.stream < 0) return kNever;
  const StreamState& recorder = s.streams[static_cast<size_t>(site.stream)];
  const bool recorded = recorder.step > step || (recorder.step == step && recorder.index > site.index);
  if (!recorded) return kNever;
  const size_t slot = static_cast<size_t>(step & 1) * plan.records.size() + static_cast<size_t>(op.index);
  return std::max(at, tables.event_ps[slot]);
}

int64_t RankExecutor::Run::HeadTime(int stream) const {
  const StreamState& q = s.streams[static_cast<size_t>(stream)];
  if (AtEnd(stream)) return kNever;
  const QueuedOp& op = Head(stream);
  const int64_t issue = IssueTime(op, q.step);
  if (issue == kNever) return kNever;
  switch (op.kind) {
    case QueuedKind::kKernel:
      return std::max(q.ready_ps + plan.kernel_gap_ps, issue + plan.launch_latency_ps);
    case QueuedKind::kRecord:
    case QueuedKind::kStepEnd:
      return std::max(q.ready_ps, issue);
    case QueuedKind::kWait:
      return WaitTime(op, q.step, std::max(q.ready_ps, issue));
    case QueuedKind::kCollective: {
      const Collective& collective = plan.program->collectives[CollectiveId(op.index)];
      const auto group = static_cast<size_t>(collective.group.value());
      const int32_t number = q.step * plan.collectives_of_group[group] + op.sequence;
      if (s.collectives_done[group] != number) return kNever;  // NCCL runs a communicator's collectives in issue order
      return std::max({q.ready_ps + plan.kernel_gap_ps, issue + plan.launch_latency_ps, s.group_ready_ps[group]});
    }
  }
  return kNever;
}

int64_t RankExecutor::Run::NextTime(int stream) const {
  const StreamState& q = s.streams[static_cast<size_t>(stream)];
  switch (q.status) {
    case StreamStatus::kReady: {
      const int64_t at = HeadTime(stream);
      return at == kNever ? kNever : std::max(at, s.now_ps);
    }
    case StreamStatus::kRunning: {
      const int32_t slow = stream == 0 ? Slow()[static_cast<size_t>(Head(stream).index)] : 65536;
      return s.now_ps + Stretched(q.left_ps, slow);
    }
    case StreamStatus::kNeedsSms:
      return std::max(q.arrival_ps, s.now_ps);
    case StreamStatus::kResident:
    case StreamStatus::kFinished:
      return kNever;
  }
  return kNever;
}

RankArrival RankExecutor::Run::Go(int64_t until_ps) {
  RankArrival arrival;
  AdvanceHost();
  while (true) {
    int64_t next[kMaxStreams];
    int first = -1;
    int64_t others = until_ps;  // the next thing that is not the compute stream's
    for (int stream = plan.num_streams - 1; stream >= 0; --stream) {
      next[stream] = NextTime(stream);
      if (next[stream] != kNever && (first < 0 || next[stream] <= next[first])) first = stream;
      if (stream != 0) others = std::min(others, next[stream]);
    }
    if (first < 0 || next[first] >= until_ps) break;
    if (next[0] < others) {
      const StreamState& compute = s.streams[0];
      const bool kernel_next = compute.status == StreamStatus::kReady && Head(0).kind == QueuedKind::kKernel;
      if (kernel_next) {
        RunCompute(others);
        continue;
      }
    }
    AdvanceTo(next[first]);
    if (Fire(first, &arrival)) return arrival;
  }
  if (until_ps != kNever) AdvanceTo(until_ps);
  return arrival;
}

// The host blocks at the end of a segment until its stream has drained; then the next segment begins.
void RankExecutor::Run::AdvanceHost() {
  const auto per_step = static_cast<int32_t>(plan.segments.size());
  while (s.known_segments < executor.steps_ * per_step) {
    int64_t start = 0;
    if (s.known_segments > 0) {
      const int32_t last = s.known_segments - 1;
      const HostSegment& segment = plan.segments[static_cast<size_t>(last % per_step)];
      start = tables.segment_ps[static_cast<size_t>(last)] + segment.length_ps;
      if (segment.sync_stream >= 0) {
        const StreamState& q = s.streams[static_cast<size_t>(segment.sync_stream)];
        const int32_t step = last / per_step;
        const bool passed = q.step > step || (q.step == step && q.index >= segment.sync_index);
        if (!passed) return;
        start = std::max(start, std::max(q.ready_ps, s.now_ps));
      }
    }
    tables.segment_ps[static_cast<size_t>(s.known_segments)] = start;
    if (observer != nullptr) observer->OnSegmentStart(s.known_segments / per_step, s.known_segments % per_step, start);
    ++s.known_segments;
  }
}

}  // namespace stepsim::sim
