#include "tests/testing/fake_platform.h"

#include <utility>

#include "sim/base/check.h"
#include "tests/testing/fake_node.h"

namespace stepsim::testing {
namespace {

using sim::BytesPerSecond;
using sim::LinkId;
using sim::VertexId;

constexpr double kGiga = 1e9;

// Copies the node template and joins the NICs by a fabric.
class ClusterBuilder {
 public:
  ClusterBuilder(const FakeNode& node, sim::GpuSpec gpu, const FabricOptions& fabric)
      : node_(node), fabric_(fabric) {
    data_.name = "fake";
    data_.specs.push_back(std::move(gpu));
    data_.node_types.push_back(node.type);
  }

  sim::PlatformData Build(int nodes) {
    for (int i = 0; i < nodes; ++i) AddNode(i);
    if (!node_.nics.empty()) AddFabric(nodes);
    return std::move(data_);
  }

 private:
  void AddNode(int index) {
    const sim::NodeId id(index);
    const auto first_vertex = static_cast<int32_t>(data_.vertices.size());
    const auto first_link = static_cast<int32_t>(data_.links.size());
    sim::Node node;
    node.type = 0;
    node.first_gpu = sim::GpuId(static_cast<int32_t>(data_.gpus.size()));
    node.first_nic = sim::NicId(static_cast<int32_t>(data_.nics.size()));
    node.first_vertex = VertexId(first_vertex);
    node.first_link = LinkId(first_link);
    data_.nodes.push_back(node);
    for (const FakeNode::Vertex& vertex : node_.vertices)
      data_.vertices.push_back({vertex.kind, id, vertex.name});
    for (const FakeNode::Link& link : node_.links) {
      data_.links.push_back({link.kind, VertexId(first_vertex + link.from), VertexId(first_vertex + link.to),
                             BytesPerSecond(link.gbps * kGiga), link.payload, sim::Duration(),
                             LinkId(first_link + link.reverse)});
    }
    for (size_t g = 0; g < node_.gpus.size(); ++g) {
      data_.gpus.push_back(
          {0, id, static_cast<int32_t>(g), VertexId(first_vertex + node_.gpus[g]), node_.gpu_socket[g]});
    }
    for (size_t n = 0; n < node_.nics.size(); ++n) {
      sim::Nic nic;
      nic.node = id;
      nic.local = static_cast<int32_t>(n);
      nic.vertex = VertexId(first_vertex + node_.nics[n]);
      nic.socket = node_.nic_socket[n];
      nic.line_rate = BytesPerSecond(fabric_.nic_gbps * kGiga);
      data_.nics.push_back(nic);
    }
  }

  LinkId AddCable(sim::LinkKind kind, VertexId a, VertexId b, double gbps, double payload,
                  sim::Duration latency) {
    const LinkId link(static_cast<int32_t>(data_.links.size()));
    const LinkId back(link.value() + 1);
    data_.links.push_back({kind, a, b, BytesPerSecond(gbps * kGiga), payload, latency, back});
    data_.links.push_back({kind, b, a, BytesPerSecond(gbps * kGiga), payload, latency, link});
    return link;
  }

  void AddFabric(int nodes) {
    sim::Fabric& fabric = data_.fabric;
    fabric.name = fabric_.spines > 0 ? "leaf-spine" : "single-switch";
    fabric.protocol = fabric_.protocol;
    fabric.num_leaves = fabric_.leaves;
    fabric.num_switches = fabric_.leaves + fabric_.spines;
    for (int s = 0; s < fabric.num_switches; ++s) {
      const bool leaf = s < fabric_.leaves;
      const std::string name =
          leaf ? "leaf" + std::to_string(s) : "spine" + std::to_string(s - fabric_.leaves);
      fabric.switch_vertex.push_back(
          data_.vertices.push_back({sim::VertexKind::kSwitch, sim::NodeId(), name}));
    }
    for (sim::Nic& nic : data_.nics) {
      nic.leaf = nic.node.value() * fabric_.leaves / nodes;
      nic.up = AddCable(sim::LinkKind::kNic, nic.vertex, fabric.switch_vertex[static_cast<size_t>(nic.leaf)],
                        fabric_.nic_gbps, fabric_.nic_payload, sim::Duration());
      nic.down = LinkId(nic.up.value() + 1);
    }
    JoinLeaves();
  }

