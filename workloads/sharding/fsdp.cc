// FSDP2 (torch/distributed/fsdp/_fully_shard): every parameter is sharded over all ranks along dimension 0, and units
// (the layers; the root with the rest) are gathered before their forward and again before their backward.
//
// Forward of a unit: cast and pack the shards (copy-in stream), all-gather (all-gather stream), copy out (compute). There
// is no explicit prefetch: the host runs ahead. Backward: the unit before it is gathered ahead, at the pre-backward hook;
// the post-backward hook frees the weights, waits for the previous reduce-scatter (one input buffer at a time), packs the
// gradients (compute) and reduces them (reduce-scatter stream). Order of the collectives: G R G R.
#include "absl/strings/str_cat.h"
#include "workloads/optimizer/multi_tensor.h"
#include "workloads/sharding/strategy.h"

namespace stepsim::workloads {
namespace {

using sim::MemoryPart;

struct Unit {
  std::string name;
  std::vector<Parameter*> parameters;
  std::vector<int64_t> shard_sizes;  // elements per parameter, padded
  int64_t shard = 0;                 // their sum
  bool gathered = false;
  Tensor gather_output;              // between the all-gather's issue and its copy-out
  int32_t gather_event = -1;
  std::vector<std::pair<Parameter*, Tensor>> gradients;  // of this backward
  std::vector<std::pair<Parameter*, Tensor>> unsharded;  // kept over micro-batches without synchronisation
  Tensor sharded_gradient;
  int32_t reduce_event = -1;
};

class Fsdp : public ShardingStrategy {
 public:
  Fsdp(Tape* tape, ParameterSet* weights, const ShardingOptions& options, bool reshard)
      : ShardingStrategy(tape, weights, options), reshard_(reshard) {
    ProgramBuilder& program = tape_.program();
    group_ = program.AddGroup("world");
    shards_ = true;
    copy_in_ = program.AddStream("all-gather copy-in", true);
    all_gather_ = program.AddStream("all-gather", true);
    reduce_scatter_ = program.AddStream("reduce-scatter", true);
    units_.resize(static_cast<size_t>(options_.layers) + 1);
    for (auto& parameter : weights_.all()) {
      Unit& unit = UnitOf(parameter->unit);
      unit.parameters.push_back(parameter.get());
      unit.shard_sizes.push_back(LocalElements(*parameter));
      unit.shard += unit.shard_sizes.back();
      parameter->value.storage =
          std::make_shared<Storage>(&program.memory(), 0, MemoryPart::kGatheredParameters);
    }
    for (int i = kRootUnit; i < options_.layers; ++i) UnitOf(i).name = i < 0 ? "root" : absl::StrCat("layer ", i);
  }

  // Padded on dimension 0 to a multiple of the group.
  int64_t LocalElements(const Parameter& parameter) const override {
    return (parameter.rows + options_.world_size - 1) / options_.world_size * parameter.columns;
  }

  Tensor EnterUnit(int index, Tensor x) override {
    if (index == kRootUnit) {
      const int32_t slot = tape_.program().Record(0);
      WaitGatherStreams(slot);
    }
    AwaitGather(UnitOf(index), /*forward=*/true);
    if (index == kRootUnit) return x;
    return tape_.Hook(x, [this, index] { Reduce(UnitOf(index)); });
  }

  Tensor LeaveUnit(int index, Tensor y) override {
    Unit& unit = UnitOf(index);
    const bool free = reshard_ && (index != kRootUnit || options_.reshard_root);
    if (free) Reshard(unit);
    y = tape_.Hook(y, [this, index] { PreBackward(index); });
    if (index == kRootUnit) ReleaseGatherOutput();
    return y;
  }

  void TakeGradient(Parameter& parameter, Tensor gradient) override {
    if (gradient.storage != nullptr) gradient.storage->set_part(MemoryPart::kGradients);
    UnitOf(parameter.unit).gradients.emplace_back(&parameter, std::move(gradient));
  }

  void EndBackward() override {
    Reduce(UnitOf(kRootUnit));
    reduce_input_ = Tensor();
    last_reduce_ = -1;
    for (Unit& unit : units_) {
      if (unit.reduce_event >= 0) tape_.program().Wait(0, std::exchange(unit.reduce_event, -1));
    }
  }

