#include "topology/node/pcie_tree.h"
#include "topology/position.h"

namespace stepsim::topology {

void BuildPcieSwitchesNode(const NodeSpec& spec, const NodeParts& parts, NodeDesign* design, sim::Diagnostics* problems) {
  if (spec.num_switches() == 0) {
    problems->Add(PositionOf(spec.config, {"pcie", "switches"}), "layout pcie-switches needs pcie.switches of at least 1");
    return;
  }
  BuildPcieTree(spec, parts, design, problems);
}

}  // namespace stepsim::topology
