// Cards in pairs (0,1), (2,3) … joined by NVLink bridges; a card that is left over has none.
#include "topology/node/nvlink.h"
#include "topology/node/pcie_tree.h"

namespace stepsim::topology {

void BuildNvlinkBridgesNode(const NodeSpec& spec, const NodeParts& parts, NodeDesign* design, sim::Diagnostics* problems) {
  BuildPcieTree(spec, parts, design, problems);
  if (!ExpectNvlink(spec, parts, problems)) return;
  for (size_t i = 0; i + 1 < design->gpus.size(); i += 2) {
    design->graph.AddEdge(design->gpus[i], design->gpus[i + 1], NvlinkEdge(parts, parts.gpu.nvlink_links));
  }
}

}  // namespace stepsim::topology
