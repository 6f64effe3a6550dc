#include "workloads/tape/ops.h"

namespace stepsim::workloads {
namespace {

constexpr sim::GemmVariant kDgrad = sim::GemmVariant::kDataGradient;
constexpr sim::GemmVariant kWgrad = sim::GemmVariant::kWeightGradient;

// cuBLAS splits a long k when the result has few tiles: seen in weight gradients with at most 79 tiles of 256 × 128
// (0.6 waves of 132 SMs) and k ≥ 16384, and in skinny products (measured on an H200, cuBLAS of CUDA 13).
void LaunchSplitK(Tape& tape, int64_t m, int64_t n, int64_t k) {
  const int64_t tiles = ((m + 255) / 256) * ((n + 127) / 128);
  if ((k >= 16384 && tiles <= 79) || m <= 64 || n <= 64) tape.Launch(KernelClass::kSplitK, 0, 0);
}

}  // namespace

Tensor Linear(Tape& tape, const Tensor& input, Parameter& weight, Parameter* bias, int64_t m, int64_t n, int64_t k) {
  // Autocast casts arguments in the order bias, weight, input.
  const Tensor b = bias != nullptr ? tape.Weight(*bias) : Tensor();
  const Tensor w = tape.Weight(weight);
  const Tensor x = AutocastToLow(tape, input);
  const bool has_bias = bias != nullptr;
  const bool need_x = x.requires_grad;
  OpCall call{.inputs = {&x, &w},
              .outputs = {{m * n, x.dtype}},
              .launch = [&] { tape.Gemm({.m = m, .n = n, .k = k}, x.dtype); },
              .save_inputs = {&x},
              .backward = [=](Tape& t, std::vector<Tensor>&, Gradients& g) {
                const sim::DType dtype = g[0].dtype;
                Gradients r(3);
                r[1] = t.Allocate(n * k, dtype);
                t.Gemm({.m = n, .n = k, .k = m, .variant = kWgrad}, dtype);
                LaunchSplitK(t, n, k, m);
                if (need_x) {
                  r[0] = t.Allocate(m * k, dtype);
                  t.Gemm({.m = m, .n = k, .k = n, .variant = kDgrad}, dtype);
                }
                if (has_bias) {
                  r[2] = t.Allocate(n, dtype);
                  t.Launch(KernelClass::kMemset, 0, 0);
                  t.Launch(KernelClass::kBiasSum, g[0].bytes(), r[2].bytes(), dtype);
                }
                return r;
              }};
  if (need_x) call.save_inputs.push_back(&w);
  if (has_bias) call.inputs.push_back(&b);
  return tape.Apply1(std::move(call));
}

Tensor BatchedMatmul(Tape& tape, const Tensor& a, const Tensor& b, int64_t m, int64_t n, int64_t k, int64_t batch) {
  return tape.Apply1(
      {.inputs = {&a, &b},
       .outputs = {{batch * m * n, a.dtype}},
       .launch = [&] { tape.Gemm({.m = m, .n = n, .k = k, .batch = batch, .attention = true}, a.dtype); },
       .save_inputs = {&a, &b},
       .backward = [=](Tape& t, std::vector<Tensor>&, Gradients& g) {
         const sim::DType dtype = g[0].dtype;
         t.Gemm({.m = m, .n = k, .k = n, .batch = batch, .variant = kDgrad, .attention = true}, dtype);
         t.Gemm({.m = k, .n = n, .k = m, .batch = batch, .variant = kWgrad, .attention = true}, dtype);
         return Gradients{t.Allocate(batch * m * k, dtype), t.Allocate(batch * k * n, dtype)};
       }});
}

}  // namespace stepsim::workloads
