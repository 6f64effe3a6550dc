// Flattens the graphs of a node and of a fabric into the simulator's platform.
#pragma once

#include "topology/cluster_spec.h"
#include "topology/fabric/fabric_builder.h"
#include "topology/node/node_builder.h"

namespace stepsim::topology {

// All nodes are alike. Order of vertices and links: node by node as in the node's graph (directed edge = link), then the
// switches, the NICs' links (up, down), and the cables between switches.
sim::PlatformData Lower(const ClusterSpec& spec, const NodeParts& parts, const NodeDesign& node, const FabricDesign& fabric,
                        double network_payload);

}  // namespace stepsim::topology
