// DistributedDataParallel (torch/csrc/distributed/c10d/reducer.cpp): each gradient is divided by the world size into its
// bucket; buckets fill in the order in which gradients arrive (reverse registration), the first closes at 1 MiB, the
// others at 25 MiB, behind the parameter that passes it; a full bucket is all-reduced on NCCL's stream while backward
// goes on, and the compute stream waits for all of them at the end.
#include "absl/strings/str_cat.h"
#include "workloads/sharding/strategy.h"

namespace stepsim::workloads {
namespace {

class Ddp : public ShardingStrategy {
 public:
  Ddp(Tape* tape, ParameterSet* weights, const ShardingOptions& options) : ShardingStrategy(tape, weights, options) {
    ProgramBuilder& program = tape_.program();
    group_ = program.AddGroup("world");
    nccl_ = program.AddStream("nccl", true);
    for (const auto& parameter : weights_.all()) {
      // The allocator of a DDP run holds gradient buckets twice (measured on four models, cause not proved:
      // docs/models/memory.md).
      const int64_t bytes = parameter->elements() * ElementSize(parameter->dtype);
      program.memory().AddPersistent(sim::MemoryPart::kGradients, bytes);
      program.memory().AddPersistent(sim::MemoryPart::kCommunicationBuffers, bytes);
    }
  }

  void TakeGradient(Parameter& parameter, Tensor gradient) override {
    if (!sync_) {
      KeepGradient(parameter, std::move(gradient));
      return;
    }
    ProgramBuilder& program = tape_.program();
    if (parameter.gradient.defined) {
      KeepGradient(parameter, std::move(gradient));
      gradient = std::exchange(parameter.gradient, {});
    } else if (reduced_before_) {
      tape_.Launch(KernelClass::kAccumulate, 2 * gradient.bytes(), gradient.bytes(), gradient.dtype);
    }
    program.HostWork(program.host().ddp_parameter);
    tape_.Launch(KernelClass::kDdpMul, gradient.bytes(), gradient.bytes(), gradient.dtype);
    bucket_dtype_ = gradient.dtype;
    bucket_bytes_ += gradient.bytes();
    const double limit = (bucket_ == 0 ? options_.first_bucket_mb : options_.bucket_mb) * (1 << 20);
    if (static_cast<double>(bucket_bytes_) >= limit) ReduceBucket();
  }

  void EndBackward() override {
    if (!sync_) return;
    if (bucket_bytes_ > 0) ReduceBucket();
    for (const int32_t slot : reduced_) tape_.program().Wait(0, slot);
    reduced_.clear();
    bucket_ = 0;
    reduced_before_ = true;
  }

 private:
  void ReduceBucket() {
    ProgramBuilder& program = tape_.program();
    program.Wait(nccl_, program.Record(0));
    program.set_stream(nccl_);
    program.Communicate(sim::CollectiveKind::kAllReduce, group_, bucket_bytes_, bucket_dtype_,
                        absl::StrCat("all_reduce bucket ", bucket_));
    program.set_stream(0);
    reduced_.push_back(program.Record(nccl_));
    bucket_bytes_ = 0;
    ++bucket_;
  }

  int8_t nccl_ = 0;
  int64_t bucket_bytes_ = 0;
  int32_t bucket_ = 0;
  sim::DType bucket_dtype_ = sim::DType::kFp32;
  std::vector<int32_t> reduced_;  // events of the all-reduces in flight
  bool reduced_before_ = false;   // buckets hold gradients of an earlier micro-batch
};

}  // namespace

std::unique_ptr<ShardingStrategy> MakeDdp(Tape* tape, ParameterSet* weights, const ShardingOptions& options) {
  return std::make_unique<Ddp>(tape, weights, options);
}

}  // namespace stepsim::workloads
