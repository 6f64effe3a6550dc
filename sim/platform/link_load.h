// What one unit of traffic puts on a directed link: the common language of collective plans and the network model.
#pragma once

#include <cstdint>

#include "sim/base/ids.h"

namespace stepsim::sim {

// Wire bytes on a link per byte of message, in 1/65536 (integer, so that sums do not depend on their order).
struct LinkLoad {
  LinkId link;
  int64_t weight = 0;
};
constexpr int64_t kLoadUnit = 65536;

}  // namespace stepsim::sim
