#include "tools/app/simulate.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "sim/base/status.h"
#include "sim/config/quantity.h"
#include "sim/program/check.h"
#include "sim/run/run.h"
#include "tools/app/trace_output.h"

namespace stepsim::app {
namespace {

sim::RunOptions Options(const Scenario& scenario, const SimulateOptions& options) {
  sim::RunOptions run;
  run.warmup_steps = static_cast<int>(scenario.simulation.warmup_steps);
  run.threads = options.threads;
  run.seed = static_cast<uint64_t>(scenario.simulation.seed);
  run.collectives.algorithm = scenario.simulation.algorithm;
  run.collectives.protocol = scenario.simulation.protocol;
  run.progress = options.progress;
  return run;
}

}  // namespace

absl::StatusOr<sim::Result> Simulate(const Scenario& scenario, const SimulateOptions& options) {
  SIM_ASSIGN_OR_RETURN(sim::Job job, workloads::BuildJob(scenario.model, scenario.training, scenario.parallelism,
                                                         scenario.framework, *scenario.cluster.platform));
  job.name = scenario.name;
  SIM_RETURN_IF_ERROR(sim::CheckJob(job));
  sim::RunInput input;
  input.platform = scenario.cluster.platform;
  input.job = &job;
  input.architectures = scenario.architectures;
  input.options = Options(scenario, options);
  input.trace_metadata = {{"stepsim_version", options.version},
                          {"scenario_hash", scenario.hash},
                          {"seed", absl::StrCat(scenario.simulation.seed)}};
  TraceOutput trace;
  if (!options.trace_files.empty()) {
    SIM_ASSIGN_OR_RETURN(input.options.traced_ranks, ParseRanks(options.trace_ranks, job.world_size()));
    SIM_RETURN_IF_ERROR(trace.Open(options.trace_files));
  }
  SIM_ASSIGN_OR_RETURN(sim::Result result, sim::Run(input, trace.sink()));
  SIM_RETURN_IF_ERROR(trace.Commit());
  result.scenario_hash = scenario.hash;
  result.price_per_gpu_hour_usd = scenario.prices.gpu_hour_usd;
  result.warnings.insert(result.warnings.begin(), scenario.warnings.begin(), scenario.warnings.end());
  return result;
}

absl::Status CheckFits(const sim::Result& result) {
  const sim::MemoryResult& memory = result.memory;
  if (memory.fits) return absl::OkStatus();
  std::vector<size_t> order(memory.parts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return memory.parts[a] > memory.parts[b]; });
  std::string parts;
  for (size_t i = 0; i < 4 && memory.parts[order[i]].count() > 0; ++i) {
    absl::StrAppend(&parts, i == 0 ? "" : ", ", sim::Name(static_cast<sim::MemoryPart>(order[i])), " ",
                    sim::FormatBytes(memory.parts[order[i]]));
  }
  return absl::ResourceExhaustedError(
      absl::StrCat(result.name, " does not fit: rank ", memory.rank.value(), " needs ", sim::FormatBytes(memory.peak), " and ",
                   sim::FormatBytes(memory.context), " outside the allocator of ", sim::FormatBytes(memory.capacity), " at ",
                   memory.moment, "; largest parts: ", parts));
}

}  // namespace stepsim::app
