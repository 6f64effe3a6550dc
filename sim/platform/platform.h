// The machine, flat and immutable: GPUs, NICs, nodes, directed links and the routes over them. `topology` lowers a
// cluster description to it; `sim` simulates on it and never sees the graph it came from.
//
// Nodes of one type share their routes (a NodeType holds link indices relative to the node's first link), and the fabric
// holds next hops per (switch, destination leaf), so memory grows with devices, not with pairs of devices.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "sim/base/ids.h"
#include "sim/base/units.h"
#include "sim/platform/gpu_spec.h"

namespace stepsim::sim {

enum class LinkKind : uint8_t {
  kNvlink,  // GPU ↔ NVSwitch or GPU ↔ GPU bridge, all its lanes together
  kPcie,    // device ↔ PCIe switch or root port, switch ↔ root port
  kSocket,  // CPU ↔ CPU (UPI, xGMI)
  kMemory,  // CPU ↔ its DRAM
  kNic,     // NIC port ↔ leaf switch
  kFabric,  // switch ↔ switch
};
constexpr int kNumLinkKinds = 6;
const char* Name(LinkKind kind);

enum class VertexKind : uint8_t { kGpu, kNvSwitch, kPcieSwitch, kSocket, kMemory, kNic, kSwitch };

// Best to worst, as NCCL orders them and `nvidia-smi topo -m` prints them.
enum class PathType : uint8_t {
  kLocal,   // same device
  kNvlink,  // NV#
  kPix,     // at most one PCIe switch
  kPxb,     // several PCIe switches, no host bridge
  kPhb,     // through one PCIe host bridge (root complex) of a socket
  kNode,    // several host bridges within one NUMA node
  kSys,     // crosses the link between sockets
  kNet,     // through the network
};
const char* Name(PathType type);

struct Link {
  LinkKind kind = LinkKind::kPcie;
  VertexId from;
  VertexId to;
  BytesPerSecond capacity;  // raw rate, this direction
  // Share of the raw rate that NCCL-like traffic turns into payload (headers, flags, flow control). A transfer of B bytes
  // loads the link with B / payload (models/COLLECTIVES.md §1.1: "wire factor").
  double payload = 1.0;
  Duration latency;
  LinkId reverse;
};

struct Vertex {
  VertexKind kind = VertexKind::kGpu;
  NodeId node;       // none for switches of the fabric
  std::string name;  // within its node ("gpu3", "cpu1", "nvswitch") or of the fabric ("leaf2", "spine0")
};

struct Gpu {
  int32_t spec = 0;  // row of Platform::specs
  NodeId node;
  int32_t local = 0;  // index within the node
  VertexId vertex;
  int32_t socket = 0;
};

struct Nic {
  NodeId node;
  int32_t local = 0;
  VertexId vertex;
  int32_t socket = 0;
  BytesPerSecond line_rate;
  LinkId up;    // NIC → leaf; none when there is no fabric
  LinkId down;  // leaf → NIC
  int32_t leaf = -1;  // switch index in the fabric
};

enum class CpuVendor : uint8_t { kIntel, kAmd, kArm };

// A route within a node as indices relative to the node's first link.
struct LocalRoute {
  PathType type = PathType::kLocal;
  bool reachable = false;
  absl::InlinedVector<int32_t, 8> links;
};

// What all nodes of one kind share. Tables are row-major; [a * num_gpus + b] or [gpu * num_nics + nic].
struct NodeType {
  std::string name;
  int32_t num_gpus = 0;
  int32_t num_nics = 0;
  int32_t num_links = 0;
  int32_t num_sockets = 0;
  CpuVendor cpu = CpuVendor::kIntel;
  bool pcie_peer_to_peer = true;  // GPUs may copy directly over PCIe (driver and virtual machine allow it)
  bool gpu_direct_rdma = true;    // NICs may read GPU memory
  std::vector<LocalRoute> gpu_to_gpu;         // NVLink if there is any, else the PCIe path
  std::vector<LocalRoute> gpu_to_gpu_staged;  // through the DRAM of the receiver's socket: written, then read back
  std::vector<LocalRoute> gpu_to_nic;         // direct path
  std::vector<LocalRoute> nic_to_gpu;
  std::vector<LocalRoute> gpu_to_nic_staged;  // through the DRAM of the NIC's socket
  std::vector<LocalRoute> nic_to_gpu_staged;
  std::vector<LocalRoute> gpu_to_host;        // GPU → DRAM of its socket (one per GPU)
  std::vector<LocalRoute> host_to_gpu;
};

struct Node {
  int32_t type = 0;
  GpuId first_gpu;
  NicId first_nic;
  LinkId first_link;
  VertexId first_vertex;
};

// Switches of the fabric and their next hops: hop_sets[next[switch * num_leaves + leaf_index]] are the links (ECMP choices)
// that lead nearer to the leaf; set -1: unreachable.
struct Fabric {
  std::string name;      // "rail-optimised", "leaf-spine", …; empty: single node
  std::string protocol;  // "roce", "infiniband", "ethernet"
  int32_t num_switches = 0;
  int32_t num_leaves = 0;                // leaves are switches 0 … num_leaves - 1
  std::vector<VertexId> switch_vertex;   // by switch
  std::vector<int32_t> next;
  std::vector<std::vector<LinkId>> hop_sets;
};

struct Route {
  PathType type = PathType::kLocal;
  absl::InlinedVector<LinkId, 16> links;
};

struct PlatformData {
  std::string name;
  std::vector<GpuSpec> specs;
  std::vector<NodeType> node_types;
  IdVector<NodeId, Node> nodes;
  IdVector<GpuId, Gpu> gpus;
  IdVector<NicId, Nic> nics;
  IdVector<VertexId, Vertex> vertices;
  IdVector<LinkId, Link> links;
  Fabric fabric;
};

class Platform {
 public:
  // FailedPrecondition with the first inconsistency (a dangling id, a capacity ≤ 0, a missing reverse link).
  static absl::StatusOr<std::shared_ptr<const Platform>> Create(PlatformData data);

