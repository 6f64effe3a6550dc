#include "sim/engine/simulator.h"

#include "sim/base/check.h"

namespace stepsim::sim {

HandlerId Simulator::AddHandler(EventHandler* handler) {
  SIM_CHECK(handler != nullptr);
  handlers_.push_back(handler);
  return HandlerId(static_cast<int32_t>(handlers_.size()) - 1);
}

EventHandle Simulator::At(Time time, EventPriority priority, const Event& event) {
  SIM_CHECK(time >= now_) << "event at " << time.picoseconds() << " ps is in the past of " << now_.picoseconds()
                          << " ps";
  SIM_CHECK(static_cast<size_t>(event.handler.value()) < handlers_.size()) << "event without a handler";
  return queue_.Push(time, priority, event);
}

EventHandle Simulator::After(Duration delay, EventPriority priority, const Event& event) {
  SIM_CHECK(delay <= Time::Infinite() - now_) << "event beyond the range of the clock";
  return At(now_ + delay, priority, event);
}

void Simulator::Run() { RunEvents(Time::Infinite()); }

void Simulator::RunUntil(Time limit) {
  SIM_CHECK(limit >= now_) << "the clock does not run backwards";
  RunEvents(limit);
  if (!stopped_) now_ = limit;
}

void Simulator::RunEvents(Time limit) {
  CheckContext& context = ThreadCheckContext();
  stopped_ = false;
  while (!stopped_ && !queue_.empty()) {
    const Time next = queue_.NextTime();
    if (next > limit) break;
    now_ = next;
    context.now = next;
    const Event event = queue_.Pop();
    ++events_run_;
    Deliver(event);
  }
}

}  // namespace stepsim::sim
