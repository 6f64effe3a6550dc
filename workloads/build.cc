#include "workloads/build.h"

#include "absl/strings/str_cat.h"
#include "sim/base/check.h"
#include "workloads/step.h"

namespace stepsim::workloads {
namespace {

sim::DType PeakType(PrecisionChoice precision) {
  switch (precision) {
    case PrecisionChoice::kFp32: return sim::DType::kFp32;
    case PrecisionChoice::kTf32: return sim::DType::kTf32;
    case PrecisionChoice::kFp16Mixed:
    case PrecisionChoice::kBf16Mixed:
    case PrecisionChoice::kBf16: return sim::DType::kBf16;
  }
  return sim::DType::kBf16;
}

// Position of scenario.<section>.<key>, or of the nearest mapping above that is there.
const sim::SourcePosition& Position(const sim::ConfigNode& scenario, const std::string& section, const std::string& key) {
  const sim::ConfigNode mapping = scenario[section];
  if (mapping.is_missing()) return scenario.position();
  const sim::ConfigNode value = mapping.is_mapping() ? mapping[key] : sim::ConfigNode();
  return value.is_missing() ? mapping.position() : value.position();
}

void CheckBatch(const TrainingSpec& training, int world_size, const sim::ConfigNode& scenario,
                sim::Diagnostics* problems) {
  if (training.MicroBatches(world_size) > 0) return;
  const GlobalBatch& batch = training.global_batch;
  const int64_t pass = world_size * training.micro_batch * (batch.in_tokens ? training.sequence_length : 1);
  problems->Add(Position(scenario, "training", "global_batch"),
                absl::StrCat("global batch of ", batch.amount, batch.in_tokens ? " tokens" : " sequences",
                             " is no multiple of one pass over all ranks: ", world_size, " ranks × micro_batch ",
                             training.micro_batch,
                             batch.in_tokens ? absl::StrCat(" × sequence_length ", training.sequence_length) : "",
                             " = ", pass));
}

void CheckFramework(const TrainingSpec& training, const ShardingEntry& strategy, const std::string& name,
                    const sim::ConfigNode& scenario, sim::Diagnostics* problems) {
  const bool is_fsdp = training.framework == FrameworkChoice::kPytorchFsdp2;
  if (training.framework == FrameworkChoice::kFromStrategy || is_fsdp == strategy.casts) return;
  problems->Add(Position(scenario, "training", "framework"),
                absl::StrCat("framework ", is_fsdp ? "pytorch-fsdp2" : "pytorch-ddp", " does not have strategy ", name));
}

}  // namespace

void CheckWorkload(const ModelSpec& model, const TrainingSpec& training, const ParallelismSpec& parallelism,
                   int world_size, const sim::ConfigNode& scenario, sim::Diagnostics* problems) {
  const auto strategy = ShardingStrategies().Find(parallelism.strategy);
  if (!strategy.ok()) {
    problems->Add(Position(scenario, "parallelism", "strategy"), sim::ToString(strategy.status().message()));
    return;
  }
  if (parallelism.data != 0 && parallelism.data != world_size) {
    problems->Add(Position(scenario, "parallelism", "data"),
                  absl::StrCat("data-parallel ranks must be all ", world_size, " GPUs of the cluster, not ",
                               parallelism.data));
  }
  if (strategy->is_parallel != (world_size > 1)) {
    problems->Add(Position(scenario, "parallelism", "strategy"),
                  absl::StrCat("strategy ", parallelism.strategy, strategy->is_parallel ? " needs at least two GPUs" : " is for one GPU",
                               "; the cluster has ", world_size));
  }
  if (training.reduce_dtype.has_value() && !strategy->casts) {
    problems->Add(Position(scenario, "training", "reduce_dtype"), "reduce_dtype belongs to the fsdp strategies");
  }
  if (training.bucket_mb > 0 && parallelism.strategy != "ddp") {
    problems->Add(Position(scenario, "training", "bucket_mb"), "bucket_mb belongs to strategy ddp");
  }
  if (FamilyOf(model).learned_positions && training.sequence_length > model.max_positions) {
    problems->Add(Position(scenario, "training", "sequence_length"),
                  absl::StrCat("sequences of ", training.sequence_length, " tokens; ", model.name, " has ",
                               model.max_positions, " learned positions"));
  }
  CheckFramework(training, *strategy, parallelism.strategy, scenario, problems);
  CheckBatch(training, world_size, scenario, problems);
}

std::vector<std::string> WorkloadWarnings(const ModelSpec& model, const TrainingSpec& training) {
  std::vector<std::string> warnings;
  if (!FamilyOf(model).learned_positions && training.sequence_length > model.max_positions) {
    warnings.push_back(absl::StrCat("sequence_length ", training.sequence_length, " is beyond the ",
                                    model.max_positions, " positions that ", model.name, " was made for"));
  }
  return warnings;
}

sim::Program BuildProgram(const ModelSpec& model, const TrainingSpec& training, const ParallelismSpec& parallelism,
                          const FrameworkSpec& framework, int world_size, bool cluster_gemm) {
  StepWriter writer(model, training, parallelism, framework, world_size, cluster_gemm);
  return writer.Write();
}

absl::StatusOr<sim::Job> BuildJob(const ModelSpec& model, const TrainingSpec& training,
                                  const ParallelismSpec& parallelism, const FrameworkSpec& framework,
                                  const sim::Platform& platform) {
  const int world_size = platform.num_gpus();
  sim::Diagnostics problems;
  CheckWorkload(model, training, parallelism, world_size, sim::ConfigNode(), &problems);
  SIM_RETURN_IF_ERROR(problems.ToStatus());
  const double capability = platform.spec(sim::GpuId(0)).compute_capability;
  sim::Job job;
  job.name = model.name;
  job.programs.push_back(BuildProgram(model, training, parallelism, framework, world_size, capability >= 9.0));
  job.role.assign(static_cast<size_t>(world_size), 0);
  job.peak_dtype = PeakType(training.precision);
  sim::Communicator world{"world", {}};
  for (int32_t rank = 0; rank < world_size; ++rank) {
    job.gpu.push_back(sim::GpuId(rank));
    world.ranks.push_back(sim::RankId(rank));
  }
  const size_t groups = job.programs[0].groups.size();
  SIM_CHECK(groups <= 1) << "one process group: the world";
  std::vector<sim::CommunicatorId> of_rank;
  if (groups == 1) of_rank.push_back(job.communicators.push_back(std::move(world)));
  job.communicator_of.assign(static_cast<size_t>(world_size), of_rank);
  return job;
}

}  // namespace stepsim::workloads
