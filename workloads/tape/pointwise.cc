#include "workloads/tape/ops.h"

namespace stepsim::workloads {
namespace {

using sim::DType;

DType Promote(DType a, DType b) { return a == DType::kFp32 || b == DType::kFp32 ? DType::kFp32 : a; }
KernelClass MulClass(DType a, DType b) { return a == b ? KernelClass::kMul : KernelClass::kMulMixed; }

// Gradient back to the type its input had.
Tensor CastBack(Tape& tape, Tensor gradient, DType dtype) {
  if (gradient.dtype == dtype) return gradient;
  Tensor cast = tape.Allocate(gradient.elements, dtype);
  tape.Launch(dtype == DType::kFp32 ? KernelClass::kCopyBF : KernelClass::kCopyFB, gradient.bytes(), cast.bytes());
  return cast;
}

// y = f(x) whose gradient reads the output gradient and one saved tensor.
Tensor Unary(Tape& tape, const Tensor& x, KernelClass forward, KernelClass backward, bool save_output) {
  OpCall call{.inputs = {&x},
              .outputs = {{x.elements, x.dtype}},
              .launch = [&] { tape.Launch(forward, x.bytes(), x.bytes()); },
              .backward = [backward](Tape& t, std::vector<Tensor>& saved, Gradients& g) {
                Tensor result = t.Allocate(g[0].elements, g[0].dtype);
                t.Launch(backward, g[0].bytes() + saved[0].bytes(), result.bytes());
                return Gradients{std::move(result)};
              }};
  if (save_output) {
    call.save_outputs = {0};
  } else {
    call.save_inputs = {&x};
  }
  return tape.Apply1(std::move(call));
}

}  // namespace

Tensor Add(Tape& tape, const Tensor& a, const Tensor& b, KernelClass kernel_class) {
  const DType dtype = Promote(a.dtype, b.dtype);
  const std::array<DType, 2> types = {a.dtype, b.dtype};
  return tape.Apply1(
      {.inputs = {&a, &b},
       .outputs = {{std::max(a.elements, b.elements), dtype}},
       .launch = [&] { tape.Launch(kernel_class, a.bytes() + b.bytes(), a.elements * ElementSize(dtype)); },
       .backward = [types](Tape& t, std::vector<Tensor>&, Gradients& g) {
         Gradients result;
         for (const DType type : types) result.push_back(CastBack(t, g[0].Alias(), type));
         return result;
       }});
}

Tensor Add(Tape& tape, const Tensor& a, const Tensor& b) {
  return Add(tape, a, b, a.dtype == b.dtype ? KernelClass::kAdd : KernelClass::kAddMixed);
}

Tensor Mul(Tape& tape, const Tensor& a, const Tensor& b) {
  const DType dtype = Promote(a.dtype, b.dtype);
  const DType type_a = a.dtype;
  const DType type_b = b.dtype;
  return tape.Apply1(
      {.inputs = {&a, &b},
       .outputs = {{a.elements, dtype}},
       .launch = [&] {
         tape.Launch(MulClass(a.dtype, b.dtype), a.bytes() + b.bytes(), a.elements * ElementSize(dtype));
       },
       .save_inputs = {&a, &b},
       .backward = [=](Tape& t, std::vector<Tensor>& saved, Gradients& g) {
         const Tensor gradient = std::move(g[0]);
         const auto product = [&](const Tensor& other, DType type) {
           Tensor result = t.Allocate(gradient.elements, gradient.dtype);
           t.Launch(MulClass(gradient.dtype, other.dtype), gradient.bytes() + other.bytes(), result.bytes());
           return CastBack(t, std::move(result), type);
         };
         Tensor of_a = product(saved[1], type_a);
         Tensor of_b = product(saved[0], type_b);
         return Gradients{std::move(of_a), std::move(of_b)};
       }});
}

Tensor MulTable(Tape& tape, const Tensor& x, const Tensor& table) {
  const DType dtype = Promote(x.dtype, table.dtype);
  const DType source = x.dtype;
  const KernelClass kernel_class = x.dtype == DType::kFp32       ? KernelClass::kMulRopeFF
                                   : table.dtype == DType::kFp32 ? KernelClass::kMulRopeBF
                                                                 : KernelClass::kMulRopeBB;
  return tape.Apply1(
      {.inputs = {&x, &table},
       .outputs = {{x.elements, dtype}},
       .launch = [&] { tape.Launch(kernel_class, x.bytes() + table.bytes(), x.elements * ElementSize(dtype)); },
       .save_inputs = {&table},
       .backward = [source](Tape& t, std::vector<Tensor>& saved, Gradients& g) {
         const Tensor gradient = std::move(g[0]);
         Tensor result = t.Allocate(gradient.elements, gradient.dtype);
         t.Launch(gradient.dtype == DType::kFp32 ? KernelClass::kMulRopeBackwardF : KernelClass::kMulRopeBackwardB,
                  gradient.bytes() + saved[0].bytes(), result.bytes());
         return Gradients{CastBack(t, std::move(result), source)};
       }});
}

Tensor MulScalar(Tape& tape, const Tensor& x) {
  return tape.Apply1({.inputs = {&x},
                      .outputs = {{x.elements, x.dtype}},
                      .launch = [&] { tape.Launch(KernelClass::kMulScalar, x.bytes(), x.bytes()); },
                      .backward = [](Tape& t, std::vector<Tensor>&, Gradients& g) {
                        Tensor result = t.Allocate(g[0].elements, g[0].dtype);
                        t.Launch(KernelClass::kMulScalar, g[0].bytes(), result.bytes());
                        return Gradients{std::move(result)};
                      }});
}

Tensor AddScalar(Tape& tape, const Tensor& x) {
  return tape.Apply1(
      {.inputs = {&x},
       .outputs = {{x.elements, x.dtype}},
       .launch = [&] { tape.Launch(KernelClass::kAddScalar, x.bytes(), x.bytes()); },
       .backward = [](Tape&, std::vector<Tensor>&, Gradients& g) { return Gradients{std::move(g[0])}; }});
}

Tensor Pow(Tape& tape, const Tensor& input, int exponent) {
  const Tensor x = AutocastToFp32(tape, input);
  return tape.Apply1(
      {.inputs = {&x},
       .outputs = {{x.elements, x.dtype}},
       .launch = [&] { tape.Launch(KernelClass::kPow, x.bytes(), x.bytes()); },
       .save_inputs = {&x},
       .backward = [exponent](Tape& t, std::vector<Tensor>& saved, Gradients& g) {
         // exponent · x^(exponent - 1) · g; x^1 is a plain copy.
         const Tensor& x0 = saved[0];
         Tensor power = t.Allocate(x0.elements, x0.dtype);
         t.Launch(exponent == 2 ? KernelClass::kCopyDeviceToDevice : KernelClass::kPow, x0.bytes(), power.bytes());
         Tensor scaled = t.Allocate(x0.elements, x0.dtype);
         t.Launch(KernelClass::kMulScalar, power.bytes(), scaled.bytes());
         power = Tensor();
         Tensor result = t.Allocate(x0.elements, x0.dtype);
         t.Launch(KernelClass::kMul, g[0].bytes() + scaled.bytes(), result.bytes());
         return Gradients{std::move(result)};
       }});
}

Tensor Silu(Tape& tape, const Tensor& x) {
  return Unary(tape, x, KernelClass::kSilu, KernelClass::kSiluBackward, false);
}
Tensor Gelu(Tape& tape, const Tensor& x) {
  return Unary(tape, x, KernelClass::kGelu, KernelClass::kGeluBackward, false);
}
Tensor Tanh(Tape& tape, const Tensor& x) {
  return Unary(tape, x, KernelClass::kTanh, KernelClass::kTanhBackward, true);
}

Tensor AddBroadcast(Tape& tape, const Tensor& x, const Tensor& y) {
  const int64_t elements = y.elements;
  const bool broadcast = x.elements != y.elements;
  return tape.Apply1({.inputs = {&x, &y},
                      .outputs = {{x.elements, x.dtype}},
                      .launch = [&] { tape.Launch(KernelClass::kAddBroadcast, x.bytes() + y.bytes(), x.bytes()); },
                      .backward = [=](Tape& t, std::vector<Tensor>&, Gradients& g) {
                        Tensor of_y = g[0].Alias();
                        if (broadcast) {
                          of_y = t.Allocate(elements, g[0].dtype);
                          t.Launch(KernelClass::kSumBatch, g[0].bytes(), of_y.bytes());
                        }
                        return Gradients{g[0].Alias(), std::move(of_y)};
                      }});
}

}  // namespace stepsim::workloads
