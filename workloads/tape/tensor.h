// Tensors without values: a number of elements, a type, a storage that is freed with its last reference, and the node of
// the autograd graph that made them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/platform/dtype.h"
#include "sim/program/program.h"
#include "workloads/tape/memory_tracker.h"

namespace stepsim::workloads {

struct Node;
struct Parameter;

// A block of device memory. Its size can change (FSDP frees and refills parameters), and so can what it counts as.
class Storage {
 public:
  Storage(MemoryTracker* memory, int64_t bytes, sim::MemoryPart part) : memory_(memory), part_(part) { Resize(bytes); }
  ~Storage() { Resize(0); }
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  void Resize(int64_t bytes) {
    if (bytes_ > 0) memory_->Free(bytes_, part_);
    bytes_ = MemoryTracker::Rounded(bytes);
    if (bytes_ > 0) memory_->Allocate(bytes_, part_);
  }
  void set_part(sim::MemoryPart part) {
    if (part == part_) return;
    if (bytes_ > 0) memory_->Free(bytes_, part_);
    part_ = part;
    if (bytes_ > 0) memory_->Allocate(bytes_, part_);
  }

 private:
  MemoryTracker* memory_;
  int64_t bytes_ = 0;
  sim::MemoryPart part_;
};

struct Tensor {
  int64_t elements = 0;
  sim::DType dtype = sim::DType::kFp32;
  std::shared_ptr<Storage> storage;  // null: a tensor that takes no memory of the step (a persistent one)
  std::shared_ptr<Node> node;        // which made it; null for leaves and where no gradient flows
  int output = 0;                    // which of the node's outputs
  bool requires_grad = false;
  bool defined = false;

  int64_t bytes() const { return elements * ElementSize(dtype); }
  // The same memory, without history.
  Tensor Alias() const {
    Tensor alias;
    alias.elements = elements;
    alias.dtype = dtype;
    alias.storage = storage;
    alias.defined = defined;
    return alias;
  }
};

// A weight. `value` is what the operators read: persistent memory, or FSDP's gathered copy.
struct Parameter {
  std::string name;
  int32_t unit = -1;  // layer, or -1 for the root
  int64_t rows = 0;   // dimension 0, which FSDP2 shards
  int64_t columns = 1;
  sim::DType dtype = sim::DType::kFp32;  // of `value`
  Tensor value;
  Tensor gradient;                   // .grad between micro-batches
  std::shared_ptr<Node> accumulate;  // the graph's end: hands the gradient to the strategy
  int32_t index = 0;                 // in registration order

  int64_t elements() const { return rows * columns; }
};

// A tensor kept for backward, or the promise to recompute it.
struct Checkpoint;
struct SavedTensor {
  Tensor tensor;
  std::shared_ptr<Checkpoint> checkpoint;  // null: `tensor` is it
  int32_t index = 0;                       // among the checkpoint's saved tensors
};

class Tape;
// Gradients of the outputs (undefined where none arrived) and saved tensors → gradients of the inputs.
using Gradients = std::vector<Tensor>;
using BackwardFunction = std::function<Gradients(Tape& tape, std::vector<Tensor>& saved, Gradients& gradients)>;

struct Edge {
  std::shared_ptr<Node> node;  // null: no gradient wanted
  int input = 0;
};

struct Node {
  int64_t sequence = 0;  // order of creation: the engine runs the latest first
  std::vector<Edge> edges;
  std::vector<SavedTensor> saved;
  BackwardFunction backward;
  // State of a backward pass.
  Gradients arrived;
  int32_t dependencies = 0;
  bool visited = false;
};

}  // namespace stepsim::workloads
