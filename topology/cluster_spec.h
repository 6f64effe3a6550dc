// A cluster as its YAML describes it (docs/clusters.md): configs/clusters/<name>.yaml or inline in a scenario.
#pragma once

#include <string>

#include "sim/config/catalogue.h"
#include "topology/component.h"
#include "topology/fabric_spec.h"
#include "topology/node_spec.h"

namespace stepsim::topology {

struct Prices {
  double gpu_hour_usd = 0;  // rent or depreciation of one GPU with its share of the cluster; 0: unknown
};

struct ClusterSpec {
  std::string name;
  int64_t nodes = 1;
  std::string gpu;            // overrides the node's GPU model
  int64_t gpus_per_node = 0;  // only the first so many GPUs of each node exist; 0: all
  FabricSpec fabric;
  Prices prices;
  NodeSpec node;
  SwitchSpec fabric_switch;   // of fabric.switch

  sim::ConfigNode node_config;  // name in configs/nodes or inline
  sim::ConfigNode config;       // what it was read from, for positions
};

const sim::Schema<ClusterSpec>& ClusterSchema();

// Reads a cluster value (a name, a path or a mapping, with `base`) and what it names. Problems are added with position.
ClusterSpec ReadCluster(const sim::Catalogue& catalogue, const sim::ConfigNode& value, sim::Diagnostics* problems);

}  // namespace stepsim::topology
