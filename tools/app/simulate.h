// From a scenario to its result.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/run/result.h"
#include "tools/app/scenario.h"

namespace stepsim::app {

struct SimulateOptions {
  int threads = 1;
  std::vector<std::string> trace_files;
  std::string trace_ranks;                     // "0,8-15"; empty: the first 16
  std::string version;
  std::function<void(double fraction)> progress;  // may be empty
};

// Errors as of sim::Run and of writing files. A job that does not fit is a result with memory.fits = false.
absl::StatusOr<sim::Result> Simulate(const Scenario& scenario, const SimulateOptions& options);

// Says what does not fit: rank, moment, the largest parts. Ok if it fits.
absl::Status CheckFits(const sim::Result& result);

}  // namespace stepsim::app
