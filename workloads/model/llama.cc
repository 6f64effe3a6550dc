// LLaMA 1 to 3 as transformers' LlamaForCausalLM (modeling_llama.py).
#include "workloads/model/family.h"

namespace stepsim::workloads {
namespace {

WeightList Weights(const ModelSpec& m) {
  WeightList list;
  list.before = {{"embedding", m.vocab, m.hidden}};
  list.layer = {{"q.weight", m.query_width(), m.hidden}, {"k.weight", m.kv_width(), m.hidden},
                {"v.weight", m.kv_width(), m.hidden},    {"o.weight", m.hidden, m.query_width()},
                {"gate.weight", m.ffn, m.hidden},        {"up.weight", m.ffn, m.hidden},
                {"down.weight", m.hidden, m.ffn},        {"input_norm.weight", m.hidden},
                {"post_attention_norm.weight", m.hidden}};
  list.after = {{"norm.weight", m.hidden}};
  if (!m.tied_embeddings) list.after.push_back({"head", m.vocab, m.hidden});
  return list;
}

Tensor Embed(ForwardPass& pass) {
  Tape& tape = pass.tape;
  const sim::DType dtype = tape.precision().compute;
  TestPositions(pass);
  // Rotary tables: positions × inverse frequencies as a product in fp32, then cos and sin, cast if weights are 16 bit.
  const int casts = dtype == sim::DType::kFp32 ? 0 : 2;
  for (int i = 0; i < 6 + casts; ++i) tape.Launch(KernelClass::kRotaryTable, 0, 0);
  tape.Gemm({.m = pass.model.head_dim / 2, .n = pass.sequence, .k = 1, .auxiliary = true}, sim::DType::kFp32);
  Tensor x = Embedding(tape, pass.weights("embedding"), pass.tokens());
  pass.cos = tape.Allocate(pass.sequence * pass.model.head_dim, dtype);
  pass.sin = tape.Allocate(pass.sequence * pass.model.head_dim, dtype);
  return x;
}

Tensor AttentionBlock(ForwardPass& pass, int i, const Tensor& x) {
  const ModelSpec& m = pass.model;
  Tape& tape = pass.tape;
  ParameterSet& w = pass.weights;
  const Tensor normed = RmsNorm(tape, x, w(i, "input_norm.weight"), pass.tokens());
  Tensor q = pass.Linear(normed, w(i, "q.weight"), nullptr, m.query_width(), m.hidden);
  Tensor k = pass.Linear(normed, w(i, "k.weight"), nullptr, m.kv_width(), m.hidden);
  const Tensor v = pass.Linear(normed, w(i, "v.weight"), nullptr, m.kv_width(), m.hidden);
  q = HeadMajorView(tape, q);
  k = HeadMajorView(tape, k);
  const Tensor rotated_q = Rotary(tape, q, pass.cos, pass.sin);
  const Tensor rotated_k = Rotary(tape, k, pass.cos, pass.sin);
  q = k = Tensor();
  const Tensor attended = pass.Attend(rotated_q, rotated_k, v, /*causal=*/true);
  return pass.Linear(attended, w(i, "o.weight"), nullptr, m.hidden, m.query_width());
}

Tensor Mlp(ForwardPass& pass, int i, const Tensor& normed) {
  const ModelSpec& m = pass.model;
  ParameterSet& w = pass.weights;
  Tensor product;
  {
    Tensor gate = pass.Linear(normed, w(i, "gate.weight"), nullptr, m.ffn, m.hidden);
    gate = Silu(pass.tape, gate);
    const Tensor up = pass.Linear(normed, w(i, "up.weight"), nullptr, m.ffn, m.hidden);
    product = Mul(pass.tape, gate, up);
  }
  return pass.Linear(product, w(i, "down.weight"), nullptr, m.hidden, m.ffn);
}

Tensor Layer(ForwardPass& pass, int i, Tensor x) {
  {
    const Tensor attended = AttentionBlock(pass, i, x);
    x = Add(pass.tape, x, attended);
  }
  const Tensor normed = RmsNorm(pass.tape, x, pass.weights(i, "post_attention_norm.weight"), pass.tokens());
  const Tensor projected = Mlp(pass, i, normed);
  return Add(pass.tape, x, projected);
}

Tensor Loss(ForwardPass& pass, Tensor x) {
  x = RmsNorm(pass.tape, x, pass.weights("norm.weight"), pass.tokens());
  return CausalLanguageModelLoss(pass, x, pass.weights(pass.model.tied_embeddings ? "embedding" : "head"));
}

void Check(const ModelSpec&, const sim::ConfigNode&, const ModelKeys&, sim::Diagnostics*) {}

}  // namespace

const Family& LlamaFamily() {
  static const Family family = {Weights, Embed, Layer, Loss, Check, /*causal=*/true, /*learned_positions=*/false};
  return family;
}

}  // namespace stepsim::workloads
