#include "workloads/tape/program_builder.h"

#include "absl/strings/str_cat.h"
#include "sim/base/check.h"

namespace stepsim::workloads {
namespace {

using sim::Bytes;
using sim::Flops;
using sim::Kernel;
using sim::OpKind;

const char* VariantName(sim::GemmVariant variant) {
  switch (variant) {
    case sim::GemmVariant::kForward: return "fwd";
    case sim::GemmVariant::kDataGradient: return "dgrad";
    case sim::GemmVariant::kWeightGradient: return "wgrad";
  }
  return "?";
}

Kernel MakeGemm(const GemmShape& shape, sim::DType dtype) {
  Kernel kernel;
  kernel.kind = sim::KernelKind::kGemm;
  kernel.category = sim::KernelCategory::kGemm;
  kernel.name = absl::StrCat("gemm_", VariantName(shape.variant), " ", shape.m, "x", shape.n, "x", shape.k);
  if (shape.batch > 1) absl::StrAppend(&kernel.name, " batch ", shape.batch);
  kernel.dtype = dtype;
  kernel.m = shape.m;
  kernel.n = shape.n;
  kernel.k = shape.k;
  kernel.batch = shape.batch;
  kernel.variant = shape.variant;
  const int64_t size = ElementSize(dtype);
  kernel.read = Bytes(shape.batch * (shape.m + shape.n) * shape.k * size);
  kernel.written = Bytes(shape.batch * shape.m * shape.n * size);
  kernel.flops = Flops(2 * shape.batch * shape.m * shape.n * shape.k);
  return kernel;
}

// Products of one attention forward in full: scores and output, 2·S²·head_dim each per head and sequence.
double FullAttentionFlops(const AttentionShape& s) {
  return 4.0 * static_cast<double>(s.sequences * s.heads * s.head_dim) * static_cast<double>(s.sequence) *
         static_cast<double>(s.sequence);
}

Kernel MakeAttention(const AttentionShape& shape, bool backward, sim::DType dtype) {
  Kernel kernel;
  kernel.kind = sim::KernelKind::kAttention;
  kernel.category = sim::KernelCategory::kAttention;
  kernel.name = absl::StrCat("attention_", backward ? "bwd" : "fwd", " ", shape.sequences, "x", shape.heads, "x",
                             shape.sequence, "x", shape.head_dim);
  kernel.dtype = dtype;
  kernel.sequences = shape.sequences;
  kernel.heads = shape.heads;
  kernel.kv_heads = shape.kv_heads;
  kernel.sequence = shape.sequence;
  kernel.head_dim = shape.head_dim;
  kernel.causal = shape.causal;
  kernel.backward = backward;
  kernel.backend = shape.backend;
  // Tensors of a flash kernel: q and o per head, k and v per key head; backward reads q, k, v, do and writes dq, dk, dv.
  const int64_t size = ElementSize(dtype);
  const int64_t q = shape.sequences * shape.heads * shape.sequence * shape.head_dim * size;
  const int64_t kv = shape.sequences * shape.kv_heads * shape.sequence * shape.head_dim * size;
  kernel.read = Bytes(backward ? 2 * q + 2 * kv : q + 2 * kv);
  kernel.written = Bytes(backward ? 2 * q + 2 * kv : q);  // dq in fp32
  // FlashAttention-2: five products backward against two forward.
  const double flops = FullAttentionFlops(shape) * (shape.causal ? 0.5 : 1.0) * (backward ? 2.5 : 1.0);
  kernel.flops = Flops(static_cast<int64_t>(flops));
  return kernel;
}

}  // namespace

ProgramBuilder::ProgramBuilder(std::string name, const HostCost& host) : host_(host), memory_(&program_.ops) {
  program_.name = std::move(name);
  program_.streams.push_back({"compute", false});
  program_.ops.reserve(8192);
}

int8_t ProgramBuilder::AddStream(std::string name, bool high_priority) {
  program_.streams.push_back({std::move(name), high_priority});
  return static_cast<int8_t>(program_.streams.size() - 1);
}

sim::GroupId ProgramBuilder::AddGroup(std::string name) { return program_.groups.push_back(std::move(name)); }

void ProgramBuilder::Push(OpKind kind, int32_t index, int64_t host_ns, int8_t stream) {
  program_.ops.push_back({kind, phase_, stream, index, static_cast<int32_t>(host_ns)});
}

int32_t ProgramBuilder::Record(int8_t stream) {
  const int32_t slot = program_.num_event_slots++;
  Push(OpKind::kRecord, slot, 0, stream);
  return slot;
}

void ProgramBuilder::Wait(int8_t stream, int32_t slot) { Push(OpKind::kWait, slot, 0, stream); }

int64_t ProgramBuilder::LaunchCost() const {
  return stream_ == 0 ? host_.launch[static_cast<size_t>(phase_)] : host_.side_stream_launch;
}

void ProgramBuilder::Launch(KernelClass kernel_class, int64_t read, int64_t written, sim::DType dtype) {
  const KernelKey key{static_cast<int64_t>(kernel_class), read, written, static_cast<int64_t>(dtype)};
  const auto [entry, added] = kernel_index_.try_emplace(key, 0);
  if (added) {
    const KernelClassInfo& info = Info(kernel_class);
    Kernel kernel;
    kernel.kind = info.kind;
    kernel.category = info.category;
    kernel.kernel_class = info.name;
    kernel.name = info.name;
    kernel.dtype = dtype;
    kernel.read = Bytes(read);
    kernel.written = Bytes(written);
    entry->second = program_.kernels.push_back(std::move(kernel)).value();
  }
  Push(OpKind::kKernel, entry->second, kernel_class == KernelClass::kMemset ? host_.memset : LaunchCost(), stream_);
}

void ProgramBuilder::Gemm(const GemmShape& shape, sim::DType dtype) {
  if (host_.gemm_memset) Launch(KernelClass::kMemset, 0, 0);
  const int64_t tag = 1000 + static_cast<int64_t>(shape.variant) * 100 + static_cast<int64_t>(dtype);
  const auto [entry, added] = kernel_index_.try_emplace(KernelKey{tag, shape.m, shape.n, shape.k, shape.batch}, 0);
  if (added) entry->second = program_.kernels.push_back(MakeGemm(shape, dtype)).value();
  Push(OpKind::kKernel, entry->second, LaunchCost(), stream_);
  const double flops = 2.0 * static_cast<double>(shape.batch) * static_cast<double>(shape.m) *
                       static_cast<double>(shape.n) * static_cast<double>(shape.k);
  if (shape.attention) {
    CountFlops(0, flops);
  } else if (!shape.auxiliary) {
    CountFlops(flops, 0);
  }
}

void ProgramBuilder::Attention(const AttentionShape& shape, bool backward, sim::DType dtype) {
  Launch(KernelClass::kMemset, 0, 0);
  const int64_t tag = 2000 + (backward ? 100 : 0) + (shape.causal ? 50 : 0) + static_cast<int64_t>(dtype) * 4 +
                      static_cast<int64_t>(shape.backend) * 1000;
  const KernelKey key{tag, shape.sequences, shape.heads, shape.kv_heads, shape.sequence, shape.head_dim};
  const auto [entry, added] = kernel_index_.try_emplace(key, 0);
  if (added) entry->second = program_.kernels.push_back(MakeAttention(shape, backward, dtype)).value();
  Push(OpKind::kKernel, entry->second, LaunchCost(), stream_);
  if (!backward) CountFlops(0, FullAttentionFlops(shape));
}

void ProgramBuilder::CountFlops(double gemm, double attention) {
  FlopCount* count = phase_ == sim::Phase::kForward     ? &forward_flops_
                     : phase_ == sim::Phase::kRecompute ? &recompute_flops_
                                                        : nullptr;
  if (count == nullptr) return;
  count->gemm += gemm;
  count->attention += attention;
}

int32_t ProgramBuilder::Label(const std::string& text) {
  const auto [entry, added] = label_index_.try_emplace(text, 0);
  if (added) entry->second = program_.labels.push_back(text).value();
  return entry->second;
}

void ProgramBuilder::Communicate(sim::CollectiveKind kind, sim::GroupId group, int64_t bytes, sim::DType dtype,
                                 const std::string& label) {
  const sim::Collective collective{kind, group, Bytes(bytes), dtype, sim::LabelId(Label(label))};
  int32_t index = 0;
  const auto count = static_cast<int32_t>(program_.collectives.size());
  while (index < count && !(program_.collectives[sim::CollectiveId(index)] == collective)) ++index;
  if (index == count) program_.collectives.push_back(collective);
  Push(OpKind::kCollective, index, host_.collective, stream_);
}

void ProgramBuilder::HostWork(int64_t ns) {
  if (ns > 0) Push(OpKind::kHostWork, -1, ns, 0);
}


void ProgramBuilder::ReadBack() {
  Launch(KernelClass::kDeviceToHost, 1, 1, sim::DType::kInt8);
  program_.ops.back().host_ns = static_cast<int32_t>(host_.read_back);
  Push(OpKind::kHostSync, -1, 0, 0);
}

void ProgramBuilder::BeginRange(const std::string& label) { Push(OpKind::kRangeBegin, Label(label), 0, 0); }
void ProgramBuilder::EndRange(const std::string& label) { Push(OpKind::kRangeEnd, Label(label), 0, 0); }

sim::Program ProgramBuilder::Take() {
  program_.memory = memory_.Take();
  return std::move(program_);
}

}  // namespace stepsim::workloads