  const PlatformData& data() const { return data_; }
  const std::string& name() const { return data_.name; }
  int num_gpus() const { return static_cast<int>(data_.gpus.size()); }
  int num_nodes() const { return static_cast<int>(data_.nodes.size()); }
  int num_links() const { return static_cast<int>(data_.links.size()); }
  const Gpu& gpu(GpuId id) const { return data_.gpus[id]; }
  const Nic& nic(NicId id) const { return data_.nics[id]; }
  const Node& node(NodeId id) const { return data_.nodes[id]; }
  const NodeType& node_type(NodeId id) const { return data_.node_types[static_cast<size_t>(data_.nodes[id].type)]; }
  const GpuSpec& spec(GpuId id) const { return data_.specs[static_cast<size_t>(data_.gpus[id].spec)]; }
  const Link& link(LinkId id) const { return data_.links[id]; }
  const Fabric& fabric() const { return data_.fabric; }

  // "node3/gpu0→node3/cpu0", "leaf2→spine1".
  std::string LinkName(LinkId id) const;
  std::string VertexName(VertexId id) const;

  // Routes within a node; both ends on the same node (checked).
  Route GpuToGpu(GpuId from, GpuId to) const;
  Route GpuToGpuStaged(GpuId from, GpuId to) const;
  Route GpuToNic(GpuId from, NicId to) const;
  Route NicToGpu(NicId from, GpuId to) const;
  Route GpuToNicStaged(GpuId from, NicId to) const;
  Route NicToGpuStaged(NicId from, GpuId to) const;
  Route GpuToHost(GpuId from) const;
  Route HostToGpu(GpuId to) const;

  // NIC → leaf → … → leaf → NIC; among equal next hops the flow key picks one as ECMP's hash does (consecutive keys are
  // independent). NotFound when no path exists.
  absl::StatusOr<Route> NicToNic(NicId from, NicId to, uint64_t flow_key) const;

 private:
  explicit Platform(PlatformData data) : data_(std::move(data)) {}
  Route Local(NodeId node, const LocalRoute& route) const;
  PlatformData data_;
};

}  // namespace stepsim::sim
