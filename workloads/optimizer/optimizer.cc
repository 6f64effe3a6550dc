#include "workloads/optimizer/optimizer.h"

#include <algorithm>

#include "workloads/optimizer/multi_tensor.h"

namespace stepsim::workloads {
namespace {

struct Local {
  std::vector<int64_t> sizes;  // elements per parameter
  int64_t total = 0;
  int64_t element = 4;         // bytes
};

Local LocalParameters(const ParameterSet& weights, const ShardingStrategy& strategy, sim::DType master) {
  Local local;
  for (const auto& parameter : weights.all()) {
    local.sizes.push_back(strategy.LocalElements(*parameter));
    local.total += local.sizes.back();
  }
  local.element = ElementSize(master);
  return local;
}

// Foreach kernels over all local tensors; each moves the same share.
void LaunchForeach(Tape& tape, KernelClass kernel_class, const Local& local, int lists, int64_t read, int64_t written,
                   sim::DType dtype = sim::DType::kFp32) {
  const int64_t launches = MultiTensorLaunches(local.sizes, lists);
  for (int64_t i = 0; i < launches; ++i) {
    tape.Launch(kernel_class, local.total * read / launches, local.total * written / launches, dtype);
  }
}

// torch.nn.utils.clip_grad_norm_ with foreach: norms of all gradients, their norm (summed over ranks where gradients are
// sharded), the factor, and one product.
void Clip(Tape& tape, const Local& local, const ShardingStrategy& strategy) {
  LaunchForeach(tape, KernelClass::kForeachNorm, local, 1, local.element, 0);
  for (int i = 0; i < 10; ++i) tape.Launch(KernelClass::kClipScalar, 0, 0);
  if (strategy.shards_optimizer()) {
    tape.program().Communicate(sim::CollectiveKind::kAllReduce, strategy.group(), 4, sim::DType::kFp32,
                               "all_reduce gradient norm");
  }
  LaunchForeach(tape, KernelClass::kForeachClip, local, 1, local.element, local.element);
}

// GradScaler.step with a fused optimizer: a check of all gradients; the update itself takes the scale.
void CheckLossScale(Tape& tape, const Local& local) {
  LaunchForeach(tape, KernelClass::kAmpUnscale, local, 1, local.element, local.element);
  tape.Launch(KernelClass::kAmpScale, 0, 0);
}

// torch.optim.AdamW(fused=True): reads parameter, gradient and moments, writes all but the gradient.
void FusedAdamW(Tape& tape, const Local& local, sim::DType master) {
  const std::vector<int64_t> counters(local.sizes.size(), 1);
  const int64_t counter_launches = MultiTensorLaunches(counters, 1);
  for (int64_t i = 0; i < counter_launches; ++i) tape.Launch(KernelClass::kStepCounter, 0, 0);
  LaunchForeach(tape, master == sim::DType::kFp32 ? KernelClass::kFusedAdamF : KernelClass::kFusedAdamB, local, 4,
                4 * local.element, 3 * local.element, master);
}

// torch.optim.AdamW(fused=False): a loop over parameters of eight kernels (weight decay, lerp, mul, addcmul, sqrt, div,
// add, addcdiv) with a temporary of the parameter's size.
void SingleTensorAdamW(Tape& tape, const Local& local) {
  struct Step {
    int64_t read, written;  // in elements
  };
  constexpr Step kSteps[] = {{1, 1}, {2, 1}, {1, 1}, {3, 1}, {1, 1}, {1, 1}, {1, 1}, {3, 1}};
  for (const int64_t size : local.sizes) {
    for (const Step& step : kSteps) {
      tape.Launch(KernelClass::kSingleAdam, size * step.read * local.element, size * step.written * local.element);
    }
  }
  const int64_t largest = *std::max_element(local.sizes.begin(), local.sizes.end());
  tape.Allocate(largest * local.element, sim::DType::kInt8, sim::MemoryPart::kOptimizerStates);
}

// torch.optim.SGD(foreach=True) without momentum: p += -lr·g.
void ForeachSgd(Tape& tape, const Local& local) {
  LaunchForeach(tape, KernelClass::kForeachSgd, local, 2, 2 * local.element, local.element);
}

}  // namespace

int64_t OptimizerStates(OptimizerChoice optimizer) { return optimizer == OptimizerChoice::kSgd ? 0 : 2; }

void LaunchOptimizer(Tape& tape, const ParameterSet& weights, const ShardingStrategy& strategy,
                     const TrainingSpec& training) {
  ProgramBuilder& program = tape.program();
  const sim::DType master = tape.precision().master;
  const Local local = LocalParameters(weights, strategy, master);
  const HostCost& host = program.host();
  const int64_t per_tensor = strategy.shards_optimizer() ? host.optimizer_sharded_tensor : host.optimizer_tensor;
  program.HostWork(host.optimizer_base + per_tensor * static_cast<int64_t>(local.sizes.size()));
  if (training.precision == PrecisionChoice::kFp16Mixed) CheckLossScale(tape, local);
  if (training.clip > 0) Clip(tape, local, strategy);
  switch (training.optimizer) {
    case OptimizerChoice::kAdamWFused: FusedAdamW(tape, local, master); break;
    case OptimizerChoice::kAdamWSingleTensor: SingleTensorAdamW(tape, local); break;
    case OptimizerChoice::kSgd: ForeachSgd(tape, local); break;
  }
}

}  // namespace stepsim::workloads
