// Shortest paths within a node.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/graph.h"

namespace stepsim::topology {

// A set of link kinds.
using LinkKinds = uint32_t;
constexpr LinkKinds Only(sim::LinkKind kind) { return 1u << static_cast<uint32_t>(kind); }

// Shortest paths from one vertex over edges of the given kinds (Dijkstra). A link between sockets costs more than any
// number of PCIe links, so a path crosses sockets only if it must; equal costs are decided by the order of the edges.
class ShortestPaths {
 public:
  ShortestPaths(const Graph& graph, int from, LinkKinds kinds);

  // Directed edges from the source to `to`; empty path to itself, nothing if it cannot be reached.
  std::optional<std::vector<int>> To(int to) const;

 private:
  const Graph& graph_;
  int from_;
  std::vector<int> arriving_;  // directed edge by which each vertex is reached; -1: not reached
};

}  // namespace stepsim::topology
