#include "topology/fabric/clos.h"
#include "topology/position.h"

namespace stepsim::topology {

void BuildSingleSwitch(const FabricRequest& request, FabricDesign* design, sim::Diagnostics* problems) {
  const int64_t ports = request.nodes * request.nics_per_node;
  if (ports > request.switches.ports) {
    problems->Add(PositionOf(request.spec->config, {"switch"}),
                  absl::StrCat(request.nodes, " nodes with ", request.nics_per_node, " NICs need ", ports,
                               " ports; the switch has ", request.switches.ports));
    return;
  }
  AddLeaves(1, design);
  design->leaf_of.assign(static_cast<size_t>(ports), 0);
}

}  // namespace stepsim::topology
