#include "workloads/sharding/strategy.h"

namespace stepsim::workloads {

const sim::Registry<ShardingEntry>& ShardingStrategies() {
  static const auto* registry = new sim::Registry<ShardingEntry>(
      "strategy",
      {{"none", "one GPU", {MakeSingleGpu, false, false}},
       {"ddp", "PyTorch DistributedDataParallel: gradients all-reduced in buckets", {MakeDdp, true, false}},
       {"fsdp", "PyTorch FSDP2 full shard: weights, gradients and optimizer state sharded, unit by unit",
        {MakeFsdp, true, true}},
       {"fsdp-grad-op", "FSDP2 without resharding after forward: weights stay gathered until their backward",
        {MakeFsdpGradOp, true, true}}});
  return *registry;
}

void ShardingStrategy::KeepGradient(Parameter& parameter, Tensor gradient) {
  Tensor& kept = parameter.gradient;
  if (!kept.defined) {
    if (gradient.storage != nullptr) gradient.storage->set_part(sim::MemoryPart::kGradients);
    kept = std::move(gradient);
    return;
  }
  tape_.Launch(KernelClass::kAccumulate, gradient.bytes() + kept.bytes(), kept.bytes(), kept.dtype);
}

namespace {

class SingleGpu : public ShardingStrategy {
 public:
  using ShardingStrategy::ShardingStrategy;
  void TakeGradient(Parameter& parameter, Tensor gradient) override { KeepGradient(parameter, std::move(gradient)); }
};

}  // namespace

std::unique_ptr<ShardingStrategy> MakeSingleGpu(Tape* tape, ParameterSet* weights, const ShardingOptions& options) {
  return std::make_unique<SingleGpu>(tape, weights, options);
}

}  // namespace stepsim::workloads
