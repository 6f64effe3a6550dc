// Plans collectives of process groups: the tuner's choice and the algorithm's loads. Plans of one (group,
// kind) share their link loads, so a call of another size costs little. Equations and sources:
// docs/models/collectives.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/collective/plan.h"
#include "sim/platform/platform.h"
#include "sim/program/program.h"

namespace stepsim::sim {

struct CollectiveOptions {
  std::string algorithm =
      "auto";  // registry name, or auto; all-to-all and send/recv are always p2p, as in NCCL
  std::string protocol = "auto";  // LL, LL128, Simple, or auto; all-to-all and send/recv are always Simple
  int qps_per_connection = 1;     // RDMA queue pairs, each its own flow for ECMP (NCCL_IB_QPS_PER_CONNECTION)
};

class CollectiveModel {
 public:
  CollectiveModel(std::shared_ptr<const Platform> platform, CollectiveOptions options);
  ~CollectiveModel();

  // gpus: the group's members in rank order; gpus[0] is the root of broadcast and reduce, and sends to
  // gpus[1] in send/recv. message: NCCL's size (all-reduce, broadcast: the message; all-gather: the output;
  // reduce-scatter: the input; all-to-all: what one rank sends, its own part included). A barrier is an
  // all-reduce of 4 bytes, as in PyTorch. NotFound or FailedPrecondition when two members have no path,
  // InvalidArgument for a malformed group or option, Unimplemented for what is not modelled. Safe to call
  // from several threads.
  absl::StatusOr<CollectivePlan> Plan(CollectiveKind kind, const std::vector<GpuId>& gpus,
                                      Bytes message) const;

 private:
  struct Cache;
  std::shared_ptr<const Platform> platform_;
  CollectiveOptions options_;
  std::unique_ptr<Cache> cache_;
};

}  // namespace stepsim::sim
