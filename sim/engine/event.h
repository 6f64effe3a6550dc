// What the future-event list holds: plain data that names its receiver, so that scheduling never allocates.
#pragma once

#include <cstdint>

#include "sim/base/ids.h"
#include "sim/base/units.h"

namespace stepsim::sim {

using HandlerId = Id<struct HandlerTag>;  // an EventHandler of one Simulator

// Order of events at the same instant; equal priorities run in the order in which they were scheduled.
enum class EventPriority : uint8_t {
  kResourceChange,  // first: whatever begins or ends at this instant must see the new capacities and clocks
  kCompletion,      // before arrivals: what ends gives back its share before newcomers ask for theirs
  kArrival,         // before rates: all that begins at this instant takes part in the same sharing
  kRateUpdate,      // after every begin and end, so that one solve serves them all
  kStatistics,      // last: samples see the state that holds from this instant on
};

// Meaning of kind, a and b is the handler's own.
struct Event {
  HandlerId handler;
  int32_t kind = 0;
  int64_t a = 0;
  int64_t b = 0;
};

class EventHandler {
 public:
  virtual ~EventHandler() = default;
  virtual void OnEvent(const Event& event) = 0;
};

// Names a scheduled event until it runs or is cancelled; afterwards it names nothing (and never another event).
struct EventHandle {
  uint32_t slot = UINT32_MAX;
  uint32_t generation = 0;
  bool valid() const { return slot != UINT32_MAX; }
};

}  // namespace stepsim::sim