 private:
  Unit& UnitOf(int index) { return units_[static_cast<size_t>(index + 1)]; }

  void WaitGatherStreams(int32_t slot) {
    tape_.program().Wait(copy_in_, slot);
    tape_.program().Wait(all_gather_, slot);
  }

  int64_t GatheredBytes(const Unit& unit) const {
    return unit.shard * options_.world_size * ElementSize(options_.gather_dtype);
  }

  // Foreach kernels over the unit's shards; each moves the same share.
  void LaunchForeach(KernelClass kernel_class, const Unit& unit, int64_t read_size, int64_t write_size) {
    const int64_t launches = MultiTensorLaunches(unit.shard_sizes, 2);
    for (int64_t i = 0; i < launches; ++i) {
      tape_.Launch(kernel_class, unit.shard * read_size / launches, unit.shard * write_size / launches);
    }
  }

  void Gather(Unit& unit) {
    if (unit.gathered || unit.gather_output.defined) return;
    ProgramBuilder& program = tape_.program();
    const int64_t size = ElementSize(options_.gather_dtype);
    const int64_t master = ElementSize(tape_.precision().master);
    program.set_stream(copy_in_);
    {
      Tensor cast;
      if (options_.gather_dtype != tape_.precision().master) {
        cast = tape_.Allocate(unit.shard, options_.gather_dtype, MemoryPart::kCommunicationBuffers);
        LaunchForeach(KernelClass::kGatherCast, unit, master, size);
      }
      unit.gather_output = tape_.Allocate(unit.shard * options_.world_size, options_.gather_dtype,
                                          MemoryPart::kCommunicationBuffers);
      LaunchForeach(KernelClass::kGatherCopyIn, unit, size, size);
    }
    program.Wait(all_gather_, program.Record(copy_in_));
    program.set_stream(all_gather_);
    program.Communicate(sim::CollectiveKind::kAllGather, group_, GatheredBytes(unit), options_.gather_dtype,
                        absl::StrCat("all_gather ", unit.name));
    program.set_stream(0);
    unit.gather_event = program.Record(all_gather_);
  }

  // Forward keeps the all-gather's output until the next unit has been copied out, so that the copy need not be waited for.
  void ReleaseGatherOutput() {
    if (!previous_output_.defined) return;
    WaitGatherStreams(previous_copy_out_);
    previous_output_ = Tensor();
  }

  void AwaitGather(Unit& unit, bool forward) {
    if (unit.gathered) return;
    ProgramBuilder& program = tape_.program();
    Gather(unit);
    ReleaseGatherOutput();
    program.Wait(0, unit.gather_event);
    for (Parameter* parameter : unit.parameters) {
      parameter->value.storage->Resize(LocalElements(*parameter) * options_.world_size *
                                       ElementSize(options_.gather_dtype));
    }
    tape_.Launch(KernelClass::kHostToDevice, SizesBytes(unit), SizesBytes(unit));
    tape_.Launch(KernelClass::kGatherCopyOut, GatheredBytes(unit), GatheredBytes(unit));
    const int32_t copied = program.Record(0);
    Tensor output = std::exchange(unit.gather_output, {});
    if (forward) {
      previous_output_ = std::move(output);
      previous_copy_out_ = copied;
    } else {
      WaitGatherStreams(copied);
    }
    program.HostWork(forward ? program.host().fsdp_gather_forward : program.host().fsdp_gather_backward);
    unit.gathered = true;
  }

  // Split sizes that the copy kernels read.
  static int64_t SizesBytes(const Unit& unit) { return static_cast<int64_t>(unit.parameters.size()) * 8; }

  void Reshard(Unit& unit) {
    if (!unit.gathered) return;
    unit.gathered = false;
    for (Parameter* parameter : unit.parameters) parameter->value.storage->Resize(0);
  }

  // The unit itself, then one unit ahead in the reverse of the forward's order (the root came last).
  void PreBackward(int index) {
    AwaitGather(UnitOf(index), /*forward=*/false);
    const int previous = index == kRootUnit ? options_.layers - 1 : index - 1;
    if (previous >= 0) Gather(UnitOf(previous));
  }

