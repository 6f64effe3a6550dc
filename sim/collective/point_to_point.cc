// All-to-all and send/recv: NCCL runs them as direct transfers between pairs, outside its tuner
// (models/COLLECTIVES.md §1.4, §2).
#include <algorithm>
#include <bit>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "sim/collective/algorithms.h"
#include "sim/collective/pair_loads.h"

namespace stepsim::sim {
namespace {

constexpr double kPerNetworkChannel = 14;        // GB/s: NCCL_P2P_PER_CHANNEL_NET_BW (src/graph/paths.cc)
constexpr int64_t kBytesPerChannel = 32 * 1024;  // least traffic given to a channel (src/enqueue.cc)

class PointToPointAlgorithm : public CollectiveAlgorithm {
 public:
  bool Supports(CollectiveKind kind) const override {
    return kind == CollectiveKind::kAllToAll || kind == CollectiveKind::kSendRecv;
  }

  absl::StatusOr<AlgorithmLoads> Loads(const AlgorithmContext& context, CollectiveKind kind) const override {
    if (kind == CollectiveKind::kAllToAll) return LoadAllToAll(context);
    if (context.traits->ranks == 2) return LoadSendRecv(context);
    return absl::InvalidArgumentError(
        absl::StrCat("send/recv joins 2 ranks, the group has ", context.traits->ranks));
  }

  AlgorithmTime Time(const AlgorithmContext& context, const AlgorithmLoads& loads,
                     const TimeQuery& query) const override {
    const GroupTraits& traits = *context.traits;
    const auto hop = [](Medium medium) {
      return HopLatency(medium, NcclAlgorithm::kRing, Protocol::kSimple);
    };
    const bool exchange = query.kind == CollectiveKind::kAllToAll;
    const auto bytes = static_cast<double>(query.bytes);
    AlgorithmTime time;
    time.channels = Channels(traits, exchange, query.bytes);
    time.memory_traffic = exchange ? 4 * RingShare(query.kind, traits.ranks) : 2;
    time.latency_us =
        kTiming.launch_us + BaseLatency(NcclAlgorithm::kRing, Protocol::kSimple) + hop(IntraMedium(traits));
    if (traits.nodes > 1)
      time.latency_us += hop(Medium::kNetwork) + traits.fabric.hop_us + loads.fabric_latency_us;
    if (exchange) {
      time.latency_us += kTiming.pairwise_start_us * (traits.ranks - 2);
      time.latency_us += kTiming.all_to_all_copies * bytes / traits.ranks /
                         (kTiming.memory_share * traits.memory_rate) * 1e6;
    }
    if (traits.nvlink && traits.nodes == 1 && query.bytes > 256 * 1024) {
      const double rate = query.simple_rate * (exchange ? RingShare(query.kind, traits.ranks) : 1);
      time.latency_us += PipelineFillUs(bytes, traits.graph.kernel_channels, rate, traits.ranks);
    }
    return time;
  }

 private:
  // models/COLLECTIVES.md §2 (src/graph/paths.cc): 2 a link of NVLink, 2 over PCIe, one for each 14 GB/s of a
  // NIC; rounded to a power of two and shared by all peers.
  static int Channels(const GroupTraits& traits, bool exchange, int64_t bytes) {
    const int all =
        std::min(64, static_cast<int>(std::bit_ceil(static_cast<unsigned>(traits.graph.kernel_channels))));
    double per_peer = 2;
    if (traits.nvlink) per_peer = 2 * traits.nvlink_rate / NvlinkPlanRate(traits.compute_capability);
    if (traits.nodes > 1) per_peer = std::ceil(traits.nic_rate / kPerNetworkChannel);
    const auto pair = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(1.0, per_peer))));
    const int64_t most = exchange ? all : std::min(all, pair);
    return static_cast<int>(std::clamp<int64_t>(bytes / kBytesPerChannel, 1, most));
  }
};

}  // namespace

const CollectiveAlgorithm* PointToPoint() {
  static const auto* point_to_point = new PointToPointAlgorithm();
  return point_to_point;
}

}  // namespace stepsim::sim
