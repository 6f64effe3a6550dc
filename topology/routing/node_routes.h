// Routes within a node, as the tables of sim::NodeType.
#pragma once

#include "sim/platform/platform.h"
#include "topology/node/node_builder.h"

namespace stepsim::topology {

// Fills the routes and counts of `type`. Directed edges of the graph are the links of the node, in the same order.
void FillNodeRoutes(const NodeDesign& design, HostBridges host_bridges, sim::NodeType* type);

// Class of a path over PCIe and socket links, from the switches and sockets that it visits (nvidia-smi topo -m):
// no socket: PIX with at most one switch, else PXB; one socket: NODE, or PHB where the root ports of a socket share one
// host bridge; several: SYS.
sim::PathType ClassifyPath(const Graph& graph, const std::vector<int>& directed_edges, HostBridges host_bridges);

}  // namespace stepsim::topology
