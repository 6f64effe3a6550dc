// The autograd engine and checkpointing of the tape.
#include <queue>
#include <tuple>

#include "sim/base/check.h"
#include "workloads/tape/ops.h"
#include "workloads/tape/tape.h"

namespace stepsim::workloads {

// A checkpointed call: what to run again, and what that run has put back.
struct Checkpoint {
  std::function<Tensor(Tensor)> function;
  Tensor input;
  bool autocast = false;
  int32_t count = 0;      // tensors saved by the forward
  int32_t refilled = 0;
  std::vector<Tensor> tensors;
};

bool Tape::Save(const Tensor& tensor, std::vector<SavedTensor>* saved) {
  if (stopped_) return false;
  if (refilling_ != nullptr) {
    Checkpoint& checkpoint = *refilling_;
    checkpoint.tensors[static_cast<size_t>(checkpoint.refilled++)] = tensor.Alias();
    stopped_ = checkpoint.refilled == checkpoint.count;
    return !stopped_;
  }
  SavedTensor item;
  if (recording_ != nullptr) {
    item.checkpoint = recording_;
    item.index = recording_->count++;
  } else {
    item.tensor = tensor.Alias();
  }
  saved->push_back(std::move(item));
  return true;
}

Tensor Tape::Unpack(const SavedTensor& saved) {
  if (saved.checkpoint == nullptr) return saved.tensor;
  Checkpoint& checkpoint = *saved.checkpoint;
  if (checkpoint.tensors.empty()) Recompute(checkpoint);
  return std::move(checkpoint.tensors[static_cast<size_t>(saved.index)]);
}

Tensor Tape::RunCheckpointed(std::function<Tensor(Tensor)> function, Tensor input) {
  auto checkpoint = std::make_shared<Checkpoint>();
  checkpoint->function = std::move(function);
  checkpoint->input = input.Alias();
  checkpoint->autocast = autocast_;
  recording_ = checkpoint;
  Tensor output = checkpoint->function(std::move(input));
  recording_ = nullptr;
  return output;
}

void Tape::Recompute(Checkpoint& checkpoint) {
  const bool autocast = std::exchange(autocast_, checkpoint.autocast);
  auto cache = std::exchange(weight_cache_, {});  // a new autocast region: weights are cast again
  const sim::Phase phase = program_.phase();
  program_.set_phase(sim::Phase::kRecompute);
  checkpoint.tensors.resize(static_cast<size_t>(checkpoint.count));
  refilling_ = &checkpoint;
  Tensor input = checkpoint.input.Alias();
  input.requires_grad = true;
  checkpoint.function(std::move(input));
  SIM_CHECK(checkpoint.refilled == checkpoint.count) << "recomputation saved fewer tensors than the forward";
  refilling_ = nullptr;
  stopped_ = false;
  program_.set_phase(phase);
  autocast_ = autocast;
  weight_cache_ = std::move(cache);
}

void Tape::CountDependencies(const std::shared_ptr<Node>& root) {
  std::vector<Node*> stack = {root.get()};
  root->visited = true;
  while (!stack.empty()) {
    const Node* node = stack.back();
    stack.pop_back();
    for (const Edge& edge : node->edges) {
      if (edge.node == nullptr) continue;
      ++edge.node->dependencies;
      if (std::exchange(edge.node->visited, true)) continue;
      stack.push_back(edge.node.get());
    }
  }
}

// Adds a gradient to what its node has received: in place unless somebody else holds the older one.
void Tape::Deliver(const Edge& edge, Tensor gradient) {
  Gradients& arrived = edge.node->arrived;
  const auto slot = static_cast<size_t>(edge.input);
  if (arrived.size() <= slot) arrived.resize(slot + 1);
  Tensor& old = arrived[slot];
  if (!old.defined) {
    old = std::move(gradient);
    return;
  }
  Launch(KernelClass::kAccumulate, old.bytes() + gradient.bytes(), old.bytes(), old.dtype);
  if (old.storage.use_count() > 1) old = Allocate(old.elements, old.dtype);
}

void Tape::RunNode(Node& node, Gradients* results) {
  Gradients gradients = std::exchange(node.arrived, {});
  std::vector<Tensor> saved;
  saved.reserve(node.saved.size());
  for (const SavedTensor& item : node.saved) saved.push_back(Unpack(item));
  *results = node.backward(*this, saved, gradients);
  node.saved.clear();
}

void Tape::Backward(Tensor root) {
  using Ready = std::tuple<int64_t, int64_t, std::shared_ptr<Node>>;  // latest sequence first, then first come
  const auto later = [](const Ready& a, const Ready& b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
  };
  std::priority_queue<Ready, std::vector<Ready>, decltype(later)> ready(later);
  int64_t arrivals = 0;
  CountDependencies(root.node);
  Launch(KernelClass::kOnes, 0, ElementSize(sim::DType::kFp32));
  root.node->arrived.push_back(Allocate(1, sim::DType::kFp32));
  ready.emplace(root.node->sequence, arrivals--, std::move(root.node));
  root = Tensor();
  while (!ready.empty()) {
    std::shared_ptr<Node> node = std::get<2>(ready.top());
    ready.pop();
    node->visited = false;
    Gradients results;
    RunNode(*node, &results);
    // AccumulateGrad nodes live on with their parameter.
    if (node->sequence != INT64_MAX) node->backward = nullptr;
    const std::vector<Edge> edges = std::exchange(node->edges, {});
    for (size_t i = 0; i < edges.size(); ++i) {
      const Edge& edge = edges[i];
      if (edge.node == nullptr) continue;
      if (i < results.size() && results[i].defined) Deliver(edge, std::move(results[i]));
      if (--edge.node->dependencies == 0) ready.emplace(edge.node->sequence, arrivals--, edge.node);
    }
  }
}

}  // namespace stepsim::workloads
