// The future-event list against a sorted list, on random operations.
#include <algorithm>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/engine/event_queue.h"

namespace stepsim::sim {
namespace {

struct Scheduled {
  int64_t time;
  int priority;
  int64_t name;
  EventHandle handle;
  auto Key() const { return std::tuple(time, priority); }
};

// Stable sort by (time, priority) of events in scheduling order is the law of the queue.
std::vector<int64_t> InOrder(std::vector<Scheduled> events) {
  std::stable_sort(events.begin(), events.end(),
                   [](const Scheduled& x, const Scheduled& y) { return x.Key() < y.Key(); });
  std::vector<int64_t> names;
  for (const Scheduled& event : events) names.push_back(event.name);
  return names;
}

Scheduled PushRandom(EventQueue* queue, RandomStream* random, int64_t earliest, int64_t name) {
  Scheduled event{earliest + static_cast<int64_t>(random->Below(20)), static_cast<int>(random->Below(5)), name, {}};
  event.handle = queue->Push(Time::Picoseconds(event.time), static_cast<EventPriority>(event.priority),
                             Event{HandlerId(0), 0, name, 0});
  return event;
}

TEST(EventQueueProperty, OrderIsThatOfAStableSort) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed, "event queue order");
    EventQueue queue;
    std::vector<Scheduled> scheduled;
    for (int64_t name = 0; name < 1000; ++name) scheduled.push_back(PushRandom(&queue, &random, 0, name));
    for (const int64_t name : InOrder(scheduled)) ASSERT_EQ(queue.Pop().a, name);
    EXPECT_TRUE(queue.empty());
  }
}

TEST(EventQueueProperty, InterleavedPushPopAndCancelFollowTheSortedList) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed, "event queue operations");
    EventQueue queue;
    std::vector<Scheduled> pending;
    int64_t now = 0;
    for (int64_t step = 0; step < 3000; ++step) {
      const uint64_t choice = random.Below(10);
      if (choice < 5 || pending.empty()) {
        pending.push_back(PushRandom(&queue, &random, now, step));
      } else if (choice < 8) {
        const size_t victim = random.Below(pending.size());
        ASSERT_TRUE(queue.Cancel(pending[victim].handle));
        pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(victim));
      } else {
        const int64_t expected = InOrder(pending).front();
        const auto next = std::find_if(pending.begin(), pending.end(), [&](const Scheduled& e) { return e.name == expected; });
        now = next->time;
        ASSERT_EQ(queue.NextTime(), Time::Picoseconds(now));
        ASSERT_EQ(queue.Pop().a, expected);
        ASSERT_FALSE(queue.Cancel(next->handle));
        pending.erase(next);
      }
      ASSERT_EQ(queue.size(), pending.size());
    }
    for (const int64_t name : InOrder(pending)) ASSERT_EQ(queue.Pop().a, name);
  }
}

}  // namespace
}  // namespace stepsim::sim
