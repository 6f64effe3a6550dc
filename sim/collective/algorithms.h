// The algorithms, one accessor each; the table of names is in algorithms.cc.
#pragma once

#include "sim/collective/algorithm.h"

namespace stepsim::sim {

const CollectiveAlgorithm* Ring();
const CollectiveAlgorithm* PointToPoint();

}  // namespace stepsim::sim
