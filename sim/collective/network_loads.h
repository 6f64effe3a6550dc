// Loads of NIC-to-NIC traffic: one route per connection and queue pair, spread by ECMP.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "sim/collective/load_sum.h"
#include "sim/platform/platform.h"

namespace stepsim::sim {

class NetworkLoads {
 public:
  // connections: NCCL channels that share each pair's bytes; each has `qps` queue pairs.
  NetworkLoads(const Platform& platform, int connections, int qps, std::vector<LinkWeight>* sink)
      : platform_(platform), connections_(connections), qps_(qps), sink_(sink) {}

  // Adds `weight` along the routes. rail: tells the flows of one pair of NICs apart in the hash. The status
  // of Platform::NicToNic when there is no path. Returns the latency of the links between switches, mean over
  // the routes, us.
  absl::StatusOr<double> Add(NicId from, NicId to, int rail, double weight);

 private:
  const Platform& platform_;
  int connections_;
  int qps_;
  std::vector<LinkWeight>* sink_;
};

}  // namespace stepsim::sim
