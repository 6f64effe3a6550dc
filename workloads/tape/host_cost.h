// What the issuing host thread spends on each op, in nanoseconds, for one model family (docs/models/host.md).
#pragma once

#include <array>
#include <cstdint>

namespace stepsim::workloads {

struct HostCost {
  std::array<int64_t, 4> launch{};  // by sim::Phase, compute stream
  int64_t memset = 0;
  int64_t side_stream_launch = 0;
  int64_t collective = 0;
  int64_t read_back = 0;            // a copy to the host that the host then waits for
  int64_t ddp_parameter = 0;
  int64_t fsdp_gather_forward = 0;
  int64_t fsdp_gather_backward = 0;
  int64_t fsdp_reduce = 0;
  int64_t optimizer_base = 0;
  int64_t optimizer_tensor = 0;
  int64_t optimizer_sharded_tensor = 0;
  bool gemm_memset = false;         // cuBLAS clears a flag before the cluster kernels of compute capability ≥ 9
};

}  // namespace stepsim::workloads
