// Clusters built by hand for tests: every route table is filled, nothing is read from files.
// Effective rates (raw × payload) are those of models/COLLECTIVES.md §1.1: A100/A800 NVLink 20 GB/s a link,
// Hopper 20.7, PCIe x16 26 (Gen4) and 53 (Gen5) GB/s, NIC 0.95 of line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/platform/platform.h"
#include "tests/testing/fake_gpus.h"

namespace stepsim::testing {

// One switch joins all NICs unless leaves > 1: then node i hangs off leaf i × leaves / nodes, and every leaf
// has one link of `uplink_gbps` to each spine.
struct FabricOptions {
  std::string protocol = "roce";
  double nic_gbps = 25;  // line rate, bytes/s × 1e9, of each NIC
  double nic_payload = 0.95;
  int leaves = 1;
  int spines = 0;
  double uplink_gbps = 25;
  sim::Duration hop_latency = {};  // of a link between switches
};

// HGX-like: all GPUs on one NVSwitch; a PCIe switch for each GPU, or for every two when NICs are fewer than
// GPUs.
struct NvSwitchOptions {
  int nodes = 1;
  int gpus = 8;
  sim::GpuSpec gpu = A800();
  double nvlink_payload = 0;  // 0: 20.7/25 for Hopper, else 20/25
  int nics = 0;
  int sockets = 2;
  sim::CpuVendor cpu = sim::CpuVendor::kIntel;
  FabricOptions fabric = {};
};
sim::PlatformData NvSwitchCluster(const NvSwitchOptions& options);

// PCIe servers: GPUs on root ports (gpus_per_switch 0) or on PCIe switches. NIC j sits beside GPU j × gpus /
// nics: on its switch, or on a root port of its socket.
struct PcieOptions {
  int nodes = 1;
  int gpus = 8;
  sim::GpuSpec gpu = L40();
  int sockets = 2;
  int gpus_per_switch = 0;
  bool peer_to_peer = true;
  bool gpu_direct_rdma = true;
  int nics = 0;
  sim::CpuVendor cpu = sim::CpuVendor::kIntel;
  double socket_gbps = 30;  // Sapphire Rapids
  FabricOptions fabric = {};
};
sim::PlatformData PcieCluster(const PcieOptions& options);

// Checks and freezes; aborts on an inconsistent one.
std::shared_ptr<const sim::Platform> Freeze(sim::PlatformData data);

// GPUs 0 … count - 1, or `count` from `first` every `stride`.
std::vector<sim::GpuId> Gpus(int count, int first = 0, int stride = 1);

}  // namespace stepsim::testing
