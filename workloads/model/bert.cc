// BERT as transformers' BertForMaskedLM (modeling_bert.py), without dropout: LayerNorm behind each block, exact GELU, a
// head of dense, GELU, LayerNorm and the tied decoder with its own bias. The loss takes every position.
#include "workloads/model/family.h"

#include "absl/strings/str_cat.h"

namespace stepsim::workloads {
namespace {

WeightList Weights(const ModelSpec& m) {
  const int64_t h = m.hidden;
  WeightList list;
  list.before = {{"embedding", m.vocab, h},
                 {"positions", m.max_positions, h},
                 {"token_types", m.token_types, h},
                 {"embedding_norm.weight", h},
                 {"embedding_norm.bias", h}};
  list.layer = {{"q.weight", h, h},         {"q.bias", h},        {"k.weight", h, h},  {"k.bias", h},
                {"v.weight", h, h},         {"v.bias", h},        {"o.weight", h, h},  {"o.bias", h},
                {"norm1.weight", h},        {"norm1.bias", h},    {"fc.weight", m.ffn, h}, {"fc.bias", m.ffn},
                {"projection.weight", h, m.ffn}, {"projection.bias", h}, {"norm2.weight", h}, {"norm2.bias", h}};
  list.after = {{"decoder.bias", m.vocab}, {"transform.weight", h, h}, {"transform.bias", h},
                {"transform_norm.weight", h}, {"transform_norm.bias", h}};
  return list;
}

Tensor Embed(ForwardPass& pass) {
  Tape& tape = pass.tape;
  ParameterSet& w = pass.weights;
  for (int i = 0; i < 2; ++i) tape.Launch(KernelClass::kPositionTest, 0, 0);
  Tensor x = Embedding(tape, w("embedding"), pass.tokens());
  {
    const Tensor types = Embedding(tape, w("token_types"), pass.tokens());
    x = Add(tape, x, types);
  }
  {
    const Tensor positions = Embedding(tape, w("positions"), pass.sequence);
    x = AddBroadcast(tape, x, positions);
  }
  return LayerNorm(tape, x, w("embedding_norm.weight"), w("embedding_norm.bias"), pass.tokens());
}

Tensor AttentionBlock(ForwardPass& pass, int i, const Tensor& x) {
  const int64_t h = pass.model.hidden;
  ParameterSet& w = pass.weights;
  const Tensor q = pass.Linear(x, w(i, "q.weight"), &w(i, "q.bias"), h, h);
  const Tensor k = pass.Linear(x, w(i, "k.weight"), &w(i, "k.bias"), h, h);
  const Tensor v = pass.Linear(x, w(i, "v.weight"), &w(i, "v.bias"), h, h);
  const Tensor attended = pass.Attend(q, k, v, /*causal=*/false);
  return pass.Linear(attended, w(i, "o.weight"), &w(i, "o.bias"), h, h);
}

Tensor Layer(ForwardPass& pass, int i, Tensor x) {
  Tape& tape = pass.tape;
  ParameterSet& w = pass.weights;
  Tensor sum;
  {
    const Tensor attended = AttentionBlock(pass, i, x);
    sum = Add(tape, attended, x);
  }
  const Tensor y = LayerNorm(tape, sum, w(i, "norm1.weight"), w(i, "norm1.bias"), pass.tokens());
  Tensor inner = pass.Linear(y, w(i, "fc.weight"), &w(i, "fc.bias"), pass.model.ffn, pass.model.hidden);
  inner = Gelu(tape, inner);
  const Tensor projected =
      pass.Linear(inner, w(i, "projection.weight"), &w(i, "projection.bias"), pass.model.hidden, pass.model.ffn);
  inner = Tensor();
  sum = Add(tape, projected, y);
  return LayerNorm(tape, sum, w(i, "norm2.weight"), w(i, "norm2.bias"), pass.tokens());
}

Tensor Loss(ForwardPass& pass, Tensor x) {
  Tape& tape = pass.tape;
  ParameterSet& w = pass.weights;
  const int64_t h = pass.model.hidden;
  x = pass.Linear(x, w("transform.weight"), &w("transform.bias"), h, h);
  x = Gelu(tape, x);
  x = LayerNorm(tape, x, w("transform_norm.weight"), w("transform_norm.bias"), pass.tokens());
  const Tape::PartScope scope(tape, sim::MemoryPart::kLogitsAndLoss);
  const Tensor logits = pass.Linear(x, w("embedding"), &w("decoder.bias"), pass.model.vocab, h);
  x = Tensor();
  // The loss runs in the logits' type and is widened before the sum.
  Tensor log_probabilities = LogSoftmax(tape, logits);
  log_probabilities = Cast(tape, log_probabilities, sim::DType::kFp32);
  return NegativeLogLikelihood(tape, log_probabilities);
}

void Check(const ModelSpec& model, const sim::ConfigNode& node, const ModelKeys& keys, sim::Diagnostics* problems) {
  CheckPlainHeads(model, node, keys, problems);
  if (model.token_types == 0) problems->Add(node.position(), "family bert needs token_types (BERT: 2)");
  if (!model.tied_embeddings) problems->Add(node.position(), "family bert ties its decoder to the embedding");
}

}  // namespace

const Family& BertFamily() {
  static const Family family = {Weights, Embed, Layer, Loss, Check, /*causal=*/false, /*learned_positions=*/true};
  return family;
}

}  // namespace stepsim::workloads
