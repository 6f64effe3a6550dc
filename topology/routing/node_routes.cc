#include "topology/routing/node_routes.h"

#include "sim/base/check.h"
#include "topology/routing/shortest_path.h"

namespace stepsim::topology {
namespace {

using sim::LinkKind;
using sim::LocalRoute;
using sim::PathType;
using sim::VertexKind;

constexpr LinkKinds kHostLinks = Only(LinkKind::kPcie) | Only(LinkKind::kSocket);

class NodeRouter {
 public:
  NodeRouter(const NodeDesign& design, HostBridges host_bridges) : design_(design), host_bridges_(host_bridges) {
    for (int v = 0; v < design.graph.num_vertices(); ++v) {
      host_.emplace_back(design.graph, v, kHostLinks);
      nvlink_.emplace_back(design.graph, v, Only(LinkKind::kNvlink));
      memory_.emplace_back(design.graph, v, kHostLinks | Only(LinkKind::kMemory));
    }
  }

  // Over PCIe, and between sockets where needed.
  LocalRoute Direct(int from, int to) const {
    LocalRoute route;
    const auto path = host_[static_cast<size_t>(from)].To(to);
    if (!path) return route;
    route.reachable = true;
    route.type = from == to ? PathType::kLocal : ClassifyPath(design_.graph, *path, host_bridges_);
    Append(*path, &route);
    return route;
  }

  // NVLink straight or through NVSwitch, never through another GPU (NCCL's NVB is left out).
  LocalRoute GpuToGpu(int from, int to) const {
    const auto path = nvlink_[static_cast<size_t>(from)].To(to);
    if (from == to || !path || PassesGpu(*path)) return Direct(from, to);
    LocalRoute route;
    route.reachable = true;
    route.type = PathType::kNvlink;
    Append(*path, &route);
    return route;
  }

  // Written to the DRAM of `socket` and read back from it. Of the class of the direct path.
  LocalRoute Staged(int from, int to, int socket) const {
    const int memory = design_.memories[static_cast<size_t>(socket)];
    LocalRoute route = Direct(from, to);
    if (from == to || !route.reachable) return route;
    route.links.clear();
    Append(*memory_[static_cast<size_t>(from)].To(memory), &route);
    Append(*memory_[static_cast<size_t>(memory)].To(to), &route);
    return route;
  }

  LocalRoute ToMemory(int from, int memory) const { return WithMemory(from, memory, from, memory); }
  LocalRoute FromMemory(int memory, int to) const { return WithMemory(memory, to, to, memory); }
  int SocketOf(int vertex) const { return design_.graph.vertex(vertex).socket; }

 private:
  LocalRoute WithMemory(int from, int to, int device, int memory) const {
    const int socket = design_.sockets[static_cast<size_t>(SocketOf(memory))];
    LocalRoute route = Direct(device, socket);
    SIM_CHECK(route.reachable) << "a device without a way to its socket";
    route.type = PathType::kPhb;  // through the host bridge of its socket
    route.links.clear();
    Append(*memory_[static_cast<size_t>(from)].To(to), &route);
    return route;
  }

  bool PassesGpu(const std::vector<int>& path) const {
    for (size_t i = 0; i + 1 < path.size(); ++i) {
      const int via = design_.graph.directed_ends(path[i]).second;
      if (design_.graph.vertex(via).kind != VertexKind::kNvSwitch) return true;
    }
    return false;
  }

  static void Append(const std::vector<int>& path, LocalRoute* route) {
    for (const int edge : path) route->links.push_back(edge);
  }

  const NodeDesign& design_;
  HostBridges host_bridges_;
  std::vector<ShortestPaths> host_;
  std::vector<ShortestPaths> nvlink_;
  std::vector<ShortestPaths> memory_;
};

}  // namespace

PathType ClassifyPath(const Graph& graph, const std::vector<int>& directed_edges, HostBridges host_bridges) {
  int switches = 0;
  int sockets = 0;
  for (size_t i = 0; i + 1 < directed_edges.size(); ++i) {
    const VertexKind via = graph.vertex(graph.directed_ends(directed_edges[i]).second).kind;
    switches += via == VertexKind::kPcieSwitch ? 1 : 0;
    sockets += via == VertexKind::kSocket ? 1 : 0;
  }
  if (sockets > 1) return PathType::kSys;
  if (sockets == 1) return host_bridges == HostBridges::kShared ? PathType::kPhb : PathType::kNode;
  return switches <= 1 ? PathType::kPix : PathType::kPxb;
}

void FillNodeRoutes(const NodeDesign& design, HostBridges host_bridges, sim::NodeType* type) {
  const NodeRouter router(design, host_bridges);
  type->num_gpus = static_cast<int32_t>(design.gpus.size());
  type->num_nics = static_cast<int32_t>(design.nics.size());
  type->num_links = 2 * design.graph.num_edges();
  type->num_sockets = static_cast<int32_t>(design.sockets.size());
  for (const int from : design.gpus) {
    for (const int to : design.gpus) {
      type->gpu_to_gpu.push_back(router.GpuToGpu(from, to));
      type->gpu_to_gpu_staged.push_back(router.Staged(from, to, router.SocketOf(to)));
    }
    for (const int nic : design.nics) {
      const int socket = router.SocketOf(nic);
      type->gpu_to_nic.push_back(router.Direct(from, nic));
      type->nic_to_gpu.push_back(router.Direct(nic, from));
      type->gpu_to_nic_staged.push_back(router.Staged(from, nic, socket));
      type->nic_to_gpu_staged.push_back(router.Staged(nic, from, socket));
    }
    const int memory = design.memories[static_cast<size_t>(router.SocketOf(from))];
    type->gpu_to_host.push_back(router.ToMemory(from, memory));
    type->host_to_gpu.push_back(router.FromMemory(memory, from));
  }
}

}  // namespace stepsim::topology
