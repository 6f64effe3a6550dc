// Loads of an algorithm as a plan states them: wire bytes in integer units, with the rate that an idle
// platform allows.
#pragma once

#include <memory>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/load_sum.h"
#include "sim/platform/link_load.h"
#include "sim/platform/platform.h"

namespace stepsim::sim {

struct PlanLoads {
  std::shared_ptr<const std::vector<LinkLoad>> loads;
  BytesPerSecond rate;  // message bytes/s of the slowest link, from the integer weights
  LinkId bottleneck;    // that link; the lowest id of equals
};

// wire_factor: bytes on the wire per payload byte that the protocol costs, beside the payload share of each
// link.
PlanLoads MakePlanLoads(const Platform& platform, const std::vector<LinkWeight>& links, double wire_factor);

// The same rate (message bytes/s) before weights are rounded, protocol Simple.
double RateOfLinks(const Platform& platform, const std::vector<LinkWeight>& links);

}  // namespace stepsim::sim
