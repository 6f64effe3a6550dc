// Every two GPUs joined directly, a GPU's links shared evenly among its peers: eight MI300X with seven Infinity Fabric
// links each (ROCm/rccl topo_8p_940.xml).
#include "topology/node/nvlink.h"
#include "topology/node/pcie_tree.h"

namespace stepsim::topology {

void BuildFullMeshNode(const NodeSpec& spec, const NodeParts& parts, NodeDesign* design, sim::Diagnostics* problems) {
  BuildPcieTree(spec, parts, design, problems);
  if (!ExpectNvlink(spec, parts, problems)) return;
  const int64_t peers = spec.num_gpus() - 1;
  if (peers <= 0) return;
  const int64_t links = parts.gpu.nvlink_links / peers;
  if (links == 0) {
    problems->Add(spec.gpu_model_position, absl::StrCat(parts.gpu.name, " has ", parts.gpu.nvlink_links,
                                                        " links, too few to reach ", peers, " peers directly"));
    return;
  }
  for (size_t i = 0; i < design->gpus.size(); ++i) {
    for (size_t j = 0; j < i; ++j) design->graph.AddEdge(design->gpus[j], design->gpus[i], NvlinkEdge(parts, links));
  }
}

}  // namespace stepsim::topology
