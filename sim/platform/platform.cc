#include "sim/platform/platform.h"

#include <utility>

#include "sim/base/check.h"
#include "sim/base/status.h"
#include "sim/platform/platform_check.h"

namespace stepsim::sim {

const char* Name(LinkKind kind) {
  switch (kind) {
    case LinkKind::kNvlink: return "nvlink";
    case LinkKind::kPcie: return "pcie";
    case LinkKind::kSocket: return "socket";
    case LinkKind::kMemory: return "memory";
    case LinkKind::kNic: return "nic";
    case LinkKind::kFabric: return "fabric";
  }
  return "?";
}

const char* Name(PathType type) {
  switch (type) {
    case PathType::kLocal: return "X";
    case PathType::kNvlink: return "NV";
    case PathType::kPix: return "PIX";
    case PathType::kPxb: return "PXB";
    case PathType::kPhb: return "PHB";
    case PathType::kNode: return "NODE";
    case PathType::kSys: return "SYS";
    case PathType::kNet: return "NET";
  }
  return "?";
}

absl::StatusOr<std::shared_ptr<const Platform>> Platform::Create(PlatformData data) {
  SIM_RETURN_IF_ERROR(CheckPlatform(data));
  return std::shared_ptr<const Platform>(new Platform(std::move(data)));
}

std::string Platform::VertexName(VertexId id) const {
  const Vertex& vertex = data_.vertices[id];
  if (!vertex.node.valid()) return vertex.name;
  return absl::StrCat("node", vertex.node.value(), "/", vertex.name);
}

std::string Platform::LinkName(LinkId id) const {
  return absl::StrCat(VertexName(link(id).from), "→", VertexName(link(id).to));
}

Route Platform::Local(NodeId node_id, const LocalRoute& route) const {
  SIM_CHECK(route.reachable) << "no such route on node " << node_id.value();
  Route result{route.type, {}};
  const int32_t first = node(node_id).first_link.value();
  for (const int32_t link : route.links) result.links.push_back(LinkId(first + link));
  return result;
}

namespace {

// Row-major index of a pair of one node's devices.
size_t PairIndex(int32_t row, int32_t columns, int32_t column) {
  return static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column);
}

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): consecutive keys give independent bits, as the CRC hashes of
// switches do for consecutive UDP source ports.
uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

Route Platform::GpuToGpu(GpuId from, GpuId to) const {
  SIM_CHECK(gpu(from).node == gpu(to).node) << "GPUs of different nodes";
  const NodeType& type = node_type(gpu(from).node);
  return Local(gpu(from).node, type.gpu_to_gpu[PairIndex(gpu(from).local, type.num_gpus, gpu(to).local)]);
}

Route Platform::GpuToGpuStaged(GpuId from, GpuId to) const {
  SIM_CHECK(gpu(from).node == gpu(to).node) << "GPUs of different nodes";
  const NodeType& type = node_type(gpu(from).node);
  return Local(gpu(from).node, type.gpu_to_gpu_staged[PairIndex(gpu(from).local, type.num_gpus, gpu(to).local)]);
}

Route Platform::GpuToNic(GpuId from, NicId to) const {
  SIM_CHECK(gpu(from).node == nic(to).node) << "GPU and NIC of different nodes";
  const NodeType& type = node_type(gpu(from).node);
  return Local(gpu(from).node, type.gpu_to_nic[PairIndex(gpu(from).local, type.num_nics, nic(to).local)]);
}

Route Platform::NicToGpu(NicId from, GpuId to) const {
  SIM_CHECK(nic(from).node == gpu(to).node) << "NIC and GPU of different nodes";
  const NodeType& type = node_type(gpu(to).node);
  return Local(gpu(to).node, type.nic_to_gpu[PairIndex(gpu(to).local, type.num_nics, nic(from).local)]);
}

Route Platform::GpuToNicStaged(GpuId from, NicId to) const {
  SIM_CHECK(gpu(from).node == nic(to).node) << "GPU and NIC of different nodes";
  const NodeType& type = node_type(gpu(from).node);
  return Local(gpu(from).node, type.gpu_to_nic_staged[PairIndex(gpu(from).local, type.num_nics, nic(to).local)]);
}

Route Platform::NicToGpuStaged(NicId from, GpuId to) const {
  SIM_CHECK(nic(from).node == gpu(to).node) << "NIC and GPU of different nodes";
  const NodeType& type = node_type(gpu(to).node);
  return Local(gpu(to).node, type.nic_to_gpu_staged[PairIndex(gpu(to).local, type.num_nics, nic(from).local)]);
}

Route Platform::GpuToHost(GpuId from) const {
  return Local(gpu(from).node, node_type(gpu(from).node).gpu_to_host[static_cast<size_t>(gpu(from).local)]);
}

Route Platform::HostToGpu(GpuId to) const {
  return Local(gpu(to).node, node_type(gpu(to).node).host_to_gpu[static_cast<size_t>(gpu(to).local)]);
}

absl::StatusOr<Route> Platform::NicToNic(NicId from, NicId to, uint64_t flow_key) const {
  absl::StatusOr<Route> route(absl::in_place);
  if (from == to) return route;
  route->type = PathType::kNet;
  const Nic& source = nic(from);
  const Nic& target = nic(to);
  if (!source.up.valid() || !target.down.valid()) {
    route = absl::NotFoundError(absl::StrCat(VertexName(source.vertex), " and ", VertexName(target.vertex),
                                             " are not joined by a fabric"));
    return route;
  }
  route->links.push_back(source.up);
  const Fabric& fabric = data_.fabric;
  int32_t at = source.leaf;
  // Each hop leads nearer to the leaf, so a path never visits a switch twice.
  for (int32_t hops = 0; at != target.leaf; ++hops) {
    SIM_CHECK(hops < fabric.num_switches) << "next hops of the fabric form a loop at switch " << at;
    const int32_t set = fabric.next[PairIndex(at, fabric.num_leaves, target.leaf)];
    if (set < 0) {
      route = absl::NotFoundError(absl::StrCat("no path from ", VertexName(source.vertex), " to ",
                                               VertexName(target.vertex), " through the fabric"));
      return route;
    }
    const std::vector<LinkId>& choices = fabric.hop_sets[static_cast<size_t>(set)];
    const uint64_t hash = Mix(Mix(flow_key) ^ static_cast<uint64_t>(at));
    const LinkId link_id = choices[static_cast<size_t>(hash % choices.size())];
    route->links.push_back(link_id);
    at = link(link_id).to.value() - fabric.switch_vertex[0].value();  // contiguous (checked by Create)
  }
  route->links.push_back(target.down);
  return route;
}

}  // namespace stepsim::sim
