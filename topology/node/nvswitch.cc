// HGX boards. The NVSwitches of a board are one vertex: every GPU spreads its links evenly over them and they do not
// block (2 links to each of 6 on A100, 4 or 5 to each of 4 on H100), so the GPU's own links are what binds.
#include "topology/node/nvlink.h"
#include "topology/node/pcie_tree.h"

namespace stepsim::topology {

void BuildNvswitchNode(const NodeSpec& spec, const NodeParts& parts, NodeDesign* design, sim::Diagnostics* problems) {
  BuildPcieTree(spec, parts, design, problems);
  if (!ExpectNvlink(spec, parts, problems)) return;
  const int nvswitch = design->graph.AddVertex({sim::VertexKind::kNvSwitch, "nvswitch", -1});
  for (const int gpu : design->gpus) design->graph.AddEdge(gpu, nvswitch, NvlinkEdge(parts, parts.gpu.nvlink_links));
}

}  // namespace stepsim::topology
