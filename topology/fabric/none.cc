#include "topology/fabric/fabric_builder.h"
#include "topology/position.h"

namespace stepsim::topology {

void BuildNoFabric(const FabricRequest& request, FabricDesign*, sim::Diagnostics* problems) {
  if (request.nodes == 1) return;
  problems->Add(PositionOf(request.spec->config, {"kind"}),
                absl::StrCat("disconnected fabric: ", request.nodes, " nodes and no fabric between them (fabric.kind)"));
}

}  // namespace stepsim::topology
