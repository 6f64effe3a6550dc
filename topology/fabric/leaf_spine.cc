// Nodes fill leaves in order, all NICs of a node on one leaf.
#include <algorithm>

#include "topology/fabric/clos.h"

namespace stepsim::topology {
namespace {

void BuildByNode(const FabricRequest& request, Tiers tiers, FabricDesign* design, sim::Diagnostics* problems) {
  if (request.nics_per_node == 0) return;
  const int64_t asked = NodesPerLeaf(request, request.nics_per_node, problems);
  if (asked == 0) return;
  const int64_t per_leaf = std::min(asked, request.nodes);
  AddLeaves((request.nodes + per_leaf - 1) / per_leaf, design);
  for (int64_t node = 0; node < request.nodes; ++node) {
    for (int64_t nic = 0; nic < request.nics_per_node; ++nic) design->leaf_of.push_back(static_cast<int>(node / per_leaf));
  }
  WireClos(request, Uplinks(request, per_leaf * request.nics_per_node), tiers, design, problems);
}

}  // namespace

void BuildLeafSpine(const FabricRequest& request, FabricDesign* design, sim::Diagnostics* problems) {
  BuildByNode(request, Tiers::kTwo, design, problems);
}

void BuildFatTree(const FabricRequest& request, FabricDesign* design, sim::Diagnostics* problems) {
  BuildByNode(request, Tiers::kThree, design, problems);
}

}  // namespace stepsim::topology
