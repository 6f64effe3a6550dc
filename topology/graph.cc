#include "topology/graph.h"

#include <boost/graph/connected_components.hpp>

#include "sim/base/check.h"
#include "topology/graph_bgl.h"

namespace stepsim::topology {

Graph::Graph() : impl_(std::make_unique<Impl>()) {}
Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

int Graph::AddVertex(GraphVertex vertex) {
  return static_cast<int>(boost::add_vertex(std::move(vertex), impl_->adjacency));
}

int Graph::AddEdge(int a, int b, GraphEdge edge) {
  SIM_CHECK(a >= 0 && a < num_vertices() && b >= 0 && b < num_vertices() && a != b) << "edge " << a << "-" << b;
  IndexedEdge indexed;
  static_cast<GraphEdge&>(indexed) = edge;
  indexed.id = num_edges();
  indexed.a = a;
  indexed.b = b;
  const auto added = boost::add_edge(static_cast<size_t>(a), static_cast<size_t>(b), indexed, impl_->adjacency);
  impl_->edges.push_back(added.first);
  return indexed.id;
}

int Graph::num_vertices() const { return static_cast<int>(boost::num_vertices(impl_->adjacency)); }

int Graph::num_edges() const { return static_cast<int>(impl_->edges.size()); }

const GraphVertex& Graph::vertex(int id) const { return impl_->adjacency[static_cast<size_t>(id)]; }

const GraphEdge& Graph::edge(int id) const { return impl_->adjacency[impl_->edges[static_cast<size_t>(id)]]; }

std::pair<int, int> Graph::ends(int id) const {
  const IndexedEdge& edge = impl_->adjacency[impl_->edges[static_cast<size_t>(id)]];
  return {edge.a, edge.b};
}

std::pair<int, int> Graph::directed_ends(int directed) const {
  const auto [a, b] = ends(directed / 2);
  return directed % 2 == 0 ? std::pair(a, b) : std::pair(b, a);
}

int Graph::FindVertex(const std::string& name) const {
  for (int i = 0; i < num_vertices(); ++i) {
    if (vertex(i).name == name) return i;
  }
  return -1;
}

std::vector<int> Graph::Components() const {
  std::vector<int> component(static_cast<size_t>(num_vertices()));
  if (component.empty()) return component;
  boost::connected_components(
      impl_->adjacency,
      boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, impl_->adjacency)));
  return component;
}

}  // namespace stepsim::topology
