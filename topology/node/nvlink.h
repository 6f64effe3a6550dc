// What the layouts with NVLink share.
#pragma once

#include "topology/node/node_builder.h"

namespace stepsim::topology {

// False, with a problem at the GPU's name, if the GPU has no NVLink (or Infinity Fabric).
bool ExpectNvlink(const NodeSpec& spec, const NodeParts& parts, sim::Diagnostics* problems);

// An edge of `links` of the GPU's links.
GraphEdge NvlinkEdge(const NodeParts& parts, int64_t links);

}  // namespace stepsim::topology
