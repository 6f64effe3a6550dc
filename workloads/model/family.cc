#include "workloads/model/family.h"

#include "absl/strings/str_cat.h"
#include "sim/base/check.h"

namespace stepsim::workloads {

const sim::Registry<const Family*>& Families() {
  static const auto* registry = new sim::Registry<const Family*>(
      "model family", {{"gpt", "GPT-2 and GPT-3: LayerNorm, biases, learned positions, GELU", &GptFamily()},
                       {"llama", "LLaMA: RMSNorm, rotary positions, gated MLP, grouped key heads", &LlamaFamily()},
                       {"bert", "BERT: LayerNorm behind each block, masked-language-model head", &BertFamily()}});
  return *registry;
}

const Family& FamilyOf(const ModelSpec& model) {
  const auto family = Families().Find(model.family);
  SIM_CHECK(family.ok()) << model.family;
  return **family;
}

int64_t CountParameters(const ModelSpec& model) {
  const WeightList list = FamilyOf(model).weights(model);
  const auto sum = [](const std::vector<WeightShape>& shapes) {
    int64_t total = 0;
    for (const WeightShape& shape : shapes) total += shape.rows * shape.columns;
    return total;
  };
  return sum(list.before) + model.layers * sum(list.layer) + sum(list.after);
}

ParameterSet::ParameterSet(const ModelSpec& model, sim::DType dtype) {
  const WeightList list = FamilyOf(model).weights(model);
  for (const WeightShape& shape : list.before) Add(shape, -1, dtype);
  for (int32_t layer = 0; layer < model.layers; ++layer) {
    for (const WeightShape& shape : list.layer) Add(shape, layer, dtype);
  }
  for (const WeightShape& shape : list.after) Add(shape, -1, dtype);
}

void ParameterSet::Add(const WeightShape& shape, int32_t unit, sim::DType dtype) {
  auto parameter = std::make_unique<Parameter>();
  parameter->name = unit < 0 ? shape.name : absl::StrCat("layers.", unit, ".", shape.name);
  parameter->unit = unit;
  parameter->rows = shape.rows;
  parameter->columns = shape.columns;
  parameter->dtype = dtype;
  parameter->index = static_cast<int32_t>(parameters_.size());
  by_name_[{unit, shape.name}] = parameter.get();
  parameters_.push_back(std::move(parameter));
}

Parameter& ParameterSet::operator()(const std::string& name) { return (*this)(-1, name); }

Parameter& ParameterSet::operator()(int layer, const std::string& name) {
  const auto found = by_name_.find({layer, name});
  SIM_CHECK(found != by_name_.end()) << "no weight " << name;
  return *found->second;
}

Tensor ForwardPass::Attend(const Tensor& q, const Tensor& k, const Tensor& v, bool causal) {
  AttentionShape shape{sequences, model.heads, model.kv_heads, sequence, model.head_dim, causal};
  switch (attention) {
    case AttentionChoice::kEager: return EagerAttention(tape, q, k, v, shape);
    case AttentionChoice::kFlash1: shape.backend = sim::AttentionBackend::kFlash1; break;
    case AttentionChoice::kFlash2: shape.backend = sim::AttentionBackend::kFlash2; break;
    case AttentionChoice::kFlash3: shape.backend = sim::AttentionBackend::kFlash3; break;
    case AttentionChoice::kCudnn: shape.backend = sim::AttentionBackend::kCudnn; break;
  }
  return FusedAttention(tape, q, k, v, shape);
}

}  // namespace stepsim::workloads
