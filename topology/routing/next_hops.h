// ECMP next hops of a fabric: at every switch, the cables that lead nearer to a destination leaf.
#pragma once

#include <vector>

#include "topology/graph.h"

namespace stepsim::topology {

struct NextHops {
  // sets[next[switch * num_leaves + leaf]] are directed edges of the graph, in the order of the cables; -1: no path (or
  // the leaf itself). Equal sets are stored once.
  std::vector<int> next;
  std::vector<std::vector<int>> sets;
};

// Vertices are switches, the first num_leaves of them leaves. Shortest paths by hops: in a folded Clos these are the
// up-down paths, which have no loops and no cyclic buffer dependencies.
NextHops ComputeNextHops(const Graph& switches, int num_leaves);

}  // namespace stepsim::topology
