// A process group as NCCL's topology search sees it: which of its GPUs sit on which node, and the NICs each
// node uses.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/collective/transport.h"
#include "sim/platform/platform.h"

namespace stepsim::sim {

struct UsedNic {
  int32_t nic = 0;   // local index
  int32_t home = 0;  // local index of the group's GPU that serves it
};

// What nodes of one type with the same members share. GPUs in PCIe order, as NCCL's search takes them.
struct NodePattern {
  NodeId sample;              // one node that has it
  std::vector<int32_t> gpus;  // local indices, ascending
  std::vector<UsedNic> nics;  // by local index; empty for groups within one node
  bool nvlink = false;        // NVLink joins every two of them
  bool nvswitch = false;      // … through a switch

  NodeScope Scope(const Platform& platform) const {
    return {&platform, sample, static_cast<int>(gpus.size())};
  }
  // The NIC that the GPU uses for traffic of its own: the one it serves, else the nearest.
  int32_t NearNic(const Platform& platform, int32_t gpu) const;  // index into nics
};

struct GroupLayout {
  struct Member {
    NodeId node;
    int32_t pattern = 0;
  };
  const Platform* platform = nullptr;
  std::vector<GpuId> ranks;
  std::vector<NodePattern> patterns;
  std::vector<Member> nodes;  // in the order of their first rank
  int32_t rails = 1;          // NICs that every node has: one ring order for each; 1 within a node

  int num_ranks() const { return static_cast<int>(ranks.size()); }
  int num_nodes() const { return static_cast<int>(nodes.size()); }
  const NodePattern& pattern(const Member& member) const {
    return patterns[static_cast<size_t>(member.pattern)];
  }
  NicId Nic(const Member& member, int32_t used) const;
  LinkId AbsoluteLink(const Member& member, int32_t relative) const;
};

// InvalidArgument: no GPUs, an unknown one, or one twice. FailedPrecondition: several nodes and one of them
// without a NIC.
absl::StatusOr<GroupLayout> LayOut(const Platform& platform, const std::vector<GpuId>& gpus);

}  // namespace stepsim::sim
