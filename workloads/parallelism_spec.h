// How a step is spread over ranks: the scenario's `parallelism:` mapping.
#pragma once

#include <string>

#include "sim/config/schema.h"

namespace stepsim::workloads {

struct ParallelismSpec {
  std::string strategy = "none";  // of ShardingStrategies()
  int64_t data = 0;               // data-parallel ranks; 0: all of the cluster
  // FSDP2 keeps the root unit (embedding, norm, head) gathered between forward and backward unless it is told to reshard
  // it like any other.
  bool reshard_root = false;
};

const sim::Schema<ParallelismSpec>& ParallelismSchema();

}  // namespace stepsim::workloads
