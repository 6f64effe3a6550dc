#include "topology/routing/shortest_path.h"

#include <algorithm>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/property_map/function_property_map.hpp>

#include "topology/graph_bgl.h"

namespace stepsim::topology {
namespace {

using Adjacency = Graph::Impl::Adjacency;
using EdgeDescriptor = Graph::Impl::EdgeDescriptor;

constexpr double kSocketCost = 1000.0;  // beyond any path within a socket

struct KindFilter {
  const Adjacency* adjacency = nullptr;
  LinkKinds kinds = 0;
  bool operator()(const EdgeDescriptor& edge) const { return (kinds & Only((*adjacency)[edge].kind)) != 0; }
};

// Notes the edge by which a vertex is reached, which a predecessor map cannot tell among parallel edges.
class ArrivalRecorder : public boost::default_dijkstra_visitor {
 public:
  explicit ArrivalRecorder(std::vector<int>* arriving) : arriving_(arriving) {}
  template <class FilteredGraph>
  void edge_relaxed(const EdgeDescriptor& edge, const FilteredGraph& graph) const {
    const IndexedEdge& properties = graph[edge];
    const auto target = static_cast<int>(boost::target(edge, graph));
    (*arriving_)[static_cast<size_t>(target)] = 2 * properties.id + (properties.b == target ? 0 : 1);
  }

 private:
  std::vector<int>* arriving_;
};

}  // namespace

ShortestPaths::ShortestPaths(const Graph& graph, int from, LinkKinds kinds)
    : graph_(graph), from_(from), arriving_(static_cast<size_t>(graph.num_vertices()), -1) {
  const Adjacency& adjacency = graph.impl().adjacency;
  const boost::filtered_graph<Adjacency, KindFilter> usable(adjacency, KindFilter{&adjacency, kinds});
  const auto cost = boost::make_function_property_map<EdgeDescriptor>([&adjacency](const EdgeDescriptor& edge) {
    return adjacency[edge].kind == sim::LinkKind::kSocket ? kSocketCost : 1.0;
  });
  std::vector<double> distance(arriving_.size());
  boost::dijkstra_shortest_paths(
      usable, static_cast<size_t>(from),
      boost::weight_map(cost)
          .distance_map(boost::make_iterator_property_map(distance.begin(), boost::get(boost::vertex_index, adjacency)))
          .visitor(ArrivalRecorder(&arriving_)));
}

std::optional<std::vector<int>> ShortestPaths::To(int to) const {
  std::vector<int> path;
  for (int at = to; at != from_; at = graph_.directed_ends(path.back()).first) {
    const int arriving = arriving_[static_cast<size_t>(at)];
    if (arriving < 0) return std::nullopt;
    path.push_back(arriving);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace stepsim::topology
