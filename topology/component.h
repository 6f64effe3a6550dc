// Parts that clusters are made of, from configs/links, configs/nics and configs/switches.
#pragma once

#include <string>

#include "sim/config/catalogue.h"
#include "sim/config/schema.h"
#include "topology/graph.h"

namespace stepsim::topology {

// A kind and generation of link, per direction. `rate` and `payload_rate` belong to `width` lanes or links and scale with it.
struct LinkSpec {
  std::string name;
  sim::LinkKind kind = sim::LinkKind::kPcie;
  int64_t width = 1;
  sim::BytesPerSecond rate;          // on the wire
  sim::BytesPerSecond payload_rate;  // of NCCL-like traffic (docs/models/topology.md)
  sim::Duration latency;

  double payload_share() const { return payload_rate / rate; }
  // An edge of `lanes` lanes or links of this kind.
  GraphEdge Edge(int64_t lanes) const;
};

struct NicSpec {
  std::string name;
  std::string display_name;
  sim::BytesPerSecond rate;  // of the port, one direction
  int64_t pcie_generation = 4;
  int64_t pcie_lanes = 16;
  sim::Duration latency;  // one way, adapter to adapter without a switch
};

struct SwitchSpec {
  std::string name;
  std::string display_name;
  int64_t ports = 64;
  sim::BytesPerSecond port_rate;  // 0: any
  sim::Duration hop_latency;
};

const sim::Schema<LinkSpec>& LinkSchema();
const sim::Schema<NicSpec>& NicSchema();
const sim::Schema<SwitchSpec>& SwitchSchema();

}  // namespace stepsim::topology
