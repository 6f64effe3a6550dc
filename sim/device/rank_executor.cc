#include "sim/device/rank_executor.h"

#include "absl/strings/str_cat.h"
#include "sim/base/check.h"
#include "sim/device/rank_run.h"

namespace stepsim::sim {

RankSums RankSums::operator-(const RankSums& o) const {
  RankSums d = *this;
  d.compute -= o.compute;
  d.communication -= o.communication;
  d.transfer -= o.transfer;
  d.exposed -= o.exposed;
  d.idle -= o.idle;
  d.host_bound -= o.host_bound;
  d.optimizer -= o.optimizer;
  d.sm -= o.sm;
  for (size_t i = 0; i < category.size(); ++i) d.category[i] -= o.category[i];
  return d;
}

RankExecutor::RankExecutor(const ExecutionPlan* plan, int steps, const std::vector<FootprintClass>* classes,
                           std::vector<int> channels)
    : plan_(plan), steps_(steps), classes_(classes), channels_(std::move(channels)) {
  SIM_CHECK(steps >= 1);
  SIM_CHECK(channels_.size() == plan->program->collectives.size());
}

RankExecutor::Tables RankExecutor::MakeTables() const {
  Tables tables;
  tables.event_ps.resize(2 * plan_->records.size());
  tables.segment_ps.resize(static_cast<size_t>(steps_) * plan_->segments.size());
  return tables;
}

RankState RankExecutor::InitialState() const {
  RankState state;
  for (int stream = 0; stream < plan_->num_streams; ++stream) {
    StreamState& q = state.streams[static_cast<size_t>(stream)];
    if (plan_->queues[static_cast<size_t>(stream)].empty()) q.status = StreamStatus::kFinished, q.step = steps_;
  }
  return state;
}

RankArrival RankExecutor::RunToArrival(RankState* state, Tables* tables, RankObserver* observer) const {
  return Run{*this, *plan_, *state, *tables, observer}.Go(kNever);
}

void RankExecutor::RunTo(RankState* state, Tables* tables, int64_t until_ps, RankObserver* observer) const {
  const RankArrival arrival = Run{*this, *plan_, *state, *tables, observer}.Go(until_ps);
  SIM_CHECK(arrival.at_ps < 0) << "a collective started before the moment the rank was advanced to";
}

void RankExecutor::EndCollective(RankState* state, int stream) const {
  StreamState& q = state->streams[static_cast<size_t>(stream)];
  SIM_CHECK(q.status == StreamStatus::kResident);
  const QueuedOp& op = plan_->queues[static_cast<size_t>(stream)][static_cast<size_t>(q.index)];
  const auto group = static_cast<size_t>(plan_->program->collectives[CollectiveId(op.index)].group.value());
  q.status = StreamStatus::kReady;
  q.ready_ps = state->now_ps;
  ++state->collectives_done[group];
  state->group_ready_ps[group] = state->now_ps;
  --state->resident;
  ++q.index;
  if (stream != 0 && static_cast<size_t>(q.index) >= plan_->queues[static_cast<size_t>(stream)].size()) {
    ++q.step;
    q.index = 0;
    if (q.step >= steps_) q.status = StreamStatus::kFinished;
  }
}

void RankExecutor::LookAgain(RankState* state) const {
  for (StreamState& q : state->streams) {
    if (q.status == StreamStatus::kNeedsSms) q.status = StreamStatus::kReady;
  }
}

std::string RankExecutor::Describe(const RankState& state) const {
  std::string text;
  for (int stream = 0; stream < plan_->num_streams; ++stream) {
    const StreamState& q = state.streams[static_cast<size_t>(stream)];
    if (q.status == StreamStatus::kFinished) continue;
    const QueuedOp& op = plan_->queues[static_cast<size_t>(stream)][static_cast<size_t>(q.index)];
    absl::StrAppend(&text, text.empty() ? "" : "; ", "stream ", plan_->program->streams[static_cast<size_t>(stream)].name);
    if (op.kind == QueuedKind::kCollective) {
      const Collective& collective = plan_->program->collectives[CollectiveId(op.index)];
      absl::StrAppend(&text, q.status == StreamStatus::kResident ? " is in " : " waits to start ",
                      plan_->program->labels[collective.label], " (collective ", op.sequence, " of step ", q.step, ")");
    } else {
      absl::StrAppend(&text, " stands at op ", op.op, " of step ", q.step);
    }
  }
  return text;
}

}  // namespace stepsim::sim
