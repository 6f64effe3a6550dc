#include "topology/node/nvlink.h"

namespace stepsim::topology {

bool ExpectNvlink(const NodeSpec& spec, const NodeParts& parts, sim::Diagnostics* problems) {
  if (parts.gpu.nvlink_links > 0) return true;
  problems->Add(spec.gpu_model_position, absl::StrCat("layout ", spec.layout, " needs a GPU with NVLink; ",
                                                      parts.gpu.name, " has none (layouts pcie-root-ports, pcie-switches)"));
  return false;
}

GraphEdge NvlinkEdge(const NodeParts& parts, int64_t links) { return parts.nvlink.Edge(links); }

}  // namespace stepsim::topology
