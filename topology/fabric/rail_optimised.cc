// NIC k of every node in a group of nodes_per_leaf nodes goes to leaf k of the group, so that GPUs of one rail meet after
// one switch (DGX SuperPOD: 32 nodes and 8 leaves a group).
#include <algorithm>

#include "topology/fabric/clos.h"

namespace stepsim::topology {

void BuildRailOptimised(const FabricRequest& request, FabricDesign* design, sim::Diagnostics* problems) {
  if (request.nics_per_node == 0) return;
  const int64_t asked = NodesPerLeaf(request, 1, problems);
  if (asked == 0) return;
  const int64_t group = std::min(asked, request.nodes);
  const int64_t rails = request.nics_per_node;
  AddLeaves((request.nodes + group - 1) / group * rails, design);
  for (int64_t node = 0; node < request.nodes; ++node) {
    for (int64_t rail = 0; rail < rails; ++rail) design->leaf_of.push_back(static_cast<int>(node / group * rails + rail));
  }
  WireClos(request, Uplinks(request, group), Tiers::kAsNeeded, design, problems);
}

}  // namespace stepsim::topology