  void JoinLeaves() {
    sim::Fabric& fabric = data_.fabric;
    const auto leaves = static_cast<size_t>(fabric.num_leaves);
    fabric.next.assign(static_cast<size_t>(fabric.num_switches) * leaves, -1);
    std::vector<std::vector<LinkId>> up(leaves);
    for (size_t leaf = 0; leaf < leaves; ++leaf) {
      for (size_t spine = leaves; spine < static_cast<size_t>(fabric.num_switches); ++spine) {
        const LinkId link =
            AddCable(sim::LinkKind::kFabric, fabric.switch_vertex[leaf], fabric.switch_vertex[spine],
                     fabric_.uplink_gbps, fabric_.nic_payload, fabric_.hop_latency);
        up[leaf].push_back(link);
        fabric.next[spine * leaves + leaf] = static_cast<int32_t>(fabric.hop_sets.size());
        fabric.hop_sets.push_back({LinkId(link.value() + 1)});
      }
    }
    for (size_t leaf = 0; leaf < leaves && fabric_.spines > 0; ++leaf) {
      for (size_t to = 0; to < leaves; ++to) {
        if (to != leaf) fabric.next[leaf * leaves + to] = static_cast<int32_t>(fabric.hop_sets.size());
      }
      fabric.hop_sets.push_back(up[leaf]);
    }
  }

  const FakeNode& node_;
  const FabricOptions& fabric_;
  sim::PlatformData data_;
};

// Raw x16 rate and the share that reaches payload.
void SetPcie(const sim::GpuSpec& gpu, FakeNodeOptions* node) {
  node->pcie_gbps = gpu.pcie_generation >= 5 ? 63.0 : 31.5;
  node->pcie_payload = (gpu.pcie_generation >= 5 ? 53.0 : 26.0) / node->pcie_gbps;
}

}  // namespace

sim::PlatformData NvSwitchCluster(const NvSwitchOptions& options) {
  FakeNodeOptions node;
  node.gpus = options.gpus;
  node.nics = options.nics;
  node.sockets = options.sockets;
  node.gpus_per_switch = options.nics > 0 && options.nics < options.gpus ? 2 : 1;
  node.nvswitch = true;
  node.nvlink_gbps = options.gpu.nvlink_rate.per_second() / kGiga;
  node.nvlink_payload = options.nvlink_payload;
  if (node.nvlink_payload == 0)
    node.nvlink_payload = options.gpu.compute_capability >= 9.0 ? 20.7 / 25 : 20.0 / 25;
  SetPcie(options.gpu, &node);
  const FakeNode built = BuildFakeNode(node);
  sim::PlatformData data = ClusterBuilder(built, options.gpu, options.fabric).Build(options.nodes);
  data.node_types[0].name = "fake-nvswitch";
  data.node_types[0].cpu = options.cpu;
  return data;
}

sim::PlatformData PcieCluster(const PcieOptions& options) {
  FakeNodeOptions node;
  node.gpus = options.gpus;
  node.nics = options.nics;
  node.sockets = options.sockets;
  node.gpus_per_switch = options.gpus_per_switch;
  node.socket_gbps = options.socket_gbps;
  SetPcie(options.gpu, &node);
  const FakeNode built = BuildFakeNode(node);
  sim::PlatformData data = ClusterBuilder(built, options.gpu, options.fabric).Build(options.nodes);
  data.node_types[0].name = "fake-pcie";
  data.node_types[0].cpu = options.cpu;
  data.node_types[0].pcie_peer_to_peer = options.peer_to_peer;
  data.node_types[0].gpu_direct_rdma = options.gpu_direct_rdma;
  return data;
}

std::shared_ptr<const sim::Platform> Freeze(sim::PlatformData data) {
  auto platform = sim::Platform::Create(std::move(data));
  SIM_CHECK(platform.ok()) << platform.status().ToString();
  return std::move(platform).value();
}

std::vector<sim::GpuId> Gpus(int count, int first, int stride) {
  std::vector<sim::GpuId> gpus;
  for (int i = 0; i < count; ++i) gpus.push_back(sim::GpuId(first + i * stride));
  return gpus;
}

}  // namespace stepsim::testing
