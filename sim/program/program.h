// The step as data. One Program per role (ranks that run the same ops), shared by all ranks of the role; a rank holds only
// cursors and clocks. Ops stand in host-issue order: the order in which the framework's threads issue them, which is also
// the order of each stream's queue and of memory allocation.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/base/ids.h"
#include "sim/base/units.h"
#include "sim/platform/dtype.h"
#include "sim/program/kernel.h"

namespace stepsim::sim {

enum class Phase : uint8_t { kForward, kBackward, kRecompute, kOptimizer };
const char* Name(Phase phase);

enum class CollectiveKind : uint8_t { kAllReduce, kAllGather, kReduceScatter, kBroadcast, kReduce, kAllToAll, kSendRecv, kBarrier };
const char* Name(CollectiveKind kind);

enum class OpKind : uint8_t {
  kKernel,      // index: KernelId; queued on `stream`
  kCollective,  // index: CollectiveId; queued on `stream`, and behind earlier collectives of its communicator
  kRecord,      // `stream` records EventSlot `index` when it gets here
  kWait,        // `stream` waits for EventSlot `index`
  kHostWork,    // costs host time only
  kHostSync,    // the host waits until everything queued on `stream` so far is done
  kRangeBegin,  // annotation on the host track: label `index`
  kRangeEnd,
};

struct Op {
  OpKind kind = OpKind::kHostWork;
  Phase phase = Phase::kForward;
  int8_t stream = 0;     // StreamId
  int32_t index = -1;
  int32_t host_ns = 0;   // time the issuing host thread spends on it
};

struct Collective {
  CollectiveKind kind = CollectiveKind::kAllReduce;
  GroupId group;   // which process group of the rank
  Bytes bytes;     // NCCL's size: all-reduce the message, all-gather the output, reduce-scatter the input
  DType dtype = DType::kBf16;
  LabelId label;   // "all_gather layer 3"
  bool operator==(const Collective&) const = default;
};

struct Stream {
  std::string name;  // "compute", "all-gather", …
  bool high_priority = false;
};

// What memory holds, for the peak's composition.
enum class MemoryPart : uint8_t {
  kParameters, kGradients, kOptimizerStates, kActivations, kLogitsAndLoss, kGatheredParameters, kCommunicationBuffers,
  kWeightCopies, kWorkspace
};
constexpr int kNumMemoryParts = 9;
const char* Name(MemoryPart part);

struct MemoryEvent {
  int32_t op = 0;     // before this op is issued
  int64_t delta = 0;  // bytes, + allocation, - free
  MemoryPart part = MemoryPart::kActivations;
};

struct MemoryProfile {
  std::array<Bytes, kNumMemoryParts> persistent{};  // there before the step begins
  std::vector<MemoryEvent> events;                  // in host-issue order
  Bytes peak;                                       // allocated (torch.cuda.max_memory_allocated), persistent included
  int32_t peak_op = 0;
  std::array<Bytes, kNumMemoryParts> peak_parts{};
};

struct Program {
  std::string name;
  std::vector<Stream> streams;  // 0 is compute
  IdVector<GroupId, std::string> groups;
  int32_t num_event_slots = 0;
  IdVector<KernelId, Kernel> kernels;              // unique
  IdVector<CollectiveId, Collective> collectives;  // unique
  IdVector<LabelId, std::string> labels;
  std::vector<Op> ops;                             // one optimizer step
  MemoryProfile memory;
  // Per rank and step. Model: matrix products of the forward × 3, attention in full (PaLM, Megatron); hardware adds recompute.
  double model_flops = 0;
  double model_flops_causal = 0;  // attention counted half
  double hardware_flops = 0;
  double tokens = 0;
  double samples = 0;
};

// A process group of the job: ranks in group order.
struct Communicator {
  std::string name;
  std::vector<RankId> ranks;
};

// What runs where: programs by role, placement, process groups.
struct Job {
  std::string name;
  std::vector<Program> programs;
  std::vector<int32_t> role;                // by rank: row of programs
  std::vector<GpuId> gpu;                   // by rank: placement
  IdVector<CommunicatorId, Communicator> communicators;
  // communicator of rank r for group g of its program: communicator_of[r][g].
  std::vector<std::vector<CommunicatorId>> communicator_of;
  DType peak_dtype = DType::kBf16;          // whose dense rate is the peak of MFU (FP8 for FP8 runs)
  // From the framework: an idle stream starts a kernel this long after its launch call; queued kernels follow each other
  // with this gap (measured on an H200 with PyTorch 2.11: 7 us and 1.4 us).
  Duration launch_latency = Duration::Microseconds(7);
  Duration kernel_gap = Duration::Nanoseconds(1400);

  int world_size() const { return static_cast<int>(role.size()); }
};

}  // namespace stepsim::sim
