#include "workloads/tape/ops.h"

namespace stepsim::workloads {
namespace {

using sim::DType;

// A copy that makes an operand of the batched products contiguous; its gradient is copied back or passes as a view.
Tensor Contiguous(Tape& tape, const Tensor& x, bool copies_back) {
  return tape.Apply1({.inputs = {&x},
                      .outputs = {{x.elements, x.dtype}},
                      .launch = [&] { tape.Launch(KernelClass::kTransposeCopy, x.bytes(), x.bytes()); },
                      .backward = [copies_back](Tape& t, std::vector<Tensor>&, Gradients& g) {
                        if (!copies_back) return Gradients{std::move(g[0])};
                        Tensor result = t.Allocate(g[0].elements, g[0].dtype);
                        t.Launch(KernelClass::kTransposeCopy, g[0].bytes(), result.bytes());
                        return Gradients{std::move(result)};
                      }});
}

// Scores plus an fp32 mask: the result is fp32.
Tensor AddMask(Tape& tape, const Tensor& scores) {
  const DType source = scores.dtype;
  return tape.Apply1({.inputs = {&scores},
                      .outputs = {{scores.elements, DType::kFp32}},
                      .launch = [&] { tape.Launch(KernelClass::kAddMask, scores.bytes(), scores.elements * 4); },
                      .backward = [source](Tape& t, std::vector<Tensor>&, Gradients& g) {
                        if (g[0].dtype == source) return Gradients{std::move(g[0])};
                        Tensor result = t.Allocate(g[0].elements, source);
                        t.Launch(KernelClass::kCopyFB, g[0].bytes(), result.bytes());
                        return Gradients{std::move(result)};
                      }});
}

Tensor Softmax(Tape& tape, const Tensor& x) {
  return tape.Apply1({.inputs = {&x},
                      .outputs = {{x.elements, x.dtype}},
                      .launch = [&] { tape.Launch(KernelClass::kSoftmax, x.bytes(), x.bytes()); },
                      .save_outputs = {0},
                      .backward = [](Tape& t, std::vector<Tensor>&, Gradients& g) {
                        const Tensor gradient = std::move(g[0]);
                        const Tensor product = t.Allocate(gradient.elements, gradient.dtype);
                        t.Launch(KernelClass::kMul, 2 * gradient.bytes(), gradient.bytes());
                        Tensor result = t.Allocate(gradient.elements, gradient.dtype);
                        t.Launch(KernelClass::kSoftmaxBackward, 2 * gradient.bytes(), gradient.bytes());
                        return Gradients{std::move(result)};
                      }});
}

}  // namespace

Tensor FusedAttention(Tape& tape, const Tensor& q_in, const Tensor& k_in, const Tensor& v_in,
                      const AttentionShape& shape) {
  const Tensor q = AutocastToLow(tape, q_in);
  const Tensor k = AutocastToLow(tape, k_in);
  const Tensor v = AutocastToLow(tape, v_in);
  const int64_t statistics = shape.sequences * shape.heads * shape.sequence;  // log-sum-exp of each row
  const DType dtype = q.dtype;
  return std::move(
      tape.Apply({.inputs = {&q, &k, &v},
                  .outputs = {{q.elements, dtype}, {statistics, DType::kFp32}},
                  .launch = [&] { tape.Attention(shape, false, dtype); },
                  .save_inputs = {&q, &k, &v},
                  .save_outputs = {0, 1},
                  .backward = [=](Tape& t, std::vector<Tensor>& saved, Gradients& g) {
                    const Tensor gradient = std::move(g[0]);
                    const Tensor& q0 = saved[0];
                    const Tensor& k0 = saved[1];
                    const Tensor dq_fp32 = t.Allocate(q0.elements, DType::kFp32);
                    const Tensor delta = t.Allocate(statistics, DType::kFp32);
                    t.Launch(KernelClass::kDotDoO, 2 * q0.bytes(), delta.bytes());
                    t.Attention(shape, true, dtype);
                    t.Launch(KernelClass::kConvertDq, dq_fp32.bytes(), q0.bytes());
                    Tensor dk_heads, dv_heads;
                    if (shape.kv_heads < shape.heads) {
                      dk_heads = t.Allocate(q0.elements, dtype);
                      dv_heads = t.Allocate(q0.elements, dtype);
                      t.Launch(KernelClass::kReduceHead, q0.bytes(), k0.bytes());
                      t.Launch(KernelClass::kReduceHead, q0.bytes(), k0.bytes());
                    }
                    return Gradients{t.Allocate(q0.elements, dtype), t.Allocate(k0.elements, dtype),
                                     t.Allocate(k0.elements, dtype)};
                  }})
          .front());
}

Tensor EagerAttention(Tape& tape, Tensor q, Tensor k, Tensor v, const AttentionShape& s) {
  q = AutocastToLow(tape, q);
  k = AutocastToLow(tape, k);
  v = AutocastToLow(tape, v);
  const DType dtype = q.dtype;
  const int64_t batch = s.sequences * s.heads;
  Tensor qc = Contiguous(tape, q, true);
  Tensor kc = Contiguous(tape, k, true);
  const Tensor vc = Contiguous(tape, v, true);
  q = k = v = Tensor();
  Tensor scores = BatchedMatmul(tape, qc, kc, s.sequence, s.sequence, s.head_dim, batch);
  qc = kc = Tensor();
  scores = MulScalar(tape, scores);
  scores = s.causal ? AddMask(tape, scores) : Cast(tape, scores, DType::kFp32);
  scores = Softmax(tape, scores);
  scores = Cast(tape, scores, dtype);
  const Tensor output = BatchedMatmul(tape, scores, vc, s.sequence, s.head_dim, s.sequence, batch);
  scores = Tensor();
  return Contiguous(tape, output, !s.causal);
}

std::vector<Tensor> SplitQkv(Tape& tape, const Tensor& qkv) {
  return tape.Views(qkv, 3, [](Tape& t, std::vector<Tensor>&, Gradients& g) {
    int64_t elements = 0;
    for (const Tensor& part : g) elements += part.elements;
    Tensor result = t.Allocate(elements, g[0].dtype);
    t.Launch(KernelClass::kCatQkv, result.bytes(), result.bytes());
    return Gradients{std::move(result)};
  });
}

}  // namespace stepsim::workloads
