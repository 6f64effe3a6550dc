// The few facts of a process group that NCCL's planner and the time of a collective depend on, and the ring
// graph that NCCL's channel search would find. GB/s as NCCL counts them.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "sim/collective/group_layout.h"
#include "sim/collective/nccl_tables.h"
#include "sim/collective/parameters.h"
#include "sim/collective/ring_node.h"

namespace stepsim::sim {

// What the search settles on (models/COLLECTIVES.md §1.2).
struct RingGraph {
  int channels = 1;         // before duplication: what the tuner counts
  double bandwidth = 0;     // of each
  int kernel_channels = 2;  // CTAs of a large collective
};

struct GroupTraits {
  int ranks = 1;
  int nodes = 1;
  int gpus_per_node = 1;  // the most of any node
  int rails = 1;
  GpuClass gpu = GpuClass::kAmpere;  // the oldest member
  double compute_capability = 0;
  CpuVendor cpu = CpuVendor::kIntel;
  bool nvlink = false;  // every hop within a node
  bool nvswitch = false;
  bool staged = false;  // some hop within a node goes through host memory
  bool ll128 = false;   // NCCL allows it
  bool across_sockets_by_nic = false;
  double nvlink_rate = 0;  // planner's, all links of a GPU
  double pcie_rate = 0;
  double nic_rate = 0;     // line rate of the slowest NIC in use
  double ring_rate = 0;    // planner's capacity of one ring through a node
  double memory_rate = 0;  // HBM bytes/s of the slowest member
  FabricTiming fabric;
  RingGraph graph;
};

// Medium of hops within a node.
inline Medium IntraMedium(const GroupTraits& traits) {
  return traits.nvlink ? Medium::kNvlink : Medium::kPci;
}

absl::StatusOr<GroupTraits> DeriveTraits(const GroupLayout& layout);

// models/COLLECTIVES.md §1.2, after src/graph/search.cc.
RingGraph SearchRing(const GroupTraits& traits);

}  // namespace stepsim::sim
