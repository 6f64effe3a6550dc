#include "sim/collective/network_loads.h"

#include <algorithm>
#include <cstdint>

#include "sim/base/status.h"

namespace stepsim::sim {
namespace {

// Distinct for distinct (connection, from, to); Platform hashes it.
uint64_t FlowKey(int flow, NicId from, NicId to) {
  return (static_cast<uint64_t>(flow) << 48) ^ (static_cast<uint64_t>(from.value()) << 24) ^
         static_cast<uint64_t>(to.value());
}

}  // namespace

absl::StatusOr<double> NetworkLoads::Add(NicId from, NicId to, int rail, double weight) {
  const int flows = std::max(1, connections_) * std::max(1, qps_);
  double latency_us = 0;
  for (int i = 0; i < flows; ++i) {
    SIM_ASSIGN_OR_RETURN(const Route route,
                         platform_.NicToNic(from, to, FlowKey(rail * flows + i, from, to)));
    for (LinkId link : route.links) {
      sink_->push_back({.key = link, .weight = weight / flows});
      const Link& data = platform_.link(link);
      if (data.kind == LinkKind::kFabric) latency_us += data.latency.microseconds() / flows;
    }
  }
  return latency_us;
}

}  // namespace stepsim::sim
