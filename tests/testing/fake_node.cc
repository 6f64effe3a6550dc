#include "tests/testing/fake_node.h"

#include <algorithm>

namespace stepsim::testing {
namespace {

using sim::LinkKind;
using sim::LocalRoute;
using sim::PathType;
using sim::VertexKind;

class Builder {
 public:
  explicit Builder(const FakeNodeOptions& options) : options_(options) {
    AddHost();
    AddGpus();
    AddNics();
    FillRoutes();
  }
  FakeNode Take() { return std::move(node_); }

 private:
  int AddVertex(VertexKind kind, const std::string& name) {
    node_.vertices.push_back({kind, name});
    return static_cast<int>(node_.vertices.size()) - 1;
  }
  // Both directions; returns a → b, b → a follows it.
  int AddLink(LinkKind kind, int a, int b, double gbps, double payload) {
    const int link = static_cast<int>(node_.links.size());
    node_.links.push_back({kind, a, b, gbps, payload, link + 1});
    node_.links.push_back({kind, b, a, gbps, payload, link});
    return link;
  }
  int AddPcie(int device, int upstream) {
    return AddLink(LinkKind::kPcie, device, upstream, options_.pcie_gbps, options_.pcie_payload);
  }

  void AddHost() {
    for (int s = 0; s < options_.sockets; ++s) {
      sockets_.push_back(AddVertex(VertexKind::kSocket, "cpu" + std::to_string(s)));
      const int memory = AddVertex(VertexKind::kMemory, "mem" + std::to_string(s));
      to_memory_.push_back(AddLink(LinkKind::kMemory, sockets_.back(), memory, options_.memory_gbps, 1));
    }
    between_.assign(sockets_.size() * sockets_.size(), -1);
    for (size_t a = 0; a < sockets_.size(); ++a) {
      for (size_t b = a + 1; b < sockets_.size(); ++b) {
        const int link = AddLink(LinkKind::kSocket, sockets_[a], sockets_[b], options_.socket_gbps, 1);
        between_[a * sockets_.size() + b] = link;
        between_[b * sockets_.size() + a] = link + 1;
      }
    }
  }

  int SocketOf(int gpu) const { return gpu * options_.sockets / options_.gpus; }

  void AddGpus() {
    if (options_.nvswitch) nvswitch_ = AddVertex(VertexKind::kNvSwitch, "nvswitch");
    for (int g = 0; g < options_.gpus; ++g) {
      if (options_.gpus_per_switch > 0 && g % options_.gpus_per_switch == 0) {
        switches_.push_back(AddVertex(VertexKind::kPcieSwitch, "sw" + std::to_string(switches_.size())));
        switch_up_.push_back(AddPcie(switches_.back(), Socket(SocketOf(g))));
      }
      node_.gpus.push_back(AddVertex(VertexKind::kGpu, "gpu" + std::to_string(g)));
      node_.gpu_socket.push_back(SocketOf(g));
      gpu_places_.push_back(Place(node_.gpus.back(), g));
      if (options_.nvswitch) {
        to_nvswitch_.push_back(AddLink(LinkKind::kNvlink, node_.gpus.back(), nvswitch_, options_.nvlink_gbps,
                                       options_.nvlink_payload));
      }
    }
  }

  void AddNics() {
    for (int n = 0; n < options_.nics; ++n) {
      const int beside = n * options_.gpus / options_.nics;
      node_.nics.push_back(AddVertex(VertexKind::kNic, "nic" + std::to_string(n)));
      node_.nic_socket.push_back(SocketOf(beside));
      nic_places_.push_back(Place(node_.nics.back(), beside));
    }
  }

