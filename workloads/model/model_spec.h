// The shape of a transformer: everything that decides what a step computes. One file of configs/models each.
#pragma once

#include <optional>
#include <string>

#include "sim/config/catalogue.h"
#include "sim/config/schema.h"

namespace stepsim::workloads {

struct ModelSpec {
  std::string name;                 // for people: catalogue name or file stem
  std::string family;               // of Families()
  int64_t layers = 0;
  int64_t hidden = 0;
  int64_t heads = 0;
  int64_t kv_heads = 0;             // 0 in a file: as heads
  int64_t head_dim = 0;             // 0 in a file: hidden / heads
  int64_t ffn = 0;                  // inner width of the MLP
  int64_t vocab = 0;
  int64_t max_positions = 0;
  int64_t token_types = 0;          // rows of BERT's segment table
  bool tied_embeddings = false;     // output matrix shared with the input embedding
  int64_t parameters = 0;           // published count; 0: unknown. Checked when given

  int64_t query_width() const { return heads * head_dim; }
  int64_t kv_width() const { return kv_heads * head_dim; }
  bool operator==(const ModelSpec&) const = default;
};

const sim::Schema<ModelSpec>& ModelSchema();

// What a scenario's `model:` means: a catalogue name, a path to a file of ours or to a Hugging Face config.json (one that
// has `model_type` or `architectures`), or either of them inline. Problems are reported with their positions.
std::optional<ModelSpec> ReadModel(const sim::Catalogue& catalogue, const sim::ConfigNode& value,
                                   sim::Diagnostics* problems);

// Fills what a file may leave out (kv_heads, head_dim) and reports what cannot be, at the keys named by `keys`
// (heads do not divide hidden, key heads do not divide heads, parameter count differs …).
struct ModelKeys {
  std::string hidden = "hidden", heads = "heads", kv_heads = "kv_heads", head_dim = "head_dim",
              parameters = "parameters";
};
void CompleteModel(const sim::ConfigNode& node, const ModelKeys& keys, ModelSpec* model, sim::Diagnostics* problems);

}  // namespace stepsim::workloads
