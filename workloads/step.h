// Writes the program of one optimizer step: micro-batches of forward and backward, then the optimizer.
#pragma once

#include <memory>

#include "workloads/framework_spec.h"
#include "workloads/parallelism_spec.h"
#include "workloads/sharding/strategy.h"
#include "workloads/training_spec.h"

namespace stepsim::workloads {

class StepWriter {
 public:
  StepWriter(const ModelSpec& model, const TrainingSpec& training, const ParallelismSpec& parallelism,
             const FrameworkSpec& framework, int world_size, bool cluster_gemm);

  sim::Program Write();

 private:
  void AddPersistentMemory();
  void MicroBatch(bool is_last);
  Tensor Forward(ForwardPass& pass);
  Tensor Layer(ForwardPass& pass, int layer, const Tensor& x);
  void Optimize();
  void CountFlops(sim::Program* program) const;

  const ModelSpec& model_;
  const TrainingSpec& training_;
  const HostModel& host_;
  const Family& family_;
  int64_t micro_batches_;
  ProgramBuilder program_;
  Tape tape_;
  ParameterSet weights_;
  std::unique_ptr<ShardingStrategy> strategy_;
};

}  // namespace stepsim::workloads
