#include "workloads/tape/ops.h"

namespace stepsim::workloads {
namespace {

KernelClass CastClass(sim::DType to) {
  return to == sim::DType::kFp32 ? KernelClass::kCopyBF : KernelClass::kCopyFB;
}

}  // namespace

Tensor Cast(Tape& tape, const Tensor& x, sim::DType dtype) {
  if (x.dtype == dtype) return x;
  const sim::DType source = x.dtype;
  return tape.Apply1({.inputs = {&x},
                      .outputs = {{x.elements, dtype}},
                      .launch = [&] { tape.Launch(CastClass(dtype), x.bytes(), x.elements * ElementSize(dtype)); },
                      .backward = [source](Tape& t, std::vector<Tensor>&, Gradients& g) {
                        Tensor result = t.Allocate(g[0].elements, source);
                        t.Launch(CastClass(source), g[0].bytes(), result.bytes());
                        return Gradients{std::move(result)};
                      }});
}

Tensor AutocastToFp32(Tape& tape, const Tensor& x) { return tape.autocast() ? Cast(tape, x, sim::DType::kFp32) : x; }

Tensor AutocastToLow(Tape& tape, const Tensor& x) {
  return tape.autocast() ? Cast(tape, x, tape.precision().low) : x;
}

}  // namespace stepsim::workloads
