#include "workloads/model/model_spec.h"

#include "absl/strings/str_cat.h"
#include "workloads/model/family.h"
#include "workloads/model/hf_config.h"

namespace stepsim::workloads {
namespace {

void ReadFamily(const sim::ConfigNode& node, ModelSpec* model, sim::Diagnostics* problems) {
  const auto name = sim::internal::ReadText(node, {}, problems);
  if (!name) return;
  model->family = *name;
  if (const auto found = Families().Find(*name); !found.ok()) {
    problems->Add(node.position(), sim::ToString(found.status().message()));
  }
}

// Position of `key`, or of the mapping when the key is absent.
const sim::SourcePosition& Position(const sim::ConfigNode& node, const std::string& key) {
  const sim::ConfigNode value = node[key];
  return value.is_missing() ? node.position() : value.position();
}

// "path/to/tiny.config.json" → "tiny.config"; used when a file has no name of its own.
std::string NameOf(const sim::Catalogue::Resolved& resolved) {
  return resolved.name.empty() ? "inline model" : resolved.name;
}

}  // namespace

const sim::Schema<ModelSpec>& ModelSchema() {
  static const auto* schema = new sim::Schema<ModelSpec>([] {
    sim::Schema<ModelSpec> s("model");
    s.Text("name", &ModelSpec::name, {.help = "for people"})
        .Custom("family", ReadFamily, {{"enum", Families().Names()}}, {.help = "block structure", .required = true})
        .Integer("layers", &ModelSpec::layers, {.help = "transformer blocks", .required = true, .min = 1, .max = 10000})
        .Integer("hidden", &ModelSpec::hidden, {.help = "model width", .required = true, .min = 1, .max = 1 << 20})
        .Integer("heads", &ModelSpec::heads, {.help = "query heads", .required = true, .min = 1, .max = 1 << 16})
        .Integer("kv_heads", &ModelSpec::kv_heads,
                 {.help = "key and value heads; as many as heads if left out", .min = 1, .max = 1 << 16})
        .Integer("head_dim", &ModelSpec::head_dim,
                 {.help = "width of a head; hidden / heads if left out", .min = 1, .max = 1 << 16})
        .Integer("ffn", &ModelSpec::ffn, {.help = "inner width of the MLP", .required = true, .min = 1, .max = 1 << 24})
        .Integer("vocab", &ModelSpec::vocab, {.help = "tokens", .required = true, .min = 1, .max = 1 << 28})
        .Integer("max_positions", &ModelSpec::max_positions,
                 {.help = "longest sequence", .required = true, .min = 1, .max = 1 << 28})
        .Integer("token_types", &ModelSpec::token_types, {.help = "rows of BERT's segment table", .min = 1, .max = 1024})
        .Boolean("tied_embeddings", &ModelSpec::tied_embeddings,
                 {.help = "output matrix shared with the input embedding", .required = true})
        .Integer("parameters", &ModelSpec::parameters, {.help = "published count, checked", .min = 1});
    return s;
  }());
  return *schema;
}

void CompleteModel(const sim::ConfigNode& node, const ModelKeys& keys, ModelSpec* model, sim::Diagnostics* problems) {
  const size_t before = problems->size();
  if (model->kv_heads == 0) model->kv_heads = model->heads;
  if (model->head_dim == 0) {
    if (model->hidden % model->heads != 0) {
      problems->Add(Position(node, keys.heads),
                    absl::StrCat(keys.heads, " must divide ", keys.hidden, ": ", model->hidden, " / ", model->heads));
    }
    model->head_dim = model->hidden / model->heads;
  }
  if (model->heads % model->kv_heads != 0) {
    problems->Add(Position(node, keys.kv_heads), absl::StrCat(keys.kv_heads, " must divide ", keys.heads, ": ",
                                                              model->heads, " / ", model->kv_heads));
  }
  const auto family = Families().Find(model->family);
  if (!family.ok() || problems->size() != before) return;
  (*family)->check(*model, node, keys, problems);
  if (problems->size() != before) return;
  const int64_t count = CountParameters(*model);
  if (model->parameters != 0 && model->parameters != count) {
    problems->Add(Position(node, keys.parameters), absl::StrCat("these shapes have ", count, " parameters, not ",
                                                                model->parameters));
  }
  model->parameters = count;
}

std::optional<ModelSpec> ReadModel(const sim::Catalogue& catalogue, const sim::ConfigNode& value,
                                   sim::Diagnostics* problems) {
  const size_t before = problems->size();
  const sim::Catalogue::Resolved resolved = catalogue.Resolve("models", value, problems);
  if (problems->size() != before) return std::nullopt;
  if (resolved.is_foreign || !resolved.node.is_mapping()) {
    problems->Add(value.position(), "expected a model: a name of configs/models, a path to a YAML file or to a Hugging "
                                    "Face config.json, or a mapping");
    return std::nullopt;
  }
  ModelSpec model;
  if (IsHuggingFaceConfig(resolved.node)) {
    ReadHuggingFaceConfig(resolved.node, &model, problems);
  } else {
    ModelSchema().Read(resolved.node, &model, problems);
    if (problems->size() == before) CompleteModel(resolved.node, ModelKeys{}, &model, problems);
  }
  if (problems->size() != before) return std::nullopt;
  if (model.name.empty()) model.name = NameOf(resolved);
  return model;
}

}  // namespace stepsim::workloads
