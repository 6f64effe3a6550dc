#include "topology/node/pcie_tree.h"
#include "topology/position.h"

namespace stepsim::topology {

void BuildPcieRootPortsNode(const NodeSpec& spec, const NodeParts& parts, NodeDesign* design, sim::Diagnostics* problems) {
  if (spec.num_switches() > 0) {
    problems->Add(PositionOf(spec.config, {"pcie", "switches"}),
                  "layout pcie-root-ports has no PCIe switches; expected layout pcie-switches");
    return;
  }
  BuildPcieTree(spec, parts, design, problems);
}

}  // namespace stepsim::topology
