// Simulates a job on a platform: the way into `sim`.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/compute/architecture.h"
#include "sim/platform/platform.h"
#include "sim/program/program.h"
#include "sim/run/options.h"
#include "sim/run/result.h"
#include "sim/trace/writer.h"

namespace stepsim::sim {

struct RunInput {
  std::shared_ptr<const Platform> platform;
  const Job* job = nullptr;
  std::vector<Architecture> architectures;  // by row of platform->data().specs
  RunOptions options;
  std::vector<std::pair<std::string, std::string>> trace_metadata;
};

// Makes the writers once the tracks are known. Called once if any rank is traced.
using TraceSink = std::function<std::vector<std::unique_ptr<TraceWriter>>(const TraceHeader&)>;

// Errors: FailedPrecondition (deadlock, no path, a link without bandwidth). A job that does not fit in memory is no error:
// the result says so. trace: empty when nothing is traced.
absl::StatusOr<Result> Run(const RunInput& input, const TraceSink& trace);

}  // namespace stepsim::sim