  // Without synchronisation: gradients stay unsharded, in the reduce type.
  void Accumulate(Unit& unit) {
    for (auto& [parameter, gradient] : unit.gradients) {
      Tensor* kept = Kept(unit, parameter);
      if (kept != nullptr) {
        tape_.Launch(KernelClass::kNoSyncAdd, gradient.bytes() + kept->bytes(), kept->bytes());
      } else if (gradient.dtype == options_.reduce_dtype) {
        unit.unsharded.emplace_back(parameter, std::move(gradient));
      } else {
        Tensor wide = tape_.Allocate(gradient.elements, options_.reduce_dtype, MemoryPart::kGradients);
        tape_.Launch(KernelClass::kNoSyncCast, gradient.bytes(), wide.bytes());
        unit.unsharded.emplace_back(parameter, std::move(wide));
      }
      gradient = Tensor();
    }
    unit.gradients.clear();
  }

  static Tensor* Kept(Unit& unit, const Parameter* parameter) {
    for (auto& [owner, tensor] : unit.unsharded) {
      if (owner == parameter) return &tensor;
    }
    return nullptr;
  }

  void Reduce(Unit& unit) {
    Reshard(unit);
    if (unit.gradients.empty()) return;
    ProgramBuilder& program = tape_.program();
    if (!sync_ || !unit.unsharded.empty()) Accumulate(unit);
    if (!sync_) return;
    program.HostWork(program.host().fsdp_reduce);
    if (last_reduce_ >= 0) program.Wait(0, last_reduce_);
    reduce_input_ = Tensor();
    PackGradients(unit);
    program.Wait(reduce_scatter_, program.Record(0));
    program.set_stream(reduce_scatter_);
    ReduceScatter(unit);
    program.set_stream(0);
    last_reduce_ = program.Record(reduce_scatter_);
    unit.reduce_event = last_reduce_;
  }

  void PackGradients(Unit& unit) {
    auto& gradients = unit.unsharded.empty() ? unit.gradients : unit.unsharded;
    int64_t bytes = 0;
    for (const auto& [parameter, gradient] : gradients) bytes += gradient.bytes();
    reduce_input_ = tape_.Allocate(unit.shard * options_.world_size, options_.reduce_dtype,
                                   MemoryPart::kCommunicationBuffers);
    tape_.Launch(KernelClass::kHostToDevice, SizesBytes(unit), SizesBytes(unit));
    tape_.Launch(KernelClass::kChunkCat, bytes, reduce_input_.bytes(), options_.reduce_dtype);
    gradients.clear();
  }

  void ReduceScatter(Unit& unit) {
    const sim::DType master = tape_.precision().master;
    Tensor output = tape_.Allocate(unit.shard, options_.reduce_dtype, MemoryPart::kGradients);
    tape_.program().Communicate(sim::CollectiveKind::kReduceScatter, group_, reduce_input_.bytes(),
                                options_.reduce_dtype, absl::StrCat("reduce_scatter ", unit.name));
    if (options_.reduce_dtype != master) {
      Tensor cast = tape_.Allocate(unit.shard, master, MemoryPart::kGradients);
      tape_.Launch(KernelClass::kReduceCast, output.bytes(), cast.bytes());
      output = std::move(cast);
    }
    if (unit.sharded_gradient.defined) {
      tape_.Launch(KernelClass::kShardAccumulate, 2 * output.bytes(), output.bytes());
    } else {
      unit.sharded_gradient = std::move(output);
    }
  }

  bool reshard_;
  int8_t copy_in_ = 0, all_gather_ = 0, reduce_scatter_ = 0;
  std::vector<Unit> units_;  // root first
  Tensor previous_output_;   // of the unit last gathered in forward
  int32_t previous_copy_out_ = -1;
  Tensor reduce_input_;
  int32_t last_reduce_ = -1;
};

}  // namespace

std::unique_ptr<ShardingStrategy> MakeFsdp(Tape* tape, ParameterSet* weights, const ShardingOptions& options) {
  return std::make_unique<Fsdp>(tape, weights, options, /*reshard=*/true);
}

std::unique_ptr<ShardingStrategy> MakeFsdpGradOp(Tape* tape, ParameterSet* weights, const ShardingOptions& options) {
  return std::make_unique<Fsdp>(tape, weights, options, /*reshard=*/false);
}

}  // namespace stepsim::workloads
