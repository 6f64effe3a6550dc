// A model family: its weights by name and shape, and its forward pass as operators of the tape. Families() lists them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/base/registry.h"
#include "workloads/model/model_spec.h"
#include "workloads/tape/ops.h"
#include "workloads/training_spec.h"

namespace stepsim::workloads {

// A weight of [rows, columns] as PyTorch stores it (a vector has one column).
struct WeightShape {
  std::string name;
  int64_t rows = 0;
  int64_t columns = 1;
};

// In registration order: before the layers, of each layer, behind them.
struct WeightList {
  std::vector<WeightShape> before;
  std::vector<WeightShape> layer;
  std::vector<WeightShape> after;
};

// The weights of a model, by name: "embedding", "layers.3.q.weight", "norm.weight".
class ParameterSet {
 public:
  ParameterSet(const ModelSpec& model, sim::DType dtype);
  std::vector<std::unique_ptr<Parameter>>& all() { return parameters_; }
  const std::vector<std::unique_ptr<Parameter>>& all() const { return parameters_; }
  Parameter& operator()(const std::string& name);             // of the root
  Parameter& operator()(int layer, const std::string& name);  // of a layer
  bool has(const std::string& name) const { return by_name_.count({-1, name}) > 0; }

 private:
  void Add(const WeightShape& shape, int32_t unit, sim::DType dtype);
  std::vector<std::unique_ptr<Parameter>> parameters_;
  std::map<std::pair<int, std::string>, Parameter*> by_name_;
};

// One forward pass: what the operators of a family need.
struct ForwardPass {
  Tape& tape;
  const ModelSpec& model;
  ParameterSet& weights;
  int64_t sequences = 0;  // of the micro-batch
  int64_t sequence = 0;   // tokens each
  AttentionChoice attention = AttentionChoice::kFlash2;
  Tensor cos = {}, sin = {};  // rotary tables

  int64_t tokens() const { return sequences * sequence; }
  Tensor Linear(const Tensor& x, Parameter& weight, Parameter* bias, int64_t out, int64_t in) {
    return workloads::Linear(tape, x, weight, bias, tokens(), out, in);
  }
  Tensor Attend(const Tensor& q, const Tensor& k, const Tensor& v, bool causal);
};

struct Family {
  WeightList (*weights)(const ModelSpec& model);
  Tensor (*embed)(ForwardPass& pass);
  Tensor (*layer)(ForwardPass& pass, int layer, Tensor x);
  Tensor (*loss)(ForwardPass& pass, Tensor x);
  // Reports shapes that the family does not have (gpt with fewer key heads …).
  void (*check)(const ModelSpec& model, const sim::ConfigNode& node, const ModelKeys& keys, sim::Diagnostics* problems);
  bool causal;
  bool learned_positions;  // a sequence cannot be longer than the table
};

const sim::Registry<const Family*>& Families();
const Family& FamilyOf(const ModelSpec& model);
int64_t CountParameters(const ModelSpec& model);

// One per file of this folder.
const Family& GptFamily();
const Family& LlamaFamily();
const Family& BertFamily();

// Parts that families share (shared_parts.cc).
// Hugging Face's test for packed sequences: small kernels, then `is_nonzero`, for which the host waits.
void TestPositions(ForwardPass& pass);
// Logits in fp32 (if not `in_low_precision`), log-softmax and negative log-likelihood of shifted labels.
Tensor CausalLanguageModelLoss(ForwardPass& pass, const Tensor& x, Parameter& head);
void CheckPlainHeads(const ModelSpec& model, const sim::ConfigNode& node, const ModelKeys& keys,
                     sim::Diagnostics* problems);

}  // namespace stepsim::workloads
