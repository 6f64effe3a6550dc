// The topology as a property graph: devices and switches are vertices, cables are edges that carry both directions.
// Built on Boost.Graph, which stays behind graph_bgl.h; the simulator sees only the flat sim::Platform (lower.h).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/platform/platform.h"

namespace stepsim::topology {

struct GraphVertex {
  sim::VertexKind kind = sim::VertexKind::kGpu;
  std::string name;
  int socket = -1;  // that the device belongs to; -1 for switches of the fabric and NVSwitches
};

// Of one direction; both directions are alike.
struct GraphEdge {
  sim::LinkKind kind = sim::LinkKind::kPcie;
  sim::BytesPerSecond capacity;
  double payload = 1.0;  // sim::Link::payload
  sim::Duration latency;
};

class Graph {
 public:
  Graph();
  ~Graph();
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;

  int AddVertex(GraphVertex vertex);
  int AddEdge(int a, int b, GraphEdge edge);

  int num_vertices() const;
  int num_edges() const;
  const GraphVertex& vertex(int id) const;
  const GraphEdge& edge(int id) const;
  // (a, b) as added. The directed edge a → b is number 2 · id, b → a is 2 · id + 1.
  std::pair<int, int> ends(int id) const;
  std::pair<int, int> directed_ends(int directed) const;

  // -1 if there is none of that name.
  int FindVertex(const std::string& name) const;

  // Connected component of every vertex, numbered from 0 in order of the first vertex.
  std::vector<int> Components() const;

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace stepsim::topology
