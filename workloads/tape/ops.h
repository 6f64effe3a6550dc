// The operators of the tape: what each launches forward and backward, what it saves, and the types it returns, as eager
// PyTorch 2.x with Hugging Face's modules does (docs/models/workload.md). Arguments by value are let go before the
// operator returns its result, as when Python rebinds a name; the others live on with the caller.
#pragma once

#include "workloads/tape/tape.h"

namespace stepsim::workloads {

// --- cast.cc
Tensor Cast(Tape& tape, const Tensor& x, sim::DType dtype);
// Under autocast: to fp32, or to the low-precision type.
Tensor AutocastToFp32(Tape& tape, const Tensor& x);
Tensor AutocastToLow(Tape& tape, const Tensor& x);

// --- linear.cc: y[rows, out] = x[rows, in] · Wᵀ (+ bias).
Tensor Linear(Tape& tape, const Tensor& x, Parameter& weight, Parameter* bias, int64_t rows, int64_t out, int64_t in);
// A batched product of two activations (eager attention): [m, k] · [k, n], batch times.
Tensor BatchedMatmul(Tape& tape, const Tensor& a, const Tensor& b, int64_t m, int64_t n, int64_t k, int64_t batch);

// --- pointwise.cc
Tensor Add(Tape& tape, const Tensor& a, const Tensor& b);  // types promote: fp32 if either is
Tensor Add(Tape& tape, const Tensor& a, const Tensor& b, KernelClass kernel_class);
Tensor Mul(Tape& tape, const Tensor& a, const Tensor& b);
Tensor MulTable(Tape& tape, const Tensor& x, const Tensor& table);  // rotary table, broadcast over batch and heads
Tensor MulScalar(Tape& tape, const Tensor& x);
Tensor AddScalar(Tape& tape, const Tensor& x);
Tensor Pow(Tape& tape, const Tensor& x, int exponent);  // autocast runs it in fp32
Tensor Silu(Tape& tape, const Tensor& x);
Tensor Gelu(Tape& tape, const Tensor& x);
Tensor Tanh(Tape& tape, const Tensor& x);
Tensor AddBroadcast(Tape& tape, const Tensor& x, const Tensor& y);  // y of one sequence, added to each

// --- norm.cc
Tensor LayerNorm(Tape& tape, const Tensor& x, Parameter& weight, Parameter& bias, int64_t rows);
// Hugging Face's composition of pow, mean, rsqrt and products.
Tensor RmsNorm(Tape& tape, const Tensor& x, Parameter& weight, int64_t rows);

// --- rotary.cc
Tensor Rotary(Tape& tape, const Tensor& x, const Tensor& cos, const Tensor& sin);
// [B,S,heads,head_dim] seen as [B,heads,S,head_dim]: free forward, a copy backward.
Tensor HeadMajorView(Tape& tape, const Tensor& x);

// --- attention.cc
Tensor FusedAttention(Tape& tape, const Tensor& q, const Tensor& k, const Tensor& v, const AttentionShape& shape);
Tensor EagerAttention(Tape& tape, Tensor q, Tensor k, Tensor v, const AttentionShape& shape);
// Parts of a fused qkv projection: views forward, one cat backward.
std::vector<Tensor> SplitQkv(Tape& tape, const Tensor& qkv);

// --- embedding.cc
Tensor Embedding(Tape& tape, Parameter& table, int64_t tokens);

// --- loss.cc
Tensor LogSoftmax(Tape& tape, const Tensor& logits);
Tensor NegativeLogLikelihood(Tape& tape, const Tensor& log_probabilities);

}  // namespace stepsim::workloads
