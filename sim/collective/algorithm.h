// One way to run collectives. An algorithm says what it puts on each link and what its time has beside bytes
// over a rate. To add one: a file with its class, a line in algorithms.cc, and its page in docs/models.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/registry.h"
#include "sim/collective/group_layout.h"
#include "sim/collective/group_traits.h"
#include "sim/collective/load_sum.h"
#include "sim/collective/protocol.h"
#include "sim/program/program.h"

namespace stepsim::sim {

struct AlgorithmContext {
  const GroupLayout* layout;
  const GroupTraits* traits;
  int qps_per_connection = 1;  // queue pairs that share a connection's bytes, each hashed by ECMP on its own
};

// What a collective loads, whatever its size, with protocol Simple.
struct AlgorithmLoads {
  std::vector<LinkWeight> links;                              // payload bytes per message byte; sorted
  double rate_cap = std::numeric_limits<double>::infinity();  // message bytes/s that no link imposes
  std::string cap_reason;
  bool cap_is_total =
      false;  // the cap already stands for the whole transfer: no protocol or last copy slows it further
  double fabric_latency_us = 0;  // of links between switches, mean over the network hops of the chain
};

struct AlgorithmTime {
  double latency_us = 0;                                      // T_dev less bytes over the rate
  double rate_cap = std::numeric_limits<double>::infinity();  // message bytes/s that the protocol imposes
  std::string cap_reason;
  double memory_traffic = 0;  // HBM bytes per message byte on each GPU
  int channels = 1;
};

struct TimeQuery {
  CollectiveKind kind = CollectiveKind::kAllReduce;
  Protocol protocol = Protocol::kSimple;
  int64_t bytes = 0;
  double simple_rate = 0;  // message bytes/s of the loads on an idle platform with protocol Simple
};

class CollectiveAlgorithm {
 public:
  virtual ~CollectiveAlgorithm() = default;
  virtual bool Supports(CollectiveKind kind) const = 0;
  // gpus[0] is the root of broadcast and reduce, and the sender of send/recv.
  virtual absl::StatusOr<AlgorithmLoads> Loads(const AlgorithmContext& context,
                                               CollectiveKind kind) const = 0;
  virtual AlgorithmTime Time(const AlgorithmContext& context, const AlgorithmLoads& loads,
                             const TimeQuery& query) const = 0;
};

// Factories return an immutable object that lives for ever.
const Registry<const CollectiveAlgorithm* (*)()>& CollectiveAlgorithms();

// Bytes that each rank sends (and receives) per message byte in a ring: steps / ranks.
double RingShare(CollectiveKind kind, int ranks);

// Fill of a Simple pipeline over NVLink in one node: a chunk must pass before the ring streams (us).
double PipelineFillUs(double bytes, int channels, double rate, int ranks);
// Start-up of the fabric's software path (us).
double FabricFillUs(const FabricTiming& fabric, double bytes);

}  // namespace stepsim::sim
