// The network between nodes as its YAML describes it (docs/clusters.md).
#pragma once

#include <string>

#include "sim/config/schema.h"
#include "topology/component.h"

namespace stepsim::topology {

struct FabricSpec {
  std::string kind = "none";       // name of a fabric builder
  std::string protocol = "roce";   // roce, infiniband, ethernet (TCP): row of configs/links
  int64_t nodes_per_leaf = 0;      // nodes whose NICs share a leaf (rail-optimised: a group of leaves); 0: all that fit
  double oversubscription = 1.0;   // rate towards the nodes over rate towards the spines, of a leaf
  double core_oversubscription = 1.0;  // likewise of a spine, where there is a third tier
  int64_t spines = -1;             // of a two-tier fabric; -1: the fewest that carry the uplinks
  sim::BytesPerSecond uplink_rate;  // of a cable between switches; 0: the NICs' rate
  sim::Duration cable_latency = sim::Duration::Nanoseconds(50);  // 10 m of fibre at 5 ns/m

  sim::ConfigNode switch_config;  // name in configs/switches or inline
  sim::ConfigNode config;         // what it was read from, for positions
};

const sim::Schema<FabricSpec>& FabricSchema();

}  // namespace stepsim::topology
