#include "workloads/tape/tape.h"

#include "workloads/tape/ops.h"

namespace stepsim::workloads {

std::vector<Tensor> Tape::Apply(OpCall call) {
  bool requires_grad = false;
  for (const Tensor* input : call.inputs) requires_grad |= input->requires_grad;
  std::vector<Tensor> outputs(call.outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].elements = call.outputs[i].elements;
    outputs[i].dtype = call.outputs[i].dtype;
  }
  std::vector<SavedTensor> saved;
  for (const Tensor* input : call.save_inputs) {
    if (requires_grad && !Save(*input, &saved)) return outputs;
  }
  if (stopped_) return outputs;
  for (Tensor& output : outputs) output = Allocate(output.elements, output.dtype);
  call.launch();
  if (!requires_grad) return outputs;
  for (const int index : call.save_outputs) {
    if (!Save(outputs[static_cast<size_t>(index)], &saved)) return outputs;
  }
  auto node = std::make_shared<Node>();
  node->sequence = ++sequence_;
  node->saved = std::move(saved);
  node->backward = std::move(call.backward);
  for (const Tensor* input : call.inputs) {
    node->edges.push_back(input->requires_grad ? Edge{input->node, input->output} : Edge{});
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].node = node;
    outputs[i].output = static_cast<int>(i);
    outputs[i].requires_grad = true;
  }
  return outputs;
}

std::vector<Tensor> Tape::Views(const Tensor& input, int count, BackwardFunction backward) {
  std::shared_ptr<Node> node;
  if (input.requires_grad && !stopped_) {
    node = std::make_shared<Node>();
    node->sequence = ++sequence_;
    node->edges.push_back({input.node, input.output});
    node->backward = std::move(backward);
  }
  std::vector<Tensor> views(static_cast<size_t>(count), input.Alias());
  for (size_t i = 0; i < views.size(); ++i) {
    views[i].elements = input.elements / count;
    views[i].node = node;
    views[i].output = static_cast<int>(i);
    views[i].requires_grad = node != nullptr;
  }
  return views;
}

Tensor Tape::Hook(const Tensor& input, std::function<void()> hook) {
  Tensor with_edge = input;
  with_edge.requires_grad = true;  // a module's output has a gradient if its weights do
  return std::move(Views(with_edge, 1, [hook = std::move(hook)](Tape&, std::vector<Tensor>&, Gradients& g) {
                     hook();
                     return Gradients{std::move(g[0])};
                   })
                       .front());
}

Tensor Tape::Allocate(int64_t elements, sim::DType dtype) { return Allocate(elements, dtype, part_); }

Tensor Tape::Allocate(int64_t elements, sim::DType dtype, sim::MemoryPart part) {
  Tensor tensor;
  tensor.elements = elements;
  tensor.dtype = dtype;
  if (stopped_) return tensor;
  tensor.defined = true;
  tensor.storage = std::make_shared<Storage>(&program_.memory(), tensor.bytes(), part);
  return tensor;
}

void Tape::Gemm(const GemmShape& shape, sim::DType dtype) {
  if (stopped_) return;
  program_.Gemm(shape, dtype == sim::DType::kFp32 ? precision_.matmul_fp32 : dtype);
}

Tensor Tape::Leaf(Parameter& parameter) {
  Tensor leaf = parameter.value.Alias();
  leaf.elements = parameter.elements();
  leaf.dtype = parameter.dtype;
  leaf.requires_grad = true;
  leaf.node = parameter.accumulate;
  if (leaf.node == nullptr) {
    leaf.node = std::make_shared<Node>();
    leaf.node->sequence = INT64_MAX;  // the engine runs AccumulateGrad as soon as it is ready
    leaf.node->backward = [&parameter](Tape& tape, std::vector<Tensor>&, Gradients& gradients) {
      tape.sink_(parameter, std::move(gradients[0]));
      return Gradients();
    };
    parameter.accumulate = leaf.node;
  }
  return leaf;
}

Tensor Tape::Weight(Parameter& parameter) {
  if (!autocast_ || parameter.dtype == precision_.low) return Leaf(parameter);
  if (const auto cached = weight_cache_.find(&parameter); cached != weight_cache_.end()) return cached->second;
  const PartScope scope(*this, sim::MemoryPart::kWeightCopies);
  Tensor copy = Cast(*this, Leaf(parameter), precision_.low);
  weight_cache_.emplace(&parameter, copy);
  return copy;
}

}  // namespace stepsim::workloads
