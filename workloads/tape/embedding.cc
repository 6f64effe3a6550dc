#include "workloads/tape/ops.h"

namespace stepsim::workloads {

// embedding_dense_backward (ATen/native/cuda/Embedding.cu): up to 3072 indices one kernel; beyond, the indices are sorted
// (18 kernels and 10 memsets of CUB) and segments summed.
Tensor Embedding(Tape& tape, Parameter& table, int64_t tokens) {
  constexpr int64_t kIndexSize = 8;
  constexpr int64_t kFewTokens = 3072;
  const Tensor w = tape.Leaf(table);
  const int64_t width = table.columns;
  const int64_t elements = w.elements;
  const sim::DType dtype = w.dtype;
  return tape.Apply1(
      {.inputs = {&w},
       .outputs = {{tokens * width, dtype}},
       .launch = [&] {
         const int64_t bytes = tokens * width * ElementSize(dtype);
         tape.Launch(KernelClass::kGather, bytes + tokens * kIndexSize, bytes);
       },
       .backward = [=](Tape& t, std::vector<Tensor>&, Gradients& g) {
         Tensor result = t.Allocate(elements, dtype);
         t.Launch(KernelClass::kZeros, 0, result.bytes());
         if (tokens <= kFewTokens) {
           t.Launch(KernelClass::kEmbeddingFeature, g[0].bytes(), g[0].bytes());
           return Gradients{std::move(result)};
         }
         for (int i = 0; i < 10; ++i) t.Launch(KernelClass::kMemset, 0, 0);
         for (int i = 0; i < 18; ++i) t.Launch(KernelClass::kSort, 0, 0);
         const Tensor partial_sums = t.Allocate(tokens * width, sim::DType::kFp32);
         t.Launch(KernelClass::kEmbeddingGradient, g[0].bytes(), g[0].bytes());
         t.Launch(KernelClass::kEmbeddingScatter, g[0].bytes(), g[0].bytes());
         return Gradients{std::move(result)};
       }});
}

}  // namespace stepsim::workloads
