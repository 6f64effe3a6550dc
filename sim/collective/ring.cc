// NCCL's ring over the graph's edges: its latency chain, protocol caps and local work (models/COLLECTIVES.md
// §1.4).
#include <algorithm>

#include "absl/strings/str_format.h"
#include "sim/collective/algorithms.h"
#include "sim/collective/ring_loads.h"

namespace stepsim::sim {
namespace {

constexpr double kGiga = 1e9;

// models/COLLECTIVES.md §1.2.4 (src/enqueue.cc): 64 B a thread and channel for Simple, 8 B for LL128, 8 B a
// rank for LL.
int ChannelsInUse(const GroupTraits& traits, Protocol protocol, int64_t bytes) {
  const int64_t per_channel = protocol == Protocol::kSimple  ? 512 * 64
                              : protocol == Protocol::kLl128 ? 640 * 8
                                                             : 512 * 8 * traits.ranks;
  return static_cast<int>(std::clamp<int64_t>(bytes / per_channel, 1, traits.graph.kernel_channels));
}

class RingAlgorithm : public CollectiveAlgorithm {
 public:
  bool Supports(CollectiveKind kind) const override {
    return kind != CollectiveKind::kAllToAll && kind != CollectiveKind::kSendRecv;
  }

  absl::StatusOr<AlgorithmLoads> Loads(const AlgorithmContext& context, CollectiveKind kind) const override {
    return LoadRing(context, kind);
  }

  AlgorithmTime Time(const AlgorithmContext& context, const AlgorithmLoads& loads,
                     const TimeQuery& query) const override {
    const GroupTraits& traits = *context.traits;
    const double share = RingShare(query.kind, traits.ranks);
    AlgorithmTime time;
    CapByProtocol(traits, query.protocol, share, &time);
    time.channels = ChannelsInUse(traits, query.protocol, query.bytes);
    // Read, write and the partner's write of each byte, and the last copy (models/COLLECTIVES.md §2); LL
    // doubles the two accesses of the FIFO.
    const double accesses = (query.protocol == Protocol::kLl ? 5.0 : 3.0) +
                            (Pipelined(query.kind) ? 0 : 2.0 / (traits.ranks - 1));
    time.memory_traffic = accesses * share;
    time.latency_us = kTiming.launch_us + ChainUs(traits, loads, query) + LastCopyUs(traits, loads, query);
    const double pipelined = Pipelined(query.kind) ? kTiming.pipelined_share : 1;
    const auto bytes = static_cast<double>(query.bytes);
    if (traits.nodes > 1) time.latency_us += FabricFillUs(traits.fabric, bytes) * pipelined;
    if (traits.nodes == 1 && traits.nvlink && query.protocol == Protocol::kSimple) {
      time.latency_us +=
          PipelineFillUs(bytes, time.channels, query.simple_rate * share, traits.ranks) * pipelined;
    }
    return time;
  }

 private:
  static void CapByProtocol(const GroupTraits& traits, Protocol protocol, double share, AlgorithmTime* time) {
    double cap = 0;
    if (protocol == Protocol::kLl) cap = LlMaxBusBandwidth(traits.gpu, traits.cpu, traits.nodes);
    if (protocol == Protocol::kLl128) cap = traits.graph.channels * RingLl128PerChannel(traits.gpu);
    if (cap == 0) return;
    time->rate_cap = cap * kGiga / share;
    time->cap_reason = absl::StrFormat("%s reaches at most %.4g GB/s of bus bandwidth", Name(protocol), cap);
  }

  // The latency chain: base and hops (models/COLLECTIVES.md §1.4, planner's table).
  static double ChainUs(const GroupTraits& traits, const AlgorithmLoads& loads, const TimeQuery& query) {
    const auto hop = [&](Medium medium) { return HopLatency(medium, NcclAlgorithm::kRing, query.protocol); };
    const double inter = hop(Medium::kNetwork) + traits.fabric.hop_us + loads.fabric_latency_us;
    double intra = hop(IntraMedium(traits));
    const double base = BaseLatency(NcclAlgorithm::kRing, query.protocol);
    if (Pipelined(query.kind))
      return base + (traits.ranks - traits.nodes) * intra + (traits.nodes - 1) * inter;
    // A network step must be posted for every ring step; the value for Intel hosts fits the multi-node rows.
    if (traits.nodes > 1) {
      const double post = NetOverhead(CpuVendor::kIntel) * (query.protocol == Protocol::kSimple ? 3 : 1);
      intra = std::max(intra, post);
    }
    const int rounds =
        query.kind == CollectiveKind::kAllGather || query.kind == CollectiveKind::kReduceScatter ? 1 : 2;
    const int inter_hops = rounds * (traits.nodes - 1);
    const int steps = rounds * (traits.ranks - 1);
    double us = base + (steps - inter_hops) * intra + inter_hops * inter;
    if (query.protocol == Protocol::kLl128 && traits.nodes == 1) us += steps * kTiming.ll128_hop_us;
    return us;
  }

  static double LastCopyUs(const GroupTraits& traits, const AlgorithmLoads& loads, const TimeQuery& query) {
    if (Pipelined(query.kind) || loads.cap_is_total) return 0;
    const double copies =
        query.kind == CollectiveKind::kAllReduce ? kTiming.all_reduce_copies : kTiming.gather_copies;
    return copies * static_cast<double>(query.bytes) / traits.ranks /
           (kTiming.memory_share * traits.memory_rate) * 1e6;
  }
};

}  // namespace

const CollectiveAlgorithm* Ring() {
  static const auto* ring = new RingAlgorithm();
  return ring;
}

}  // namespace stepsim::sim
