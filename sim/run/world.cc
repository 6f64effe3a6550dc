#include "sim/run/world.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "sim/base/check.h"
#include "sim/base/status.h"
#include "sim/run/parallel.h"

namespace stepsim::sim {

World::World(std::shared_ptr<const Platform> platform, const Job& job, RunOptions options)
    : platform_(std::move(platform)),
      job_(job),
      options_(std::move(options)),
      handler_(simulator_.AddHandler(this)),
      collective_model_(platform_, options_.collectives) {
  network_ = std::make_unique<FlowNetwork>(platform_, &simulator_, handler_, kTransferDone);
}

void World::OnEvent(const Event& event) {
  switch (static_cast<EventKind>(event.kind)) {
    case kArrival:
      return OnArrival(static_cast<int32_t>(event.a));
    case kLatencyOver: {
      const CommunicatorId communicator(static_cast<int32_t>(event.a));
      Meeting& meeting = meetings_[static_cast<size_t>(event.a)];
      const CollectivePlan& plan = plans_[static_cast<size_t>(meeting.plan)];
      if (plan.loads->empty()) return OnTransferEnd(communicator);
      meeting.flow = network_->Start(plan.message, *plan.loads, plan.rate_cap, event.a);
      return;
    }
    case kTransferDone:
      return OnTransferEnd(CommunicatorId(static_cast<int32_t>(event.b)));
    case kSettle:
      settle_pending_ = false;
      return Settle();
  }
}

// The rank has come to its next collective: what it did ahead of the clock is now certain.
void World::OnArrival(int32_t rank) {
  RankSlot& slot = ranks_[static_cast<size_t>(rank)];
  ThreadCheckContext().rank = RankId(rank);
  slot.certain = slot.ahead;
  slot.event = EventHandle();
  if (slot.trace != nullptr) slot.trace->Commit();
  const RankArrival& arrival = slot.arrival;
  const Collective& collective = slot.executor->plan().program->collectives[CollectiveId(arrival.collective)];
  const CommunicatorId id = job_.communicator_of[static_cast<size_t>(rank)][static_cast<size_t>(collective.group.value())];
  slot.communicator_on[static_cast<size_t>(arrival.stream)] = id.value();
  MarkDirty(rank);
  Meeting& meeting = meetings_[static_cast<size_t>(id.value())];
  if (meeting.arrived == 0) {
    meeting.kind = collective.kind;
    meeting.bytes = collective.bytes;
    meeting.plan = PlanRow(id, collective);
  } else if (meeting.kind != collective.kind || meeting.bytes != collective.bytes) {
    failure_ = absl::FailedPreconditionError(absl::StrCat(
        "deadlock on communicator ", job_.communicators[id].name, ": rank ", rank, " calls ", Name(collective.kind), " of ",
        collective.bytes.count(), " bytes where others call ", Name(meeting.kind), " of ", meeting.bytes.count(), " bytes"));
    return simulator_.Stop();
  }
  if (++meeting.arrived == static_cast<int32_t>(job_.communicators[id].ranks.size())) OnTransferBegin(id);
}

void World::OnTransferBegin(CommunicatorId id) {
  Meeting& meeting = meetings_[static_cast<size_t>(id.value())];
  meeting.transfer_ps = simulator_.Now().picoseconds();
  for (const RankId rank : job_.communicators[id].ranks) {
    RankSlot& slot = ranks_[static_cast<size_t>(rank.value())];
    for (int stream = 0; stream < kMaxStreams; ++stream) {
      if (slot.communicator_on[static_cast<size_t>(stream)] == id.value()) slot.began_transfer |= static_cast<uint8_t>(1U << stream);
    }
    MarkDirty(rank.value());
  }
  const Event over{handler_, kLatencyOver, id.value(), 0};
  simulator_.After(plans_[static_cast<size_t>(meeting.plan)].latency, EventPriority::kCompletion, over);
}

void World::OnTransferEnd(CommunicatorId id) {
  Meeting& meeting = meetings_[static_cast<size_t>(id.value())];
  const Duration length = simulator_.Now() - Time::Picoseconds(meeting.transfer_ps);
  transfer_s_[static_cast<size_t>(meeting.plan)] += length.seconds();
  for (const RankId rank : job_.communicators[id].ranks) {
    RankSlot& slot = ranks_[static_cast<size_t>(rank.value())];
    for (int stream = 0; stream < kMaxStreams; ++stream) {
      if (slot.communicator_on[static_cast<size_t>(stream)] != id.value()) continue;
      slot.ended |= static_cast<uint8_t>(1U << stream);
      slot.communicator_on[static_cast<size_t>(stream)] = -1;
      NoteCollective(rank.value(), stream, meeting, id.value());
    }
    MarkDirty(rank.value());
  }
  meeting.arrived = 0;
  ++meeting.sequence;
}

void World::NoteCollective(int32_t rank, int stream, const Meeting& meeting, int32_t communicator) {
  RankSlot& slot = ranks_[static_cast<size_t>(rank)];
  if (slot.trace == nullptr) return;
  const StreamState& q = slot.certain.streams[static_cast<size_t>(stream)];
  const QueuedOp& op = slot.executor->plan().queues[static_cast<size_t>(stream)][static_cast<size_t>(q.index)];
  slot.trace->AddCollective(q.step, {stream, op.op, communicator, meeting.sequence, q.begin_ps, meeting.transfer_ps,
                                     simulator_.Now().picoseconds(), meeting.plan});
}

void World::MarkDirty(int32_t rank) {
  RankSlot& slot = ranks_[static_cast<size_t>(rank)];
  if (slot.event.valid()) {
    simulator_.Cancel(slot.event);
    slot.event = EventHandle();
  }
  if (slot.dirty) return;
  slot.dirty = true;
  dirty_.push_back(rank);
  if (settle_pending_) return;
  settle_pending_ = true;
  simulator_.At(simulator_.Now(), EventPriority::kStatistics, Event{handler_, kSettle, 0, 0});
}

// What is resident on the GPU from now on.
void World::SetFootprint(RankSlot* slot, Role* role) {
  Footprint footprint;
  for (int stream = 0; stream < kMaxStreams; ++stream) {
    const int32_t communicator = slot->communicator_on[static_cast<size_t>(stream)];
    if (communicator < 0) continue;
    const Meeting& meeting = meetings_[static_cast<size_t>(communicator)];
    const CollectivePlan& plan = plans_[static_cast<size_t>(meeting.plan)];
    footprint.channels += plan.channels;
    const bool all_there = meeting.arrived == static_cast<int32_t>(job_.communicators[CommunicatorId(communicator)].ranks.size());
    if (all_there) footprint.memory_traffic = footprint.memory_traffic + plan.idle_rate * plan.memory_traffic;
  }
  std::vector<FootprintClass>& classes = role->footprints;
  size_t row = 0;
  while (row < classes.size() && !(classes[row].footprint == footprint)) ++row;
  if (row == classes.size()) classes.push_back({footprint, Slowdowns(role->plan, footprint, role->gpu->memory_rate)});
  slot->next_footprint = static_cast<int32_t>(row);
}

// From the certain state to this instant, then what happened from outside, then ahead to the next collective.
void World::CatchUp(int32_t rank) {
  RankSlot& slot = ranks_[static_cast<size_t>(rank)];
  ThreadCheckContext() = {simulator_.Now(), RankId(rank)};
  if (slot.trace != nullptr) slot.trace->GoBack();
  slot.executor->RunTo(&slot.certain, &slot.tables, simulator_.Now().picoseconds(), slot.trace);
  for (int stream = 0; stream < kMaxStreams; ++stream) {
    if ((slot.began_transfer >> stream) & 1) ++slot.certain.transferring;
    if (((slot.ended >> stream) & 1) == 0) continue;
    --slot.certain.transferring;
    slot.executor->EndCollective(&slot.certain, stream);
  }
  slot.executor->LookAgain(&slot.certain);
  slot.began_transfer = slot.ended = 0;
  slot.certain.footprint = slot.next_footprint;
  if (slot.trace != nullptr) slot.trace->Commit();
  slot.ahead = slot.certain;
  slot.arrival = slot.executor->RunToArrival(&slot.ahead, &slot.tables, slot.trace);
  if (slot.arrival.at_ps < 0 && slot.executor->Finished(slot.ahead)) {
    slot.certain = slot.ahead;
    if (slot.trace != nullptr) slot.trace->Commit();
  }
}

// How far the first rank's compute stream has come.
void World::ReportProgress() {
  constexpr int64_t kEvery = 2000;  // events
  if (!options_.progress || simulator_.events_run() < next_report_) return;
  next_report_ = simulator_.events_run() + kEvery;
  const StreamState& compute = ranks_.front().certain.streams[0];
  const double whole = static_cast<double>(ranks_.front().executor->plan().queues[0].size());
  options_.progress((compute.step + compute.index / whole) / steps());
}

void World::Settle() {
  ReportProgress();
  std::sort(dirty_.begin(), dirty_.end());
  for (const int32_t rank : dirty_) {
    RankSlot& slot = ranks_[static_cast<size_t>(rank)];
    SetFootprint(&slot, &roles_[static_cast<size_t>(slot.role)]);
  }
  ParallelFor(dirty_.size(), options_.threads, [this](size_t i) { CatchUp(dirty_[i]); });
  for (const int32_t rank : dirty_) {
    RankSlot& slot = ranks_[static_cast<size_t>(rank)];
    slot.dirty = false;
    if (slot.arrival.at_ps < 0) continue;
    const Event event{handler_, kArrival, rank, 0};
    slot.event = simulator_.At(Time::Picoseconds(slot.arrival.at_ps), EventPriority::kArrival, event);
  }
  dirty_.clear();
}

absl::Status World::RunAll() {
  for (size_t rank = 0; rank < ranks_.size(); ++rank) {
    ranks_[rank].dirty = false;
    MarkDirty(static_cast<int32_t>(rank));
  }
  simulator_.Run();
  ThreadCheckContext() = {};
  SIM_RETURN_IF_ERROR(failure_);
  for (const RankSlot& slot : ranks_) {
    if (!slot.executor->Finished(slot.certain)) return DescribeStuck();
  }
  return absl::OkStatus();
}

absl::Status World::DescribeStuck() const {
  std::string text = absl::StrCat("the job cannot finish: nothing happens any more at ", simulator_.Now().seconds(), " s");
  int named = 0, stuck = 0;
  for (size_t rank = 0; rank < ranks_.size(); ++rank) {
    const RankSlot& slot = ranks_[rank];
    if (slot.executor->Finished(slot.certain)) continue;
    ++stuck;
    if (++named <= 4) absl::StrAppend(&text, "\n  rank ", rank, ": ", slot.executor->Describe(slot.certain));
  }
  absl::StrAppend(&text, "\n  ", stuck, " of ", ranks_.size(), " ranks wait");
  for (const FlowId flow : network_->Stalled()) {
    const Meeting& meeting = meetings_[static_cast<size_t>(network_->token(flow))];
    const LinkId link = network_->bottleneck(flow);
    absl::StrAppend(&text, "\n  a transfer of communicator ", job_.communicators[CommunicatorId(static_cast<int32_t>(network_->token(flow)))].name,
                    " (", Name(meeting.kind), ") does not move: no capacity",
                    link.valid() ? absl::StrCat(" on ", platform_->LinkName(link)) : "");
  }
  return absl::FailedPreconditionError(text);
}

}  // namespace stepsim::sim
