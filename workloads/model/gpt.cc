// GPT-2 and GPT-3 as transformers' GPT2LMHeadModel (modeling_gpt2.py): fused qkv, NewGELU written out, tied head.
#include "workloads/model/family.h"

namespace stepsim::workloads {
namespace {

// Conv1D stores its weight as [in, out].
WeightList Weights(const ModelSpec& m) {
  const int64_t h = m.hidden;
  WeightList list;
  list.before = {{"embedding", m.vocab, h}, {"positions", m.max_positions, h}};
  list.layer = {{"norm1.weight", h}, {"norm1.bias", h}, {"qkv.weight", h, 3 * h}, {"qkv.bias", 3 * h},
                {"o.weight", h, h},  {"o.bias", h},     {"norm2.weight", h},      {"norm2.bias", h},
                {"fc.weight", h, m.ffn}, {"fc.bias", m.ffn}, {"projection.weight", m.ffn, h}, {"projection.bias", h}};
  list.after = {{"norm.weight", h}, {"norm.bias", h}};
  if (!m.tied_embeddings) list.after.push_back({"head", m.vocab, h});
  return list;
}

Tensor Embed(ForwardPass& pass) {
  TestPositions(pass);
  const Tensor tokens = Embedding(pass.tape, pass.weights("embedding"), pass.tokens());
  const Tensor positions = Embedding(pass.tape, pass.weights("positions"), pass.sequence);
  return AddBroadcast(pass.tape, tokens, positions);
}

// 0.5·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))), one kernel a sign.
Tensor NewGelu(Tape& tape, const Tensor& x) {
  const Tensor half = MulScalar(tape, x);
  Tensor t = Pow(tape, x, 3);
  t = MulScalar(tape, t);
  t = Add(tape, x, t);
  t = MulScalar(tape, t);
  t = Tanh(tape, t);
  t = AddScalar(tape, t);
  return Mul(tape, half, t);
}

Tensor AttentionBlock(ForwardPass& pass, int i, const Tensor& x) {
  const int64_t h = pass.model.hidden;
  Tape& tape = pass.tape;
  ParameterSet& w = pass.weights;
  const Tensor normed = LayerNorm(tape, x, w(i, "norm1.weight"), w(i, "norm1.bias"), pass.tokens());
  std::vector<Tensor> qkv = SplitQkv(tape, pass.Linear(normed, w(i, "qkv.weight"), &w(i, "qkv.bias"), 3 * h, h));
  const Tensor attended = pass.Attend(qkv[0], qkv[1], qkv[2], /*causal=*/true);
  return pass.Linear(attended, w(i, "o.weight"), &w(i, "o.bias"), h, h);
}

Tensor Layer(ForwardPass& pass, int i, Tensor x) {
  const int64_t h = pass.model.hidden;
  const int64_t ffn = pass.model.ffn;
  Tape& tape = pass.tape;
  ParameterSet& w = pass.weights;
  {
    const Tensor attended = AttentionBlock(pass, i, x);
    x = Add(tape, attended, x);
  }
  const Tensor normed = LayerNorm(tape, x, w(i, "norm2.weight"), w(i, "norm2.bias"), pass.tokens());
  Tensor projected;
  {
    const Tensor inner = pass.Linear(normed, w(i, "fc.weight"), &w(i, "fc.bias"), ffn, h);
    const Tensor activated = NewGelu(tape, inner);
    projected = pass.Linear(activated, w(i, "projection.weight"), &w(i, "projection.bias"), h, ffn);
  }
  return Add(tape, x, projected);
}

Tensor Loss(ForwardPass& pass, Tensor x) {
  x = LayerNorm(pass.tape, x, pass.weights("norm.weight"), pass.weights("norm.bias"), pass.tokens());
  return CausalLanguageModelLoss(pass, x, pass.weights(pass.model.tied_embeddings ? "embedding" : "head"));
}

}  // namespace

const Family& GptFamily() {
  static const Family family = {Weights, Embed, Layer, Loss, CheckPlainHeads, /*causal=*/true, /*learned_positions=*/true};
  return family;
}

}  // namespace stepsim::workloads
