// Bytes under way on the links of a platform. Latency is the caller's: a flow begins when its first byte moves.
#pragma once

#include <cstdint>
#include <limits>

#include "absl/types/span.h"
#include "sim/base/ids.h"
#include "sim/base/units.h"
#include "sim/platform/link_load.h"

namespace stepsim::sim {

using FlowId = Id<struct FlowTag>;

// One coupled transfer: a copy along a route, or a whole collective over all its links. It progresses at one rate in
// message bytes per second, and moves weight / 65536 wire bytes on each link per message byte.
struct FlowSpec {
  Bytes message;                    // ≥ 0
  absl::Span<const LinkLoad> loads;  // by increasing link, each once; copied; weight 0 loads nothing
  BytesPerSecond rate_cap = BytesPerSecond(std::numeric_limits<double>::infinity());  // message bytes per second
  int64_t token = 0;                // the caller's own, handed back at the end
  int64_t multiplicity = 1;         // so many identical flows; they end together
};

class NetworkModel {
 public:
  virtual ~NetworkModel() = default;

  // The end of the flow is an event (never within the call), which the model announces as it was told to when made.
  // The id is valid until then.
  virtual FlowId Start(const FlowSpec& flow) = 0;
  FlowId Start(Bytes message, absl::Span<const LinkLoad> loads, BytesPerSecond rate_cap, int64_t token) {
    return Start(FlowSpec{message, loads, rate_cap, token, 1});
  }

  // From now on the link has `factor` (≥ 0, finite) of the capacity that the platform gives it.
  virtual void ScaleCapacity(LinkId link, double factor) = 0;

  // Wire bytes that each link has carried since the run began. A window's share is the difference of two readings.
  virtual IdVector<LinkId, Bytes> Carried() = 0;
};

}  // namespace stepsim::sim
