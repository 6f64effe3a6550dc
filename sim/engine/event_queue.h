// Future-event list ordered by (time, priority, sequence number): ties run in scheduling order.
//
// A 4-ary heap of 24-byte keys over a table of event slots (four children share two cache lines, and the tree is half as
// deep as a binary one: LaMarca and Ladner, "The influence of caches on the performance of heaps", 1996). Cancelling frees
// the slot at once and leaves a stale key, which is skipped when it surfaces; when stale keys outnumber live ones the
// heap is rebuilt, so Push, Pop and Cancel are O(log n) amortised and allocate only when the queue grows to a new maximum.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/event.h"

namespace stepsim::sim {

class EventQueue {
 public:
  // Times are ≥ 0 (checked).
  EventHandle Push(Time time, EventPriority priority, const Event& event);

  // False when the event has already run or been cancelled.
  bool Cancel(EventHandle handle);

  bool empty() const { return live_ == 0; }
  size_t size() const { return live_; }

  // Time of the next event; Time::Infinite() when empty.
  Time NextTime();

  // Removes the next event; must not be empty (checked).
  Event Pop();

 private:
  struct Key {
    int64_t time;
    uint64_t order;  // priority in the top byte, sequence number below
    uint32_t slot;
    uint32_t generation;
  };
  struct Slot {
    Event event;
    uint32_t generation = 0;
    uint32_t next_free = 0;
  };

  static bool Before(const Key& x, const Key& y) {
    return x.time != y.time ? x.time < y.time : x.order < y.order;
  }
  bool IsStale(const Key& key) const { return slots_[key.slot].generation != key.generation; }
  uint32_t TakeSlot();
  void FreeSlot(uint32_t slot);
  void RemoveTop();
  void SkipStale();
  void SiftUp(size_t hole, const Key& key);
  void SiftDown(size_t hole, const Key& key);
  void Compact();

  std::vector<Key> heap_;
  std::vector<Slot> slots_;
  uint32_t first_free_ = UINT32_MAX;
  uint64_t sequence_ = 0;
  size_t live_ = 0;
};

}  // namespace stepsim::sim
