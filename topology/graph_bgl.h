// Boost.Graph behind Graph. Included by three sources only (graph.cc, routing/shortest_path.cc, routing/next_hops.cc):
// it is slow to compile.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <vector>

#include "topology/graph.h"

namespace stepsim::topology {

struct IndexedEdge : GraphEdge {
  int id = 0;
  int a = 0;
  int b = 0;
};

struct Graph::Impl {
  using Adjacency = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, GraphVertex, IndexedEdge>;
  using EdgeDescriptor = boost::graph_traits<Adjacency>::edge_descriptor;

  Adjacency adjacency;
  std::vector<EdgeDescriptor> edges;  // by id
};

}  // namespace stepsim::topology
