// How NCCL moves bytes between two GPUs of a node, and between a GPU and a NIC (src/graph/paths.cc,
// transport/*.cc): over NVLink, directly over PCIe up to PXB, through shared host memory otherwise; to the
// NIC with GPUDirect up to PXB, through the GPU that is near it (PXN), or through host memory.
#pragma once

#include <cstdint>
#include <limits>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "sim/collective/parameters.h"
#include "sim/platform/platform.h"

namespace stepsim::sim {

// What slows traffic through a GPU's PCIe port below the port's own rate.
enum class PortLimit : uint8_t {
  kNone,
  kStaged,
  kStagedAcrossSockets,
  kRootComplex,
  kRootComplexAcrossSockets
};
inline bool IsStaged(PortLimit limit) {
  return limit == PortLimit::kStaged || limit == PortLimit::kStagedAcrossSockets;
}
const char* Name(PortLimit limit);  // for people: "host-staged hop across sockets"

// Payload bytes/s through a port whose own payload rate is `pcie`; infinite for kNone.
double LimitedRate(PortLimit limit, double pcie);

// One transfer within a node. Links are relative to the node's first link; `limit` holds for the ports named.
struct Leg {
  PathType path = PathType::kLocal;
  PortLimit limit = PortLimit::kNone;
  bool limits_first = false;  // the first link is a limited GPU port
  bool limits_last = false;
  absl::InlinedVector<int32_t, 16> links;
};

// The GPUs of a group that sit on one node, by local index; NCCL sees no others.
struct NodeScope {
  const Platform* platform;
  NodeId node;
  int num_members;  // GPUs of the group on the node

  const NodeType& type() const { return platform->node_type(node); }
  const GpuSpec& spec(int32_t gpu) const {
    return platform->spec(GpuId(platform->node(node).first_gpu.value() + gpu));
  }
};

// FailedPrecondition, naming both ends, when the node has no such route.
absl::StatusOr<Leg> GpuToGpuLeg(const NodeScope& scope, int32_t from, int32_t to);
// home: the GPU nearest to the NIC, through which `gpu` goes if NVLink joins them and its own path is worse
// than PXB.
absl::StatusOr<Leg> GpuToNicLeg(const NodeScope& scope, int32_t gpu, int32_t nic, int32_t home);
absl::StatusOr<Leg> NicToGpuLeg(const NodeScope& scope, int32_t nic, int32_t gpu, int32_t home);

// Whether the NIC can read the GPU's memory directly: GPUDirect RDMA and a path no worse than PXB.
bool HasGpuDirect(const NodeScope& scope, int32_t gpu, int32_t nic);
PathType PathToNic(const NodeScope& scope, int32_t gpu, int32_t nic);

}  // namespace stepsim::sim
