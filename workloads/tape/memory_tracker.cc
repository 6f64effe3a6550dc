#include "workloads/tape/memory_tracker.h"

#include "sim/base/check.h"

namespace stepsim::workloads {

void MemoryTracker::AddPersistent(sim::MemoryPart part, int64_t bytes) {
  SIM_CHECK(profile_.events.empty()) << "persistent memory must be there before the step";
  const auto index = static_cast<size_t>(part);
  profile_.persistent[index] += sim::Bytes(bytes);
  profile_.peak_parts[index] += sim::Bytes(bytes);
  profile_.peak += sim::Bytes(bytes);
  parts_[index] += bytes;
  live_ += bytes;
}

void MemoryTracker::Allocate(int64_t bytes, sim::MemoryPart part) {
  Record(bytes, part);
  if (live_ <= profile_.peak.count()) return;
  profile_.peak = sim::Bytes(live_);
  profile_.peak_op = static_cast<int32_t>(ops_->size());
  for (size_t i = 0; i < parts_.size(); ++i) profile_.peak_parts[i] = sim::Bytes(parts_[i]);
}

void MemoryTracker::Free(int64_t bytes, sim::MemoryPart part) { Record(-bytes, part); }

void MemoryTracker::Record(int64_t delta, sim::MemoryPart part) {
  if (delta == 0) return;
  live_ += delta;
  parts_[static_cast<size_t>(part)] += delta;
  profile_.events.push_back({static_cast<int32_t>(ops_->size()), delta, part});
}

}  // namespace stepsim::workloads