  // Where a device hangs: its switch (-1: root port), its socket, and the links from it up to the socket.
  struct Site {
    int pcie_switch;
    int socket;
    std::vector<int> up;
  };
  Site Place(int vertex, int beside_gpu) {
    const int socket = SocketOf(beside_gpu);
    if (options_.gpus_per_switch == 0) return {-1, socket, {AddPcie(vertex, Socket(socket))}};
    const int at = beside_gpu / options_.gpus_per_switch;
    return {at,
            socket,
            {AddPcie(vertex, switches_[static_cast<size_t>(at)]), switch_up_[static_cast<size_t>(at)]}};
  }
  int Socket(int s) const { return sockets_[static_cast<size_t>(s)]; }
  int Between(int a, int b) const {
    return between_[static_cast<size_t>(a) * sockets_.size() + static_cast<size_t>(b)];
  }
  int Reverse(int link) const { return node_.links[static_cast<size_t>(link)].reverse; }

  // a → its socket → b's socket (→ DRAM → back) → b; under a common switch without the sockets unless staged.
  LocalRoute PcieRoute(const Site& a, const Site& b, bool staged) const {
    LocalRoute route;
    route.reachable = true;
    const bool same_switch = a.pcie_switch >= 0 && a.pcie_switch == b.pcie_switch;
    route.type = same_switch ? PathType::kPix : a.socket == b.socket ? PathType::kPhb : PathType::kSys;
    const size_t levels = same_switch && !staged ? 1 : a.up.size();
    for (size_t i = 0; i < levels; ++i) route.links.push_back(a.up[i]);
    if (a.socket != b.socket) route.links.push_back(Between(a.socket, b.socket));
    if (staged) {
      const int to_memory = to_memory_[static_cast<size_t>(b.socket)];
      route.links.push_back(to_memory);
      route.links.push_back(Reverse(to_memory));
    }
    for (size_t i = levels; i-- > 0;) route.links.push_back(Reverse(b.up[i]));
    return route;
  }

  LocalRoute HostRoute(const Site& gpu, bool to_host) const {
    LocalRoute route;
    route.reachable = true;
    route.type = PathType::kPhb;
    for (int link : gpu.up) route.links.push_back(link);
    route.links.push_back(to_memory_[static_cast<size_t>(gpu.socket)]);
    if (!to_host) {
      std::reverse(route.links.begin(), route.links.end());
      for (int32_t& link : route.links) link = Reverse(link);
    }
    return route;
  }

  LocalRoute GpuRoute(size_t a, size_t b) const {
    if (a == b) return {PathType::kLocal, true, {}};
    if (!options_.nvswitch) return PcieRoute(gpu_places_[a], gpu_places_[b], false);
    return {PathType::kNvlink, true, {to_nvswitch_[a], Reverse(to_nvswitch_[b])}};
  }

  void FillRoutes() {
    sim::NodeType& type = node_.type;
    type.num_gpus = options_.gpus;
    type.num_nics = options_.nics;
    type.num_sockets = options_.sockets;
    type.num_links = static_cast<int32_t>(node_.links.size());
    for (size_t a = 0; a < gpu_places_.size(); ++a) {
      for (size_t b = 0; b < gpu_places_.size(); ++b) {
        type.gpu_to_gpu.push_back(GpuRoute(a, b));
        type.gpu_to_gpu_staged.push_back(a == b ? GpuRoute(a, b)
                                                : PcieRoute(gpu_places_[a], gpu_places_[b], true));
      }
      for (const Site& nic : nic_places_) {
        type.gpu_to_nic.push_back(PcieRoute(gpu_places_[a], nic, false));
        type.nic_to_gpu.push_back(PcieRoute(nic, gpu_places_[a], false));
        type.gpu_to_nic_staged.push_back(PcieRoute(gpu_places_[a], nic, true));
        type.nic_to_gpu_staged.push_back(PcieRoute(nic, gpu_places_[a], true));
      }
      type.gpu_to_host.push_back(HostRoute(gpu_places_[a], true));
      type.host_to_gpu.push_back(HostRoute(gpu_places_[a], false));
    }
  }

  FakeNodeOptions options_;
  FakeNode node_;
  std::vector<int> sockets_, to_memory_, between_, switches_, switch_up_, to_nvswitch_;
  std::vector<Site> gpu_places_, nic_places_;
  int nvswitch_ = -1;
};

}  // namespace

FakeNode BuildFakeNode(const FakeNodeOptions& options) {
  return Builder(options).Take();
}

}  // namespace stepsim::testing
