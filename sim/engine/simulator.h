// The clock and the future-event list of one simulation. Nothing is global: any number of simulators may live side by
// side, one per thread. Not thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/event.h"
#include "sim/engine/event_queue.h"

namespace stepsim::sim {

class Simulator {
 public:
  // The handler must outlive the run; events name it by the id returned.
  HandlerId AddHandler(EventHandler* handler);

  Time Now() const { return now_; }

  // Schedules an event. One in the past, or beyond the clock's range, is our own fault (checked); the current instant is
  // allowed and runs after the events of this instant that are already due.
  EventHandle At(Time time, EventPriority priority, const Event& event);
  EventHandle After(Duration delay, EventPriority priority, const Event& event);

  // Hands an event to its handler within the current one: for a handler that passes on news of its own event.
  void Deliver(const Event& event) { handlers_[static_cast<size_t>(event.handler.value())]->OnEvent(event); }

  // False when the event has already run or been cancelled.
  bool Cancel(EventHandle handle) { return queue_.Cancel(handle); }

  // Runs until no event is left or Stop() is called.
  void Run();
  // Runs every event up to and including `limit`, then sets the clock to it (unless Stop() was called).
  void RunUntil(Time limit);
  // To be called by a handler: no event runs after the current one until Run or RunUntil is called again.
  void Stop() { stopped_ = true; }

  int64_t events_run() const { return events_run_; }
  size_t events_pending() const { return queue_.size(); }

 private:
  void RunEvents(Time limit);

  std::vector<EventHandler*> handlers_;
  EventQueue queue_;
  Time now_;
  int64_t events_run_ = 0;
  bool stopped_ = false;
};

}  // namespace stepsim::sim
