#include "workloads/tape/ops.h"

namespace stepsim::workloads {
namespace {

using sim::DType;
constexpr int64_t kFp32Size = 4;

// mean(x²) of each row.
Tensor RowMean(Tape& tape, const Tensor& x, int64_t rows) {
  const int64_t elements = x.elements;
  return tape.Apply1({.inputs = {&x},
                      .outputs = {{rows, DType::kFp32}},
                      .launch = [&] { tape.Launch(KernelClass::kMean, x.bytes(), rows * kFp32Size); },
                      .backward = [elements](Tape& t, std::vector<Tensor>&, Gradients& g) {
                        Tensor result = t.Allocate(elements, DType::kFp32);
                        t.Launch(KernelClass::kDivExpand, g[0].bytes(), result.bytes());
                        return Gradients{std::move(result)};
                      }});
}

Tensor Rsqrt(Tape& tape, const Tensor& x) {
  return tape.Apply1({.inputs = {&x},
                      .outputs = {{x.elements, DType::kFp32}},
                      .launch = [&] { tape.Launch(KernelClass::kRsqrt, x.bytes(), x.bytes()); },
                      .save_outputs = {0},
                      .backward = [](Tape& t, std::vector<Tensor>&, Gradients& g) {
                        for (int i = 0; i < 3; ++i) t.Launch(KernelClass::kRsqrtBackward, g[0].bytes(), g[0].bytes());
                        return Gradients{t.Allocate(g[0].elements, DType::kFp32)};
                      }});
}

// x · r with one factor per row.
Tensor MulRow(Tape& tape, const Tensor& x, const Tensor& r) {
  const int64_t rows = r.elements;
  return tape.Apply1({.inputs = {&x, &r},
                      .outputs = {{x.elements, DType::kFp32}},
                      .launch = [&] { tape.Launch(KernelClass::kMulRow, x.bytes() + r.bytes(), x.bytes()); },
                      .save_inputs = {&x, &r},
                      .backward = [rows](Tape& t, std::vector<Tensor>& saved, Gradients& g) {
                        const Tensor gradient = std::move(g[0]);
                        const Tensor product = t.Allocate(gradient.elements, DType::kFp32);
                        t.Launch(KernelClass::kMul, gradient.bytes() + saved[0].bytes(), product.bytes());
                        Tensor of_x = t.Allocate(gradient.elements, DType::kFp32);
                        t.Launch(KernelClass::kMulRow, gradient.bytes(), of_x.bytes());
                        Tensor of_r = t.Allocate(rows, DType::kFp32);
                        t.Launch(KernelClass::kSumRow, product.bytes(), of_r.bytes());
                        return Gradients{std::move(of_x), std::move(of_r)};
                      }});
}

KernelClass MulWeightClass(DType dtype) {
  return dtype == DType::kFp32 ? KernelClass::kMulWeightF : KernelClass::kMulWeightB;
}

// x̂ · weight with one factor per column.
Tensor MulWeight(Tape& tape, const Tensor& x, Parameter& weight) {
  const Tensor w = tape.Leaf(weight);
  const DType dtype = x.dtype == DType::kFp32 || w.dtype == DType::kFp32 ? DType::kFp32 : x.dtype;
  const int64_t columns = w.elements;
  return tape.Apply1(
      {.inputs = {&x, &w},
       .outputs = {{x.elements, dtype}},
       .launch = [&] {
         tape.Launch(MulWeightClass(dtype), x.bytes() + w.bytes(), x.elements * ElementSize(dtype));
       },
       .save_inputs = {&x, &w},
       .backward = [columns](Tape& t, std::vector<Tensor>& saved, Gradients& g) {
         const Tensor gradient = std::move(g[0]);
         const DType type = gradient.dtype;
         Tensor of_x = t.Allocate(gradient.elements, type);
         t.Launch(MulWeightClass(type), gradient.bytes(), of_x.bytes());
         const Tensor product = t.Allocate(gradient.elements, type);
         t.Launch(type == saved[0].dtype ? KernelClass::kMul : KernelClass::kMulMixed,
                  gradient.bytes() + saved[0].bytes(), product.bytes());
         Tensor of_w = t.Allocate(columns, type);
         t.Launch(KernelClass::kMemset, 0, 0);
         t.Launch(type == DType::kFp32 ? KernelClass::kSumColumnF : KernelClass::kSumColumnB, product.bytes(),
                  of_w.bytes(), type);
         return Gradients{std::move(of_x), std::move(of_w)};
       }});
}

}  // namespace

Tensor LayerNorm(Tape& tape, const Tensor& input, Parameter& weight, Parameter& bias, int64_t rows) {
  const Tensor x = AutocastToFp32(tape, input);
  const Tensor w = tape.Leaf(weight);
  const Tensor b = tape.Leaf(bias);
  const int64_t columns = w.elements;
  const DType type = w.dtype;
  // Outputs: y, and the mean and 1/σ of each row for backward.
  return std::move(
      tape.Apply({.inputs = {&x, &w, &b},
                  .outputs = {{x.elements, x.dtype}, {rows, DType::kFp32}, {rows, DType::kFp32}},
                  .launch = [&] { tape.Launch(KernelClass::kLayerNorm, x.bytes(), x.bytes(), x.dtype); },
                  .save_inputs = {&x, &w, &b},
                  .save_outputs = {1, 2},
                  .backward = [=](Tape& t, std::vector<Tensor>& saved, Gradients& g) {
                    const Tensor gradient = std::move(g[0]);
                    const int64_t read = gradient.bytes() + saved[0].bytes();
                    Tensor of_x = t.Allocate(gradient.elements, gradient.dtype);
                    t.Launch(KernelClass::kLayerNormBackwardX, read, of_x.bytes(), gradient.dtype);
                    Tensor of_w = t.Allocate(columns, type);
                    Tensor of_b = t.Allocate(columns, type);
                    t.Launch(KernelClass::kLayerNormBackwardW, read, 2 * of_w.bytes(), gradient.dtype);
                    return Gradients{std::move(of_x), std::move(of_w), std::move(of_b)};
                  }})
          .front());
}

Tensor RmsNorm(Tape& tape, const Tensor& input, Parameter& weight, int64_t rows) {
  const DType source = input.dtype;
  Tensor normalised;
  {
    const Tensor x = Cast(tape, input, DType::kFp32);
    Tensor variance;
    {
      Tensor mean;
      {
        const Tensor square = Pow(tape, x, 2);
        mean = RowMean(tape, square, rows);
      }
      variance = AddScalar(tape, mean);
    }
    const Tensor r = Rsqrt(tape, variance);
    variance = Tensor();
    normalised = MulRow(tape, x, r);
  }
  normalised = Cast(tape, normalised, source);
  return MulWeight(tape, normalised, weight);
}

}  // namespace stepsim::workloads
