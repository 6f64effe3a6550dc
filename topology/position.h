// Where a value stands in the user's file.
#pragma once

#include <initializer_list>
#include <string>

#include "sim/config/node.h"

namespace stepsim::topology {

// Position of node[path[0]][path[1]]…, or of the deepest part of that path which is written.
inline sim::SourcePosition PositionOf(const sim::ConfigNode& node, std::initializer_list<const char*> path) {
  sim::ConfigNode at = node;
  for (const char* key : path) {
    if (!at.is_mapping()) break;
    const sim::ConfigNode next = at[key];
    if (next.is_missing()) break;
    at = next;
  }
  return at.position();
}

}  // namespace stepsim::topology
