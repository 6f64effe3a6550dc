// Lowers (model, training, parallelism, framework) to a sim::Job for a platform: the program of one optimizer step, shared
// by all ranks, their placement and their process groups.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/platform/platform.h"
#include "sim/program/program.h"
#include "workloads/framework_spec.h"
#include "workloads/model/model_spec.h"
#include "workloads/parallelism_spec.h"
#include "workloads/training_spec.h"

namespace stepsim::workloads {

// Problems between the parts of a scenario, at the keys of `scenario` ("training.global_batch", "parallelism.data", …).
void CheckWorkload(const ModelSpec& model, const TrainingSpec& training, const ParallelismSpec& parallelism,
                   int world_size, const sim::ConfigNode& scenario, sim::Diagnostics* problems);

// What the user should know but may want: a sequence beyond the model's positions, …
std::vector<std::string> WorkloadWarnings(const ModelSpec& model, const TrainingSpec& training);

// Rank r runs on GPU r. InvalidArgument when CheckWorkload would report a problem.
absl::StatusOr<sim::Job> BuildJob(const ModelSpec& model, const TrainingSpec& training,
                                  const ParallelismSpec& parallelism, const FrameworkSpec& framework,
                                  const sim::Platform& platform);

// The program alone, for `world_size` ranks. cluster_gemm: the GPU is of compute capability ≥ 9.
sim::Program BuildProgram(const ModelSpec& model, const TrainingSpec& training, const ParallelismSpec& parallelism,
                          const FrameworkSpec& framework, int world_size, bool cluster_gemm);

}  // namespace stepsim::workloads
