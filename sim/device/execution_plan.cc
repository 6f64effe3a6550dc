#include "sim/device/execution_plan.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"

namespace stepsim::sim {
namespace {

class PlanBuilder {
 public:
  PlanBuilder(const Program& program, ExecutionPlan* plan) : program_(program), plan_(plan) {}

  void Build() {
    for (size_t i = 0; i < program_.ops.size(); ++i) Add(program_.ops[i], static_cast<int32_t>(i));
    EndSegment(-1, static_cast<int32_t>(program_.ops.size()));
    QueuedOp end;
    end.kind = QueuedKind::kStepEnd;
    end.segment = static_cast<int16_t>(plan_->segments.size() - 1);
    end.issue_ps = plan_->segments.back().length_ps;
    plan_->queues[0].push_back(end);
  }

 private:
  void Add(const Op& op, int32_t position) {
    host_ps_ += int64_t{op.host_ns} * 1000;
    if (op.kind == OpKind::kHostSync) return EndSegment(op.stream, position + 1);
    if (op.kind == OpKind::kHostWork || op.kind == OpKind::kRangeBegin || op.kind == OpKind::kRangeEnd) return;
    SIM_CHECK(op.stream >= 0 && op.stream < plan_->num_streams) << "op " << position << " on stream " << int{op.stream};
    auto& queue = plan_->queues[static_cast<size_t>(op.stream)];
    QueuedOp queued;
    queued.phase = op.phase;
    queued.segment = static_cast<int16_t>(plan_->segments.size());
    queued.index = op.index;
    queued.op = position;
    queued.issue_ps = host_ps_;
    if (op.kind == OpKind::kKernel) queued.kind = QueuedKind::kKernel;
    if (op.kind == OpKind::kWait) queued.kind = QueuedKind::kWait;
    if (op.kind == OpKind::kRecord) {
      queued.kind = QueuedKind::kRecord;
      plan_->records[static_cast<size_t>(op.index)] = {op.stream, static_cast<int32_t>(queue.size())};
    }
    if (op.kind == OpKind::kCollective) {
      queued.kind = QueuedKind::kCollective;
      const auto group = static_cast<size_t>(program_.collectives[CollectiveId(op.index)].group.value());
      queued.sequence = plan_->collectives_of_group[group]++;
    }
    queue.push_back(queued);
  }

  void EndSegment(int8_t stream, int32_t end_op) {
    HostSegment segment;
    segment.length_ps = host_ps_;
    segment.sync_stream = stream;
    segment.sync_index = stream < 0 ? 0 : static_cast<int32_t>(plan_->queues[static_cast<size_t>(stream)].size());
    segment.first_op = plan_->segments.empty() ? 0 : plan_->segments.back().end_op;
    segment.end_op = end_op;
    plan_->segments.push_back(segment);
    host_ps_ = 0;
  }

  const Program& program_;
  ExecutionPlan* plan_;
  int64_t host_ps_ = 0;
};

}  // namespace

ExecutionPlan MakeExecutionPlan(const Program& program, std::vector<KernelCost> costs, int sms, Duration launch_latency,
                                Duration kernel_gap) {
  ExecutionPlan plan;
  plan.program = &program;
  plan.num_streams = static_cast<int>(program.streams.size());
  SIM_CHECK(plan.num_streams >= 1 && plan.num_streams <= kMaxStreams) << "streams: " << plan.num_streams;
  SIM_CHECK(program.groups.size() <= kMaxGroups) << "groups: " << program.groups.size();
  SIM_CHECK(costs.size() == program.kernels.size());
  plan.queues.resize(program.streams.size());
  plan.records.resize(static_cast<size_t>(program.num_event_slots));
  plan.collectives_of_group.resize(std::max<size_t>(1, program.groups.size()));
  plan.launch_latency_ps = launch_latency.picoseconds();
  plan.kernel_gap_ps = kernel_gap.picoseconds();
  plan.sms = sms;
  for (const KernelCost& cost : costs) {
    plan.time_ps.push_back(std::max<int64_t>(1000, cost.time.picoseconds()));
    plan.sm_share.push_back(static_cast<int32_t>(std::lround(std::clamp(cost.sm_share, 0.0, 1.0) * 65536)));
  }
  plan.costs = std::move(costs);
  PlanBuilder(program, &plan).Build();
  return plan;
}

}  // namespace stepsim::sim
