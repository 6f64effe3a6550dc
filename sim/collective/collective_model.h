// Plans collectives of process groups: the tuner's choice and the algorithm's loads. Plans of one (group, kind) share their
// link loads, so a call of another size costs little. Equations and sources: docs/models/collectives.md.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/collective/plan.h"
#include "sim/platform/platform.h"
#include "sim/program/program.h"

namespace stepsim::sim {

struct CollectiveOptions {
  std::string algorithm = "auto";  // registry name, or auto
  std::string protocol = "auto";   // LL, LL128, Simple, or auto
};

class CollectiveModel {
 public:
  CollectiveModel(std::shared_ptr<const Platform> platform, CollectiveOptions options);
  ~CollectiveModel();

  // gpus: the group's members in rank order. NotFound or FailedPrecondition when two of them have no path.
  absl::StatusOr<CollectivePlan> Plan(CollectiveKind kind, const std::vector<GpuId>& gpus, Bytes message) const;

 private:
  struct Cache;
  std::shared_ptr<const Platform> platform_;
  CollectiveOptions options_;
  std::unique_ptr<Cache> cache_;
};

}  // namespace stepsim::sim
