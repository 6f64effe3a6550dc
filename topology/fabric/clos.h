// Folded Clos wiring above the leaves: the part that leaf-spine, rail-optimised and fat-tree fabrics share.
#pragma once

#include <vector>

#include "topology/fabric/fabric_builder.h"

namespace stepsim::topology {

// Adds `count` leaves.
void AddLeaves(int64_t count, FabricDesign* design);

// Nodes that share a leaf (or a group of rails): as asked for, else as many as fit. 0 with a problem if `nics_per_leaf_node`
// NICs of so many nodes leave no room for the uplinks of the asked oversubscription.
int64_t NodesPerLeaf(const FabricRequest& request, int64_t nics_per_leaf_node, sim::Diagnostics* problems);

// Uplinks of a leaf with `down` NICs: down · NIC rate / (oversubscription · uplink rate), rounded up.
int64_t Uplinks(const FabricRequest& request, int64_t down);

enum class Tiers { kTwo, kThree, kAsNeeded };

// Joins the leaves.
// Two tiers: the fewest spines with ports for all uplinks whose number divides the uplinks of a leaf, so that every
// leaf-spine pair has the same number of cables (DGX SuperPOD H100: 8, 16, 24, 32 leaves give 4, 8, 16, 16 spines).
// Three tiers: pods of ports/2 leaves with one spine per uplink; spine j of all pods shares core group j, whose size is
// what the uplinks of the spines need (DGX SuperPOD B200: 128 leaves give 128 spines and 64 cores).
void WireClos(const FabricRequest& request, int64_t uplinks, Tiers tiers, FabricDesign* design, sim::Diagnostics* problems);

}  // namespace stepsim::topology
