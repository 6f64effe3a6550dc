#include "topology/lower.h"

#include "topology/routing/next_hops.h"
#include "topology/routing/node_routes.h"

namespace stepsim::topology {
namespace {

using sim::LinkId;
using sim::VertexId;

class Lowering {
 public:
  Lowering(const ClusterSpec& spec, const NodeParts& parts, const NodeDesign& node, const FabricDesign& fabric, double payload)
      : spec_(spec), parts_(parts), node_(node), fabric_(fabric), payload_(payload) {}

  sim::PlatformData Run() {
    data_.name = spec_.name;
    data_.specs.push_back(parts_.gpu);
    AddNodeType();
    Reserve();
    for (int32_t i = 0; i < static_cast<int32_t>(spec_.nodes); ++i) AddNode(i);
    if (!fabric_.leaf_of.empty()) AddFabric();
    return std::move(data_);
  }

 private:
  void AddNodeType() {
    sim::NodeType type;
    type.name = spec_.node.name;
    type.cpu = spec_.node.cpu.vendor;
    type.pcie_peer_to_peer = spec_.node.pcie.peer_to_peer && parts_.gpu.pcie_peer_to_peer;
    // TCP sends from host memory.
    type.gpu_direct_rdma = spec_.node.gpu_direct && spec_.fabric.protocol != "ethernet";
    FillNodeRoutes(node_, spec_.node.pcie.host_bridges, &type);
    data_.node_types.push_back(std::move(type));
  }

  void Reserve() {
    const auto nodes = static_cast<size_t>(spec_.nodes);
    const Graph& switches = fabric_.graph;
    data_.nodes.reserve(nodes);
    data_.gpus.reserve(nodes * node_.gpus.size());
    data_.nics.reserve(nodes * node_.nics.size());
    data_.vertices.reserve(nodes * static_cast<size_t>(node_.graph.num_vertices()) + static_cast<size_t>(switches.num_vertices()));
    data_.links.reserve(nodes * 2 * (static_cast<size_t>(node_.graph.num_edges()) + node_.nics.size()) +
                        2 * static_cast<size_t>(switches.num_edges()));
  }

  // Adds both directions of an edge between vertices that start at first_vertex.
  void AddLinks(const Graph& graph, int edge_id, int32_t first_vertex) {
    const GraphEdge& edge = graph.edge(edge_id);
    const auto [a, b] = graph.ends(edge_id);
    AddPair(VertexId(first_vertex + a), VertexId(first_vertex + b), edge, edge.latency);
  }

  LinkId AddPair(VertexId from, VertexId to, const GraphEdge& edge, sim::Duration back_latency) {
    const LinkId up(static_cast<int32_t>(data_.links.size()));
    const LinkId down(up.value() + 1);
    data_.links.push_back({edge.kind, from, to, edge.capacity, edge.payload, edge.latency, down});
    data_.links.push_back({edge.kind, to, from, edge.capacity, edge.payload, back_latency, up});
    return up;
  }

  void AddNode(int32_t index) {
    const sim::NodeId id(index);
    sim::Node node;
    node.first_gpu = sim::GpuId(static_cast<int32_t>(data_.gpus.size()));
    node.first_nic = sim::NicId(static_cast<int32_t>(data_.nics.size()));
    node.first_link = LinkId(static_cast<int32_t>(data_.links.size()));
    node.first_vertex = VertexId(static_cast<int32_t>(data_.vertices.size()));
    const int32_t first_vertex = node.first_vertex.value();
    for (int v = 0; v < node_.graph.num_vertices(); ++v) {
      data_.vertices.push_back({node_.graph.vertex(v).kind, id, node_.graph.vertex(v).name});
    }
    for (int e = 0; e < node_.graph.num_edges(); ++e) AddLinks(node_.graph, e, first_vertex);
    for (size_t i = 0; i < node_.gpus.size(); ++i) {
      const int v = node_.gpus[i];
      data_.gpus.push_back({0, id, static_cast<int32_t>(i), VertexId(first_vertex + v), node_.graph.vertex(v).socket});
    }
    for (size_t i = 0; i < node_.nics.size(); ++i) {
      const int v = node_.nics[i];
      sim::Nic nic;
      nic.node = id;
      nic.local = static_cast<int32_t>(i);
      nic.vertex = VertexId(first_vertex + v);
      nic.socket = node_.graph.vertex(v).socket;
      nic.line_rate = parts_.nic.rate;
      data_.nics.push_back(nic);
    }
    data_.nodes.push_back(node);
  }

  void AddFabric() {
    sim::Fabric& fabric = data_.fabric;
    fabric.name = spec_.fabric.kind;
    fabric.protocol = spec_.fabric.protocol;
    fabric.num_switches = fabric_.graph.num_vertices();
    fabric.num_leaves = fabric_.num_leaves;
    const auto first_vertex = static_cast<int32_t>(data_.vertices.size());
    for (int v = 0; v < fabric.num_switches; ++v) {
      fabric.switch_vertex.push_back(data_.vertices.push_back({sim::VertexKind::kSwitch, sim::NodeId(), fabric_.graph.vertex(v).name}));
    }
    AttachNics(first_vertex);
    const auto first_link = static_cast<int32_t>(data_.links.size());
    for (int e = 0; e < fabric_.graph.num_edges(); ++e) AddLinks(fabric_.graph, e, first_vertex);
    NextHops hops = ComputeNextHops(fabric_.graph, fabric_.num_leaves);
    fabric.next.assign(hops.next.begin(), hops.next.end());
    for (const std::vector<int>& set : hops.sets) {
      std::vector<LinkId> links;
      links.reserve(set.size());
      for (const int directed : set) links.push_back(LinkId(first_link + directed));
      fabric.hop_sets.push_back(std::move(links));
    }
  }

  // The adapters' own latency is split between the two ends; a link into a switch carries the switch's forwarding time.
  void AttachNics(int32_t first_switch) {
    const sim::Duration adapter = parts_.nic.latency / 2 + spec_.fabric.cable_latency;
    for (size_t i = 0; i < data_.nics.size(); ++i) {
      sim::Nic& nic = data_.nics[sim::NicId(static_cast<int32_t>(i))];
      nic.leaf = fabric_.leaf_of[i];
      const GraphEdge edge{sim::LinkKind::kNic, nic.line_rate, payload_, adapter + spec_.fabric_switch.hop_latency};
      nic.up = AddPair(nic.vertex, VertexId(first_switch + nic.leaf), edge, adapter);
      nic.down = LinkId(nic.up.value() + 1);
    }
  }

  const ClusterSpec& spec_;
  const NodeParts& parts_;
  const NodeDesign& node_;
  const FabricDesign& fabric_;
  double payload_;
  sim::PlatformData data_;
};

}  // namespace

sim::PlatformData Lower(const ClusterSpec& spec, const NodeParts& parts, const NodeDesign& node, const FabricDesign& fabric,
                        double network_payload) {
  return Lowering(spec, parts, node, fabric, network_payload).Run();
}

}  // namespace stepsim::topology
