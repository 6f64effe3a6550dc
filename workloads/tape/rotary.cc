#include "workloads/tape/ops.h"

namespace stepsim::workloads {
namespace {

// [-x₂, x₁] of the halves of each head. Backward: each slice's gradient is written into a zeroed tensor, and both are added.
Tensor RotateHalf(Tape& tape, const Tensor& x) {
  const Tensor negated = tape.Allocate(x.elements / 2, x.dtype);
  const sim::DType dtype = x.dtype;
  return tape.Apply1(
      {.inputs = {&x},
       .outputs = {{x.elements, x.dtype}},
       .launch = [&] {
         tape.Launch(KernelClass::kNegHalf, x.bytes() / 2, x.bytes() / 2);
         tape.Launch(KernelClass::kCatRope, x.bytes(), x.bytes());
       },
       .backward = [dtype](Tape& t, std::vector<Tensor>&, Gradients& g) {
         const Tensor gradient = std::move(g[0]);
         const int64_t bytes = gradient.bytes();
         const Tensor half = t.Allocate(gradient.elements / 2, dtype);
         t.Launch(KernelClass::kNegHalf, bytes / 2, bytes / 2);
         Tensor first = t.Allocate(gradient.elements, dtype);
         t.Launch(KernelClass::kZeros, 0, bytes);
         t.Launch(KernelClass::kSliceCopy, bytes / 2, bytes / 2);
         const Tensor second = t.Allocate(gradient.elements, dtype);
         t.Launch(KernelClass::kZeros, 0, bytes);
         t.Launch(KernelClass::kSliceCopy, bytes / 2, bytes / 2);
         t.Launch(KernelClass::kAccumulate, 2 * bytes, bytes, dtype);
         return Gradients{std::move(first)};
       }});
}

}  // namespace

Tensor Rotary(Tape& tape, const Tensor& x, const Tensor& cos, const Tensor& sin) {
  const Tensor a = MulTable(tape, x, cos);
  Tensor b;
  {
    const Tensor rotated = RotateHalf(tape, x);
    b = MulTable(tape, rotated, sin);
  }
  return Add(tape, a, b, a.dtype == sim::DType::kFp32 ? KernelClass::kAddRopeF : KernelClass::kAddRopeB);
}

Tensor HeadMajorView(Tape& tape, const Tensor& x) {
  return std::move(tape.Views(x, 1,
                              [](Tape& t, std::vector<Tensor>&, Gradients& g) {
                                Tensor result = t.Allocate(g[0].elements, g[0].dtype);
                                t.Launch(KernelClass::kTransposeCopy, g[0].bytes(), result.bytes());
                                return Gradients{std::move(result)};
                              })
                       .front());
}

}  // namespace stepsim::workloads
