// Writes the ops of a Program in host-issue order: keeps the tables of unique kernels, collectives and labels, charges the
// host cost of each launch, and counts the floating-point operations of the step.
#pragma once

#include <map>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "sim/program/program.h"
#include "workloads/tape/host_cost.h"
#include "workloads/tape/kernel_classes.h"
#include "workloads/tape/memory_tracker.h"

namespace stepsim::workloads {

// Shape of a matrix product C[m,n] = A[m,k] · B[k,n].
struct GemmShape {
  int64_t m = 0, n = 0, k = 0, batch = 1;
  sim::GemmVariant variant = sim::GemmVariant::kForward;
  bool attention = false;  // a product of eager attention
  bool auxiliary = false;  // not a product of the model's FLOPs (rotary tables)
};

struct AttentionShape {
  int64_t sequences = 0, heads = 0, kv_heads = 0, sequence = 0, head_dim = 0;
  bool causal = false;
  sim::AttentionBackend backend = sim::AttentionBackend::kFlash2;
};

class ProgramBuilder {
 public:
  ProgramBuilder(std::string name, const HostCost& host);

  void set_phase(sim::Phase phase) { phase_ = phase; }
  sim::Phase phase() const { return phase_; }
  const HostCost& host() const { return host_; }
  MemoryTracker& memory() { return memory_; }

  // Streams, groups and events.
  int8_t AddStream(std::string name, bool high_priority);  // 0, "compute", is there already
  sim::GroupId AddGroup(std::string name);
  void set_stream(int8_t stream) { stream_ = stream; }     // where kernels go
  int32_t Record(int8_t stream);                           // a new event slot
  void Wait(int8_t stream, int32_t slot);

  // Kernels. Bytes of memory-bound ones; a GEMM's bytes follow from its shape.
  void Launch(KernelClass kernel_class, int64_t read, int64_t written, sim::DType dtype = sim::DType::kFp32);
  void Gemm(const GemmShape& shape, sim::DType dtype);
  void Attention(const AttentionShape& shape, bool backward, sim::DType dtype);

  void Communicate(sim::CollectiveKind kind, sim::GroupId group, int64_t bytes, sim::DType dtype, const std::string& label);
  void HostWork(int64_t ns);
  void ReadBack();  // one byte copied to the host, which waits for the compute stream
  void BeginRange(const std::string& label);
  void EndRange(const std::string& label);

  // Products of the forward and of recomputation, for the model's and the hardware's FLOPs.
  struct FlopCount {
    double gemm = 0;
    double attention = 0;  // in full, causal or not
  };
  const FlopCount& forward_flops() const { return forward_flops_; }
  const FlopCount& recompute_flops() const { return recompute_flops_; }

  const sim::Program& program() const { return program_; }
  sim::Program Take();

 private:
  // What tells kernels apart, cheap to hash (a sim::Kernel has strings).
  struct KernelKey {
    int64_t kind_and_class = 0;
    int64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
    bool operator==(const KernelKey&) const = default;
    template <typename H>
    friend H AbslHashValue(H h, const KernelKey& key) {
      return H::combine(std::move(h), key.kind_and_class, key.a, key.b, key.c, key.d, key.e, key.f);
    }
  };

  void Push(sim::OpKind kind, int32_t index, int64_t host_ns, int8_t stream);
  int64_t LaunchCost() const;
  void CountFlops(double gemm, double attention);
  int32_t Label(const std::string& text);

  HostCost host_;
  sim::Program program_;
  MemoryTracker memory_;
  sim::Phase phase_ = sim::Phase::kForward;
  int8_t stream_ = 0;
  absl::flat_hash_map<KernelKey, int32_t> kernel_index_;
  std::map<std::string, int32_t> label_index_;
  FlopCount forward_flops_;
  FlopCount recompute_flops_;
};

}  // namespace stepsim::workloads
