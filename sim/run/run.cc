#include "sim/run/run.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/str_cat.h"
#include "sim/base/status.h"
#include "sim/compute/compute_model.h"
#include "sim/run/metrics.h"
#include "sim/run/trace_emitter.h"
#include "sim/run/world.h"

namespace stepsim::sim {
namespace {

absl::StatusOr<std::vector<KernelCost>> Costs(const RunInput& input, const Program& program, const GpuSpec& gpu) {
  const auto row = static_cast<size_t>(&gpu - input.platform->data().specs.data());
  const ComputeModel model(gpu, input.architectures[row]);
  SIM_RETURN_IF_ERROR(model.Check(program));
  return model.CostInStep(program);
}

absl::Status WriteTrace(const World& world, const RunInput& input, const TraceSink& sink) {
  TraceEmitter emitter(world, *input.platform, *input.job);
  TraceHeader header = emitter.Header();
  header.title = input.job->name;
  header.metadata = input.trace_metadata;
  const std::vector<std::unique_ptr<TraceWriter>> writers = sink(header);
  emitter.Emit(writers);
  for (const auto& writer : writers) SIM_RETURN_IF_ERROR(writer->Finish());
  return absl::OkStatus();
}

void Label(const RunInput& input, const World& world, Result* result) {
  const Role& role = world.roles().front();
  result->name = input.job->name;
  result->cluster = input.platform->name();
  result->gpu_name = role.gpu->name;
  const auto row = static_cast<size_t>(role.gpu - input.platform->data().specs.data());
  result->calibration = input.architectures[row].calibration;
  // Collectives were checked against measurements up to 32 ranks.
  if (input.job->world_size() > 32) result->calibration = "extrapolated";
  result->ranks_simulated = input.job->world_size();
  result->ranks_represented = input.job->world_size();
  result->seed = input.options.seed;
  result->events = world.events();
}

void Warn(const World& world, Result* result) {
  for (const CollectivePlan& plan : world.plans()) {
    if (plan.note.empty()) continue;
    if (std::find(result->warnings.begin(), result->warnings.end(), plan.note) == result->warnings.end()) {
      result->warnings.push_back(plan.note);
    }
  }
}

}  // namespace

absl::StatusOr<Result> Run(const RunInput& input, const TraceSink& trace) {
  const auto start = std::chrono::steady_clock::now();
  World world(input.platform, *input.job, input.options);
  SIM_RETURN_IF_ERROR(world.Prepare(
      [&input](const Program& program, const GpuSpec& gpu) { return Costs(input, program, gpu); }));
  SIM_RETURN_IF_ERROR(world.RunAll());
  Result result;
  Measure(world, *input.platform, *input.job, &result);
  result.memory = MeasureMemory(world);
  Label(input, world, &result);
  Warn(world, &result);
  if (!input.options.traced_ranks.empty() && trace) SIM_RETURN_IF_ERROR(WriteTrace(world, input, trace));
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace stepsim::sim
