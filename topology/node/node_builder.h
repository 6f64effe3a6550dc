// Node builders draw the graph of one server from its description. One row of NodeBuilders() per layout.
#pragma once

#include <vector>

#include "sim/base/registry.h"
#include "topology/component.h"
#include "topology/graph.h"
#include "topology/node_spec.h"

namespace stepsim::topology {

// Catalogue entries that a node is made of.
struct NodeParts {
  sim::GpuSpec gpu;
  NicSpec nic;                 // if there are NICs
  LinkSpec nvlink;             // if the GPU has NVLink
  std::vector<LinkSpec> pcie;  // by generation; only those that occur are filled
  LinkSpec socket;             // if there are several sockets
  LinkSpec memory;
};

// Problems are added at the place that names the missing part.
NodeParts LoadNodeParts(const sim::Catalogue& catalogue, const NodeSpec& spec, sim::Diagnostics* problems);

struct NodeDesign {
  Graph graph;
  std::vector<int> gpus;      // vertices, by local index
  std::vector<int> nics;
  std::vector<int> sockets;
  std::vector<int> memories;  // by socket
};

using NodeBuilder = void (*)(const NodeSpec&, const NodeParts&, NodeDesign*, sim::Diagnostics*);

const sim::Registry<NodeBuilder>& NodeBuilders();

void BuildNvswitchNode(const NodeSpec& spec, const NodeParts& parts, NodeDesign* design, sim::Diagnostics* problems);
void BuildPcieRootPortsNode(const NodeSpec& spec, const NodeParts& parts, NodeDesign* design, sim::Diagnostics* problems);
void BuildPcieSwitchesNode(const NodeSpec& spec, const NodeParts& parts, NodeDesign* design, sim::Diagnostics* problems);
void BuildNvlinkBridgesNode(const NodeSpec& spec, const NodeParts& parts, NodeDesign* design, sim::Diagnostics* problems);
void BuildFullMeshNode(const NodeSpec& spec, const NodeParts& parts, NodeDesign* design, sim::Diagnostics* problems);

}  // namespace stepsim::topology
