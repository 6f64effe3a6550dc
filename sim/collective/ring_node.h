// The part of a ring that lies within one node: the order of the GPUs in each channel, and the loads of the
// hops. Order (src/graph/search.cc; models/COLLECTIVES.md §1.6, §2): channel k enters at the GPU of NIC k and
// leaves by NIC k, from a GPU as near to it, so GPUs of other switches come first and siblings last; over
// NVLink a plain rotation.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/collective/group_layout.h"
#include "sim/collective/load_sum.h"

namespace stepsim::sim {

// A hop inside a node that NCCL sends through the network since its NICs are faster than the link between
// sockets.
struct NicHop {
  int32_t from = 0;  // index into NodePattern::nics
  int32_t to = 0;
  int32_t rail = 0;
  double weight = 0;
};

struct RingNode {
  std::vector<std::vector<int32_t>> orders;  // by rail: local GPU indices, first to last
  NodeLoads loads;                           // for 1 byte of ring traffic, rails sharing it equally
  std::vector<NicHop> nic_hops;
};

// across_sockets_by_nic: staged hops across sockets go through the NICs when both ends have one within
// GPUDirect's reach.
absl::StatusOr<RingNode> BuildRingNode(const GroupLayout& layout, const NodePattern& pattern,
                                       bool across_sockets_by_nic);

// One hop between members of a node as the ring makes it; adds `weight` to `loads`, or a NicHop to
// `nic_hops`.
struct HopSink {
  NodeLoads* loads;
  std::vector<NicHop>* nic_hops;
};
absl::Status AddRingHop(const GroupLayout& layout, const NodePattern& pattern, bool across_sockets_by_nic,
                        int32_t rail, int32_t from, int32_t to, double weight, HopSink sink);

}  // namespace stepsim::sim
