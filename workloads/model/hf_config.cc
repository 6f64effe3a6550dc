#include "workloads/model/hf_config.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace stepsim::workloads {
namespace {

using sim::ConfigNode;
using sim::Diagnostics;

// Integers by key: required, or with a default where the key is absent or null.
int64_t Required(const ConfigNode& node, const std::string& key, Diagnostics* problems) {
  const ConfigNode value = node[key];
  if (value.is_missing()) {
    sim::internal::ReportMissingKey(node, key, problems);
    return 1;
  }
  return sim::internal::ReadInteger(value, {.min = 1, .max = 1 << 28}, problems).value_or(1);
}

bool IsAbsent(const ConfigNode& value) {
  return value.is_missing() || value.kind() == ConfigNode::Kind::kNull;
}

int64_t Optional(const ConfigNode& node, const std::string& key, int64_t fallback, Diagnostics* problems) {
  return IsAbsent(node[key]) ? fallback : Required(node, key, problems);
}

bool Flag(const ConfigNode& node, const std::string& key, bool fallback, Diagnostics* problems) {
  if (IsAbsent(node[key])) return fallback;
  return sim::internal::ReadBoolean(node[key], {}, problems).value_or(fallback);
}

// A key whose other values change the step in a way that no family has.
void Expect(const ConfigNode& node, const std::string& key, const std::vector<std::string>& modelled,
            Diagnostics* problems) {
  const ConfigNode value = node[key];
  if (IsAbsent(value)) return;
  for (const std::string& text : modelled) {
    if (value.is_scalar() && value.text() == text) return;
  }
  problems->Add(value.position(), absl::StrCat(key, " other than ", absl::StrJoin(modelled, " or "),
                                               " is not modelled yet"));
}

void ReadLlama(const ConfigNode& node, ModelSpec* model, Diagnostics* problems) {
  model->family = "llama";
  model->layers = Required(node, "num_hidden_layers", problems);
  model->hidden = Required(node, "hidden_size", problems);
  model->heads = Required(node, "num_attention_heads", problems);
  model->kv_heads = Optional(node, "num_key_value_heads", 0, problems);
  model->head_dim = Optional(node, "head_dim", 0, problems);
  model->ffn = Required(node, "intermediate_size", problems);
  model->vocab = Required(node, "vocab_size", problems);
  model->max_positions = Optional(node, "max_position_embeddings", 2048, problems);
  model->tied_embeddings = Flag(node, "tie_word_embeddings", false, problems);
  Expect(node, "hidden_act", {"silu"}, problems);
  Expect(node, "attention_bias", {"false"}, problems);
  Expect(node, "mlp_bias", {"false"}, problems);
}

void ReadGpt2(const ConfigNode& node, ModelSpec* model, Diagnostics* problems) {
  model->family = "gpt";
  model->layers = Required(node, "n_layer", problems);
  model->hidden = Required(node, "n_embd", problems);
  model->heads = Required(node, "n_head", problems);
  model->ffn = Optional(node, "n_inner", 4 * model->hidden, problems);
  model->vocab = Required(node, "vocab_size", problems);
  model->max_positions = Required(node, "n_positions", problems);
  model->tied_embeddings = Flag(node, "tie_word_embeddings", true, problems);
  Expect(node, "activation_function", {"gelu_new"}, problems);
  Expect(node, "add_cross_attention", {"false"}, problems);
}

void ReadBert(const ConfigNode& node, ModelSpec* model, Diagnostics* problems) {
  model->family = "bert";
  model->layers = Required(node, "num_hidden_layers", problems);
  model->hidden = Required(node, "hidden_size", problems);
  model->heads = Required(node, "num_attention_heads", problems);
  model->ffn = Required(node, "intermediate_size", problems);
  model->vocab = Required(node, "vocab_size", problems);
  model->max_positions = Required(node, "max_position_embeddings", problems);
  model->token_types = Optional(node, "type_vocab_size", 2, problems);
  model->tied_embeddings = Flag(node, "tie_word_embeddings", true, problems);
  Expect(node, "hidden_act", {"gelu"}, problems);
  Expect(node, "position_embedding_type", {"absolute"}, problems);
}

struct Type {
  const char* model_type;
  const char* architecture_prefix;
  void (*read)(const ConfigNode&, ModelSpec*, Diagnostics*);
  ModelKeys keys;
};

const std::vector<Type>& Types() {
  static const auto* types = new std::vector<Type>{
      {"llama", "Llama", ReadLlama, {"hidden_size", "num_attention_heads", "num_key_value_heads", "head_dim", ""}},
      {"gpt2", "GPT2", ReadGpt2, {"n_embd", "n_head", "n_head", "n_head", ""}},
      {"bert", "Bert", ReadBert, {"hidden_size", "num_attention_heads", "num_attention_heads", "num_attention_heads", ""}}};
  return *types;
}

// By model_type; files without it are told by the class name ("LlamaForCausalLM").
const Type* FindType(const ConfigNode& node) {
  const ConfigNode type = node["model_type"];
  const std::vector<ConfigNode> architectures =
      node["architectures"].is_sequence() ? node["architectures"].items() : std::vector<ConfigNode>();
  for (const Type& candidate : Types()) {
    if (type.is_scalar()) {
      if (type.text() == candidate.model_type) return &candidate;
    } else if (!architectures.empty() && architectures[0].is_scalar() &&
               architectures[0].text().rfind(candidate.architecture_prefix, 0) == 0) {
      return &candidate;
    }
  }
  return nullptr;
}

}  // namespace

bool IsHuggingFaceConfig(const ConfigNode& node) {
  return node.is_mapping() && (!node["model_type"].is_missing() || !node["architectures"].is_missing());
}

void ReadHuggingFaceConfig(const ConfigNode& node, ModelSpec* model, Diagnostics* problems) {
  const Type* type = FindType(node);
  if (type == nullptr) {
    std::vector<std::string> names;
    for (const Type& known : Types()) names.emplace_back(known.model_type);
    const ConfigNode at = node["model_type"].is_missing() ? node["architectures"] : node["model_type"];
    const std::string what = at.is_scalar() ? absl::StrCat(" \"", at.text(), "\"") : "";
    problems->Add(at.position(),
                  absl::StrCat("model_type", what, " is not modelled yet; modelled: ", absl::StrJoin(names, ", ")));
    return;
  }
  const size_t before = problems->size();
  type->read(node, model, problems);
  if (problems->size() == before) CompleteModel(node, type->keys, model, problems);
}

}  // namespace stepsim::workloads
