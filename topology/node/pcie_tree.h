// The part that all servers share: sockets with their DRAM, the links between sockets, PCIe switches, and GPUs and NICs
// under switches or root ports.
#pragma once

#include "topology/node/node_builder.h"

namespace stepsim::topology {

// Vertices are named cpu0, mem0, sw0, gpu0, nic0 … unless placed by hand. Sockets are joined pairwise, as NCCL assumes
// (src/graph/topo.cc). Default places spread evenly: switch s on socket s · sockets / switches, GPU g under switch
// g · switches / gpus, NIC n beside GPU n · gpus / nics.
void BuildPcieTree(const NodeSpec& spec, const NodeParts& parts, NodeDesign* design, sim::Diagnostics* problems);

}  // namespace stepsim::topology
