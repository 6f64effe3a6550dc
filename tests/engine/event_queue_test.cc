#include "sim/engine/event_queue.h"

#include <algorithm>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stepsim::sim {
namespace {

using ::testing::ElementsAre;

EventHandle Push(EventQueue* queue, int64_t ps, EventPriority priority, int64_t name) {
  return queue->Push(Time::Picoseconds(ps), priority, Event{HandlerId(0), 0, name, 0});
}

std::vector<int64_t> Drain(EventQueue* queue) {
  std::vector<int64_t> names;
  while (!queue->empty()) names.push_back(queue->Pop().a);
  return names;
}

TEST(EventQueueTest, RunsInOrderOfTime) {
  EventQueue queue;
  for (const int64_t ps : {30, 10, 50, 20, 40, 0}) Push(&queue, ps, EventPriority::kArrival, ps);
  EXPECT_THAT(Drain(&queue), ElementsAre(0, 10, 20, 30, 40, 50));
}

TEST(EventQueueTest, AtOneInstantPriorityDecides) {
  EventQueue queue;
  Push(&queue, 7, EventPriority::kStatistics, 4);
  Push(&queue, 7, EventPriority::kRateUpdate, 3);
  Push(&queue, 7, EventPriority::kArrival, 2);
  Push(&queue, 7, EventPriority::kCompletion, 1);
  Push(&queue, 7, EventPriority::kResourceChange, 0);
  Push(&queue, 6, EventPriority::kStatistics, -1);
  EXPECT_THAT(Drain(&queue), ElementsAre(-1, 0, 1, 2, 3, 4));
}

TEST(EventQueueTest, TiesRunInSchedulingOrder) {
  EventQueue queue;
  for (int64_t name = 0; name < 100; ++name) Push(&queue, 5, EventPriority::kArrival, name);
  for (int64_t name = 0; name < 100; ++name) EXPECT_EQ(queue.Pop().a, name);
}

TEST(EventQueueTest, CancelledEventDoesNotRun) {
  EventQueue queue;
  Push(&queue, 1, EventPriority::kArrival, 1);
  const EventHandle second = Push(&queue, 2, EventPriority::kArrival, 2);
  Push(&queue, 3, EventPriority::kArrival, 3);
  EXPECT_TRUE(queue.Cancel(second));
  EXPECT_EQ(queue.size(), 2u);
  EXPECT_THAT(Drain(&queue), ElementsAre(1, 3));
}

TEST(EventQueueTest, NextTimePassesOverCancelledEvents) {
  EventQueue queue;
  const EventHandle first = Push(&queue, 1, EventPriority::kArrival, 1);
  Push(&queue, 9, EventPriority::kArrival, 9);
  EXPECT_EQ(queue.NextTime(), Time::Picoseconds(1));
  queue.Cancel(first);
  EXPECT_EQ(queue.NextTime(), Time::Picoseconds(9));
  queue.Pop();
  EXPECT_EQ(queue.NextTime(), Time::Infinite());
}

TEST(EventQueueTest, HandleNamesNoOtherEventThatTookItsSlot) {
  EventQueue queue;
  const EventHandle old = Push(&queue, 1, EventPriority::kArrival, 1);
  EXPECT_TRUE(queue.Cancel(old));
  EXPECT_FALSE(queue.Cancel(old));
  const EventHandle reused = Push(&queue, 2, EventPriority::kArrival, 2);
  EXPECT_EQ(reused.slot, old.slot);
  EXPECT_FALSE(queue.Cancel(old));
  EXPECT_THAT(Drain(&queue), ElementsAre(2));
  EXPECT_FALSE(queue.Cancel(reused));  // has run
  EXPECT_FALSE(queue.Cancel(EventHandle()));
}

TEST(EventQueueTest, MassCancellationKeepsOrder) {
  EventQueue queue;
  std::vector<EventHandle> handles;
  for (int64_t i = 0; i < 1000; ++i) handles.push_back(Push(&queue, (i * 37) % 1000, EventPriority::kArrival, (i * 37) % 1000));
  for (size_t i = 0; i < 1000; ++i) {
    if (i % 10 == 0) continue;
    EXPECT_TRUE(queue.Cancel(handles[i]));
  }
  const std::vector<int64_t> left = Drain(&queue);
  EXPECT_EQ(left.size(), 100u);
  EXPECT_TRUE(std::is_sorted(left.begin(), left.end()));
}

}  // namespace
}  // namespace stepsim::sim
