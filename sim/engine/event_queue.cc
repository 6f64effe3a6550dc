#include "sim/engine/event_queue.h"

#include <algorithm>

#include "sim/base/check.h"

namespace stepsim::sim {
namespace {

constexpr size_t kArity = 4;
constexpr int kSequenceBits = 56;
constexpr size_t kMinStale = 64;  // fewer are not worth a rebuild

}  // namespace

EventHandle EventQueue::Push(Time time, EventPriority priority, const Event& event) {
  SIM_CHECK(time >= Time()) << "event before the start of time";
  const uint32_t slot = TakeSlot();
  slots_[slot].event = event;
  const uint64_t order = (static_cast<uint64_t>(priority) << kSequenceBits) | sequence_++;
  const Key key{time.picoseconds(), order, slot, slots_[slot].generation};
  heap_.emplace_back();
  SiftUp(heap_.size() - 1, key);
  ++live_;
  return EventHandle{slot, key.generation};
}

bool EventQueue::Cancel(EventHandle handle) {
  if (handle.slot >= slots_.size() || slots_[handle.slot].generation != handle.generation) return false;
  FreeSlot(handle.slot);
  --live_;
  const size_t stale = heap_.size() - live_;
  if (stale > kMinStale && stale > live_) Compact();
  return true;
}

Time EventQueue::NextTime() {
  SkipStale();
  return heap_.empty() ? Time::Infinite() : Time::Picoseconds(heap_.front().time);
}

Event EventQueue::Pop() {
  SkipStale();
  SIM_CHECK(!heap_.empty()) << "no event left";
  const uint32_t slot = heap_.front().slot;
  const Event event = slots_[slot].event;
  FreeSlot(slot);
  RemoveTop();
  --live_;
  return event;
}

uint32_t EventQueue::TakeSlot() {
  if (first_free_ == UINT32_MAX) {
    slots_.emplace_back();
    return static_cast<uint32_t>(slots_.size() - 1);
  }
  const uint32_t slot = first_free_;
  first_free_ = slots_[slot].next_free;
  return slot;
}

// The new generation makes handles and keys of the old event stale.
void EventQueue::FreeSlot(uint32_t slot) {
  ++slots_[slot].generation;
  slots_[slot].next_free = first_free_;
  first_free_ = slot;
}

void EventQueue::RemoveTop() {
  const Key last = heap_.back();
  heap_.pop_back();
  if (!heap_.empty()) SiftDown(0, last);
}

void EventQueue::SkipStale() {
  while (!heap_.empty() && IsStale(heap_.front())) RemoveTop();
}

void EventQueue::SiftUp(size_t hole, const Key& key) {
  while (hole > 0) {
    const size_t parent = (hole - 1) / kArity;
    if (!Before(key, heap_[parent])) break;
    heap_[hole] = heap_[parent];
    hole = parent;
  }
  heap_[hole] = key;
}

void EventQueue::SiftDown(size_t hole, const Key& key) {
  const size_t size = heap_.size();
  for (;;) {
    const size_t first = hole * kArity + 1;
    if (first >= size) break;
    size_t best = first;
    const size_t end = std::min(first + kArity, size);
    for (size_t child = first + 1; child < end; ++child) {
      if (Before(heap_[child], heap_[best])) best = child;
    }
    if (!Before(heap_[best], key)) break;
    heap_[hole] = heap_[best];
    hole = best;
  }
  heap_[hole] = key;
}

void EventQueue::Compact() {
  heap_.erase(std::remove_if(heap_.begin(), heap_.end(), [this](const Key& key) { return IsStale(key); }),
              heap_.end());
  if (heap_.size() < 2) return;
  for (size_t i = (heap_.size() - 2) / kArity + 1; i-- > 0;) SiftDown(i, Key(heap_[i]));
}

}  // namespace stepsim::sim
