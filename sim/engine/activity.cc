#include "sim/engine/activity.h"

#include <algorithm>

#include "sim/base/check.h"

namespace stepsim::sim {
namespace {

constexpr int64_t kPicosecondsPerSecond = 1'000'000'000'000;

}  // namespace

ActivitySet::ActivitySet(Simulator* simulator, HandlerId handler, int32_t completion_kind)
    : simulator_(simulator), handler_(handler), completion_kind_(completion_kind) {}

ActivityId ActivitySet::Start(int64_t work, int64_t rate, int64_t token) {
  SIM_CHECK(work >= 0 && rate >= 0) << "work " << work << ", rate " << rate;
  if (free_.empty()) {
    free_.push_back(static_cast<int32_t>(rows_.size()));
    rows_.emplace_back();
  }
  const ActivityId id(free_.back());
  free_.pop_back();
  Row& row = rows_[static_cast<size_t>(id.value())];
  row = Row();
  row.left = Product(work, kPicosecondsPerSecond);
  row.work = work;
  row.rate = rate;
  row.token = token;
  row.since = simulator_->Now();
  row.live = true;
  ++size_;
  Schedule(id, &row);
  return id;
}

void ActivitySet::SetRate(ActivityId id, int64_t rate) {
  SIM_CHECK(rate >= 0) << "rate " << rate;
  Row& row = Get(id);
  if (row.rate == rate) return;
  row.left = LeftNow(row);
  row.since = simulator_->Now();
  row.rate = rate;
  if (row.completion.valid()) simulator_->Cancel(row.completion);
  Schedule(id, &row);
}

void ActivitySet::Remove(ActivityId id) {
  Row& row = Get(id);
  if (row.completion.valid()) simulator_->Cancel(row.completion);  // false, and harmless, when it has run
  row.live = false;
  free_.push_back(id.value());
  --size_;
}

int64_t ActivitySet::WorkDone(ActivityId id) const {
  const Row& row = Get(id);
  const Int128 left = LeftNow(row);
  return row.work - static_cast<int64_t>((left + kPicosecondsPerSecond - 1) / kPicosecondsPerSecond);
}

Time ActivitySet::CompletionTime(ActivityId id) const { return Get(id).end; }

std::vector<ActivityId> ActivitySet::Stalled() const {
  std::vector<ActivityId> stalled;
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].live && rows_[i].end == Time::Infinite()) stalled.emplace_back(static_cast<int32_t>(i));
  }
  return stalled;
}

const ActivitySet::Row& ActivitySet::Get(ActivityId id) const {
  SIM_CHECK(id.valid() && static_cast<size_t>(id.value()) < rows_.size() &&
            rows_[static_cast<size_t>(id.value())].live)
      << "no activity " << id.value();
  return rows_[static_cast<size_t>(id.value())];
}

Int128 ActivitySet::LeftNow(const Row& row) const {
  if (row.rate == kUnlimitedRate) return 0;
  const Int128 done = Product(row.rate, (simulator_->Now() - row.since).picoseconds());
  return std::max<Int128>(0, row.left - done);
}

void ActivitySet::Schedule(ActivityId id, Row* row) {
  row->completion = EventHandle();
  row->end = Time::Infinite();
  Int128 delay = 0;
  if (row->left > 0 && row->rate != kUnlimitedRate) {
    if (row->rate == 0) return;
    delay = (row->left + row->rate - 1) / row->rate;
  }
  // The last instant of the clock stands for never.
  if (delay >= (Time::Infinite() - row->since).picoseconds()) return;
  row->end = row->since + Duration::Picoseconds(static_cast<int64_t>(delay));
  const Event event{handler_, completion_kind_, id.value(), row->token};
  row->completion = simulator_->At(row->end, EventPriority::kCompletion, event);
}

}  // namespace stepsim::sim
