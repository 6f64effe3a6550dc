// A miniature eager framework without values: running a model's forward and backward on it writes the program that the
// framework would have issued (kernels, host costs) and follows memory by reference count. Autograd, autocast with its
// weight cache, and non-reentrant checkpointing with early stop behave as PyTorch 2.x's (torch/csrc/autograd/engine.cpp,
// torch/autocast_mode.py, torch/utils/checkpoint.py). Operators are in ops.h; adding one is one function there.
#pragma once

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "workloads/tape/program_builder.h"
#include "workloads/tape/tensor.h"

namespace stepsim::workloads {

// Types in which a step computes.
struct Precision {
  sim::DType master = sim::DType::kFp32;       // stored weights
  sim::DType compute = sim::DType::kFp32;      // weights as the module sees them
  sim::DType low = sim::DType::kBf16;          // of autocast
  sim::DType optimizer = sim::DType::kFp32;    // Adam's moments
  sim::DType matmul_fp32 = sim::DType::kFp32;  // how products of fp32 tensors run: kFp32 or kTf32
  bool autocast = false;
};

struct TensorType {
  int64_t elements = 0;
  sim::DType dtype = sim::DType::kFp32;
};

// One operator call. `launch` records its kernels after the outputs exist.
struct OpCall {
  std::vector<const Tensor*> inputs;
  std::vector<TensorType> outputs;
  absl::FunctionRef<void()> launch;
  std::vector<const Tensor*> save_inputs = {};
  std::vector<int> save_outputs = {};
  BackwardFunction backward;
};

class Tape {
 public:
  Tape(ProgramBuilder* program, const Precision& precision) : program_(*program), precision_(precision) {}

  ProgramBuilder& program() { return program_; }
  const Precision& precision() const { return precision_; }

  // --- Operators
  std::vector<Tensor> Apply(OpCall call);
  Tensor Apply1(OpCall call) { return std::move(Apply(std::move(call)).front()); }
  // A node that passes its input through, runs `hook` in backward, and launches nothing.
  Tensor Hook(const Tensor& input, std::function<void()> hook);
  // Output `index` of a node over views of `input` (split, transpose): shares its storage.
  std::vector<Tensor> Views(const Tensor& input, int count, BackwardFunction backward);
  // Memory of its own, counted as the current part.
  Tensor Allocate(int64_t elements, sim::DType dtype);
  Tensor Allocate(int64_t elements, sim::DType dtype, sim::MemoryPart part);
  void Launch(KernelClass kernel_class, int64_t read, int64_t written, sim::DType dtype = sim::DType::kFp32) {
    if (!stopped_) program_.Launch(kernel_class, read, written, dtype);
  }
  void Gemm(const GemmShape& shape, sim::DType dtype);
  void Attention(const AttentionShape& shape, bool backward, sim::DType dtype) {
    if (!stopped_) program_.Attention(shape, backward, dtype);
  }

  // --- Weights
  Tensor Leaf(Parameter& parameter);
  // The weight as a low-precision operator sees it: under autocast its 16-bit copy, made once per autocast region.
  Tensor Weight(Parameter& parameter);
  // Called with each parameter's gradient, once per backward.
  void set_gradient_sink(std::function<void(Parameter&, Tensor)> sink) { sink_ = std::move(sink); }

  // --- Autocast
  bool autocast() const { return autocast_; }
  void BeginAutocast() { autocast_ = precision_.autocast; }
  void EndAutocast() {
    autocast_ = false;
    weight_cache_.clear();
  }

  // --- Memory accounting: what allocations count as until the guard ends.
  class PartScope {
   public:
    PartScope(Tape& tape, sim::MemoryPart part) : tape_(tape), before_(tape.part_) { tape.part_ = part; }
    ~PartScope() { tape_.part_ = before_; }
    PartScope(const PartScope&) = delete;

   private:
    Tape& tape_;
    sim::MemoryPart before_;
  };

  // --- Autograd
  void Backward(Tensor root);
  // Runs `function` without keeping its saved tensors; backward runs it again up to the last tensor needed.
  Tensor RunCheckpointed(std::function<Tensor(Tensor)> function, Tensor input);

 private:
  friend struct Checkpoint;

  // Keeps a tensor for backward: itself, or under a checkpoint a promise. False once a recomputation has all it needs.
  bool Save(const Tensor& tensor, std::vector<SavedTensor>* saved);
  Tensor Unpack(const SavedTensor& saved);
  void Recompute(Checkpoint& checkpoint);
  void CountDependencies(const std::shared_ptr<Node>& root);
  void Deliver(const Edge& edge, Tensor gradient);
  void RunNode(Node& node, Gradients* results);

  ProgramBuilder& program_;
  Precision precision_;
  sim::MemoryPart part_ = sim::MemoryPart::kActivations;
  bool autocast_ = false;
  absl::flat_hash_map<const Parameter*, Tensor> weight_cache_;
  std::function<void(Parameter&, Tensor)> sink_;
  int64_t sequence_ = 0;
  std::shared_ptr<Checkpoint> recording_;  // forward of a checkpointed function
  Checkpoint* refilling_ = nullptr;        // its recomputation
  bool stopped_ = false;                   // which has all it needs: nothing more is issued
};

}  // namespace stepsim::workloads
