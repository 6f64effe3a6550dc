// Clipping and the optimizer's kernels on this rank's share of the parameters.
#pragma once

#include "workloads/sharding/strategy.h"
#include "workloads/training_spec.h"

namespace stepsim::workloads {

// Bytes of optimizer state per element, by choice of optimizer and type of its moments (AdamW: two moments).
int64_t OptimizerStates(OptimizerChoice optimizer);

// Everything between the end of backward and the end of the step: loss-scale check (fp16), clipping, update.
void LaunchOptimizer(Tape& tape, const ParameterSet& weights, const ShardingStrategy& strategy,
                     const TrainingSpec& training);

}  // namespace stepsim::workloads
