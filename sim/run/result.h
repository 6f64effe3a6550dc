// What a run says. Definitions of compute, communication, overlap and idle are those of HolisticTraceAnalysis; every time is
// of one optimizer step in the steady state, averaged over the ranks unless said otherwise.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/platform/platform.h"
#include "sim/program/program.h"

namespace stepsim::sim {

struct LinkUse {
  std::string name;
  LinkKind kind = LinkKind::kPcie;
  double utilisation = 0;  // wire bytes of a step over capacity × step time
  Bytes bytes;             // wire bytes a step
};

struct MemoryResult {
  Bytes peak;      // allocated, worst rank
  Bytes context;   // outside the allocator: CUDA context, NCCL buffers
  Bytes capacity;
  bool fits = true;
  std::string moment;  // "backward, before op 5123 (log_softmax_backward)"
  RankId rank;
  std::array<Bytes, kNumMemoryParts> parts{};
};

// What holds the step back: a resource of the machine or a cause.
struct Bottleneck {
  std::string kind;    // "link", "tensor", "memory-bandwidth", "host"
  std::string detail;  // "node0/cpu0→node0/cpu1 (host-staged hop across sockets)"
  double share = 0;    // of the step time
  std::string link;    // the link that limits the collectives, whether or not they limit the step; empty without any
};

struct CollectiveUse {
  std::string kind;       // "all_gather"
  std::string algorithm;  // "ring"
  std::string protocol;
  int64_t count = 0;      // calls a rank and step
  Bytes bytes;            // message bytes a rank and step
  double time_s = 0;      // transfer time a rank and step
  double busbw_gbps = 0;  // GB/s, NCCL's bus bandwidth over the transfer time
  std::string limited_by;
};

struct Result {
  std::string name;
  int64_t gpus = 0;
  std::string gpu_name;
  std::string cluster;
  double step_time_s = 0;
  double tokens_per_s = 0;
  double tokens_per_s_per_gpu = 0;
  double samples_per_s = 0;
  double mfu = 0;
  double mfu_causal = 0;
  double hfu = 0;
  double model_tflops_per_gpu = 0;
  double communication_share = 0;
  double transfer_share = 0;
  double exposed_communication_share = 0;

  struct KernelUse {
    double count = 0;   // a rank and step
    double time_s = 0;
  };
  std::array<KernelUse, kNumKernelCategories> kernels{};
  double compute_s = 0;
  double communication_s = 0;
  double exposed_communication_s = 0;
  double host_bound_s = 0;
  double pipeline_bubble_s = 0;
  double optimizer_s = 0;
  double idle_s = 0;

  double gpu_utilisation = 0;     // a kernel or a collective on it
  double sm_utilisation = 0;      // SM time held by compute kernels
  double memory_utilisation = 0;  // HBM/GDDR bytes over sheet rate
  double nvlink_utilisation = 0;  // busiest direction of the mean link of the kind
  double pcie_utilisation = 0;
  double nic_utilisation = 0;
  std::vector<LinkUse> busiest_links;  // one per kind, falling
  std::vector<CollectiveUse> collectives;

  MemoryResult memory;
  Bottleneck bottleneck;
  double joules_per_token = 0;
  double watts_per_gpu = 0;
  double price_per_gpu_hour_usd = 0;  // 0: no price given
  std::string calibration;            // spec-sheet, calibrated, measured, extrapolated
  std::vector<std::string> warnings;

  int64_t events = 0;
  int64_t ranks_simulated = 0;
  int64_t ranks_represented = 0;
  uint64_t seed = 0;
  std::string scenario_hash;
  double wall_s = 0;
};

}  // namespace stepsim::sim
