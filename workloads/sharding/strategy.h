// What the data-parallel ranks share, and when they talk: hooks around the units of a model (its layers, and the root
// that holds the rest) and on each gradient. ShardingStrategies() lists them.
#pragma once

#include <memory>

#include "sim/base/registry.h"
#include "workloads/model/family.h"

namespace stepsim::workloads {

struct ShardingOptions {
  int64_t world_size = 1;
  int32_t layers = 0;
  sim::DType gather_dtype = sim::DType::kBf16;  // type of gathered weights
  sim::DType reduce_dtype = sim::DType::kFp32;
  bool reshard_root = false;
  bool no_sync = false;
  double bucket_mb = 25;
  double first_bucket_mb = 1;
};

constexpr int kRootUnit = -1;

// One object per program under construction; it lives as long as the tape runs.
class ShardingStrategy {
 public:
  ShardingStrategy(Tape* tape, ParameterSet* weights, ShardingOptions options)
      : tape_(*tape), weights_(*weights), options_(options) {}
  virtual ~ShardingStrategy() = default;

  // Elements of a parameter, its gradient and optimizer state that this rank keeps.
  virtual int64_t LocalElements(const Parameter& parameter) const { return parameter.elements(); }
  // Before a unit's forward (the root's comes first, without input) and behind it (the root's gets the loss).
  virtual Tensor EnterUnit(int /*unit*/, Tensor x) { return x; }
  virtual Tensor LeaveUnit(int /*unit*/, Tensor y) { return y; }
  // A gradient, once per backward and parameter.
  virtual void TakeGradient(Parameter& parameter, Tensor gradient) = 0;
  // Behind a backward: what is left to send, and the compute stream waits for all of it.
  virtual void EndBackward() {}

  // `sync`: gradients of this micro-batch are reduced.
  void BeginMicroBatch(bool is_last) {
    sync_ = is_last || !options_.no_sync;
    is_last_ = is_last;
  }
  bool shards_optimizer() const { return group_.valid() && shards_; }
  sim::GroupId group() const { return group_; }  // none for a single GPU

 protected:
  // Keeps a gradient until the optimizer: steals the first, adds the following.
  void KeepGradient(Parameter& parameter, Tensor gradient);

  Tape& tape_;
  ParameterSet& weights_;
  ShardingOptions options_;
  bool sync_ = true;
  bool is_last_ = true;
  sim::GroupId group_;
  bool shards_ = false;
};

using ShardingFactory = std::unique_ptr<ShardingStrategy> (*)(Tape*, ParameterSet*, const ShardingOptions&);

struct ShardingEntry {
  ShardingFactory make;
  bool is_parallel;  // needs at least two ranks; without, exactly one
  bool casts;        // the wrapper casts weights (FSDP2), so there is no autocast
};
const sim::Registry<ShardingEntry>& ShardingStrategies();

// One per file of this folder.
std::unique_ptr<ShardingStrategy> MakeSingleGpu(Tape* tape, ParameterSet* weights, const ShardingOptions& options);
std::unique_ptr<ShardingStrategy> MakeDdp(Tape* tape, ParameterSet* weights, const ShardingOptions& options);
std::unique_ptr<ShardingStrategy> MakeFsdp(Tape* tape, ParameterSet* weights, const ShardingOptions& options);
std::unique_ptr<ShardingStrategy> MakeFsdpGradOp(Tape* tape, ParameterSet* weights, const ShardingOptions& options);

}  // namespace stepsim::workloads
