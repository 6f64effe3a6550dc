// Fabric builders draw the switches between nodes and say which leaf each NIC is cabled to. One row of FabricBuilders()
// per shape.
#pragma once

#include <vector>

#include "sim/base/registry.h"
#include "topology/fabric_spec.h"
#include "topology/graph.h"

namespace stepsim::topology {

// What a fabric has to carry.
struct FabricRequest {
  const FabricSpec* spec = nullptr;
  SwitchSpec switches;             // one model for all tiers
  int64_t nodes = 1;
  int64_t nics_per_node = 0;
  sim::BytesPerSecond nic_rate;
  double payload = 1.0;            // share of the protocol (configs/links)
};

struct FabricDesign {
  Graph graph;               // switches only, leaves first
  int num_leaves = 0;
  std::vector<int> leaf_of;  // by node · nics_per_node + nic; empty: no fabric
};

using FabricBuilder = void (*)(const FabricRequest&, FabricDesign*, sim::Diagnostics*);

const sim::Registry<FabricBuilder>& FabricBuilders();

void BuildNoFabric(const FabricRequest& request, FabricDesign* design, sim::Diagnostics* problems);
void BuildSingleSwitch(const FabricRequest& request, FabricDesign* design, sim::Diagnostics* problems);
void BuildLeafSpine(const FabricRequest& request, FabricDesign* design, sim::Diagnostics* problems);
void BuildRailOptimised(const FabricRequest& request, FabricDesign* design, sim::Diagnostics* problems);
void BuildFatTree(const FabricRequest& request, FabricDesign* design, sim::Diagnostics* problems);

// Builds the fabric of the request and checks what all shapes share: NICs there are, ports that exist and are fast enough,
// and a path between all NICs.
void BuildFabric(const FabricRequest& request, FabricDesign* design, sim::Diagnostics* problems);

}  // namespace stepsim::topology
