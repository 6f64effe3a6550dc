// A server as its YAML describes it (docs/clusters.md): configs/nodes/<name>.yaml or inline in a cluster.
#pragma once

#include <string>
#include <vector>

#include "sim/config/schema.h"
#include "sim/platform/platform.h"

namespace stepsim::topology {

// A device and the PCIe switch ("sw0") or socket ("cpu0") it hangs off.
struct Placement {
  std::string id;
  std::string parent;
  sim::SourcePosition where;
};

struct GpusSpec {
  std::string model;                 // catalogue name
  int64_t count = 0;                 // 0: as many as are placed
  std::vector<Placement> placement;  // empty: in order, spread evenly over switches or sockets
};

struct CpuSpec {
  sim::CpuVendor vendor = sim::CpuVendor::kIntel;
  std::string model;              // for people
  int64_t sockets = 1;
  std::string socket_link;        // row of configs/links; needed with several sockets
  sim::BytesPerSecond memory_rate;  // DRAM of a socket, each way; 0: that of configs/links/dram.yaml
};

// Whether the PCIe root ports of a socket count as one host bridge (PHB) or as one each (NODE), for path classes.
enum class HostBridges { kPerPort, kShared };

struct PcieSpec {
  int64_t switch_count = 0;
  std::vector<Placement> switches;  // placed by hand; empty: switch_count of them, spread evenly over the sockets
  int64_t generation = 0;           // of the server; 0: the GPUs'. A link runs at the lower of its two ends
  int64_t uplink_lanes = 16;        // of a switch
  bool peer_to_peer = true;         // of the server; a card whose driver refuses it stays without
  HostBridges host_bridges = HostBridges::kPerPort;
};

enum class NicRule { kDefault, kSwitches, kRootPorts };

struct NicsSpec {
  std::string model;                 // catalogue name
  int64_t count = 0;                 // 0: as many as are placed, which may be none
  sim::BytesPerSecond rate;          // of a port; 0: the model's
  NicRule rule = NicRule::kDefault;  // by default under the switches if there are any
  std::vector<Placement> placement;
};

struct NodeSpec {
  std::string name;
  std::string layout;  // name of a node builder
  GpusSpec gpus;
  CpuSpec cpu;
  PcieSpec pcie;
  NicsSpec nics;
  bool gpu_direct = true;  // NICs may read GPU memory

  sim::ConfigNode config;                   // what it was read from, for positions
  sim::SourcePosition gpu_model_position;   // of gpus.model or of what overrides it
  int64_t used_gpus = 0;                    // only the first so many are installed; 0: all

  int64_t num_gpus() const {  // described, installed or not
    return gpus.placement.empty() ? gpus.count : static_cast<int64_t>(gpus.placement.size());
  }
  int64_t num_nics() const { return nics.placement.empty() ? nics.count : static_cast<int64_t>(nics.placement.size()); }
  int64_t num_switches() const {
    return pcie.switches.empty() ? pcie.switch_count : static_cast<int64_t>(pcie.switches.size());
  }
};

const sim::Schema<NodeSpec>& NodeSchema();

// Reads a resolved mapping; fills `config` and `gpu_model_position`.
void ReadNode(const sim::ConfigNode& node, NodeSpec* spec, sim::Diagnostics* problems);

}  // namespace stepsim::topology
