#include "workloads/tape/ops.h"

namespace stepsim::workloads {

Tensor LogSoftmax(Tape& tape, const Tensor& x) {
  return tape.Apply1({.inputs = {&x},
                      .outputs = {{x.elements, x.dtype}},
                      .launch = [&] { tape.Launch(KernelClass::kLogSoftmax, x.bytes(), x.bytes(), x.dtype); },
                      .save_outputs = {0},
                      .backward = [](Tape& t, std::vector<Tensor>&, Gradients& g) {
                        const Tape::PartScope scope(t, sim::MemoryPart::kLogitsAndLoss);
                        const Tensor gradient = std::move(g[0]);
                        Tensor result = t.Allocate(gradient.elements, gradient.dtype);
                        t.Launch(KernelClass::kLogSoftmaxBackward, 2 * gradient.bytes(), gradient.bytes(),
                                 gradient.dtype);
                        return Gradients{std::move(result)};
                      }});
}

Tensor NegativeLogLikelihood(Tape& tape, const Tensor& x) {
  const int64_t elements = x.elements;
  return tape.Apply1({.inputs = {&x},
                      .outputs = {{1, sim::DType::kFp32}},
                      .launch = [&] { tape.Launch(KernelClass::kNll, 0, 0); },
                      .save_inputs = {&x},
                      .backward = [elements](Tape& t, std::vector<Tensor>&, Gradients&) {
                        const Tape::PartScope scope(t, sim::MemoryPart::kLogitsAndLoss);
                        Tensor result = t.Allocate(elements, sim::DType::kFp32);
                        t.Launch(KernelClass::kZeros, 0, result.bytes());
                        t.Launch(KernelClass::kNllBackward, 0, 0);
                        return Gradients{std::move(result)};
                      }});
}

}  // namespace stepsim::workloads
