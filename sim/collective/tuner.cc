#include "sim/collective/tuner.h"

#include <algorithm>
#include <bit>

#include "sim/base/check.h"

namespace stepsim::sim {
namespace {

constexpr double kKilo = 1000;  // bytes/us per GB/s

bool IsGather(CollectiveKind kind) {
  return kind == CollectiveKind::kAllGather || kind == CollectiveKind::kReduceScatter;
}

bool IsPipelined(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce;
}

double Steps(CollectiveKind kind, int ranks) {
  if (IsPipelined(kind)) return ranks;
  return IsGather(kind) ? ranks - 1 : 2.0 * (ranks - 1);
}

int FloorLog2(int n) {
  return std::bit_width(static_cast<unsigned>(n)) - 1;
}

double RingCost(const GroupTraits& traits, CollectiveKind kind, Protocol protocol, int64_t bytes) {
  const double bus = traits.graph.channels * traits.graph.bandwidth;
  double rate = bus;
  if (protocol == Protocol::kLl)
    rate = std::min(LlMaxBusBandwidth(traits.gpu, traits.cpu, traits.nodes), 0.5 * bus);
  if (protocol == Protocol::kLl128)
    rate = std::min(0.92 * bus, traits.graph.channels * RingLl128PerChannel(traits.gpu));
  const double steps = Steps(kind, traits.ranks);
  double intra = HopLatency(IntraMedium(traits), NcclAlgorithm::kRing, protocol);
  const double inter = HopLatency(Medium::kNetwork, NcclAlgorithm::kRing, protocol);
  double latency = 0;
  if (IsPipelined(kind)) {
    const double hops = traits.nodes == 1 ? intra * traits.ranks
                                          : intra * (traits.ranks - traits.nodes) + inter * traits.nodes;
    latency = hops * (traits.ranks > 2 ? 1 : 0.5);
  } else {
    if (traits.nodes > 1)
      intra = std::max(intra, NetOverhead(traits.cpu) * (protocol == Protocol::kSimple ? 3 : 1));
    const double inter_hops = (IsGather(kind) ? 1 : 2) * (traits.nodes - 1);
    latency = (steps - inter_hops) * intra + inter_hops * inter;
  }
  latency += BaseLatency(NcclAlgorithm::kRing, protocol);
  const bool large = static_cast<double>(bytes) / (traits.graph.channels * traits.ranks) >= 64;
  if (!IsGather(kind) && !IsPipelined(kind) && protocol == Protocol::kSimple && traits.nodes > 1 && large) {
    latency *= traits.gpu == GpuClass::kVolta ? 1.9 : 1.4;
  }
  return latency + static_cast<double>(bytes) / (kKilo * rate * traits.ranks / steps);
}

double TreeCost(const GroupTraits& traits, Protocol protocol, int64_t bytes) {
  const int channels = traits.graph.channels;
  const double bus = channels * traits.graph.bandwidth;
  double rate = std::min(0.92 * bus, channels * TreePerChannel(traits.gpu, traits.nodes));
  if (protocol == Protocol::kLl)
    rate = std::min(rate / 3.8, LlMaxBusBandwidth(traits.gpu, traits.cpu, traits.nodes));
  if (protocol == Protocol::kLl128) {
    rate = std::min(rate * (traits.nodes == 1 ? 7.0 / 9 : 120.0 / 128),
                    channels * TreeLl128PerChannel(traits.gpu, traits.nodes));
  }
  rate *= 0.5 * TreeCorrection(protocol, bytes);
  const double hops =
      (traits.gpus_per_node - 1) * HopLatency(IntraMedium(traits), NcclAlgorithm::kTree, protocol) +
      FloorLog2(traits.nodes) * HopLatency(Medium::kNetwork, NcclAlgorithm::kTree, protocol);
  return BaseLatency(NcclAlgorithm::kTree, protocol) + 2 * hops + static_cast<double>(bytes) / (kKilo * rate);
}

// NVLS on one node, NVLSTree on several; none without NVSwitch multicast (Hopper and later).
void AddNvls(const GroupTraits& traits, int64_t bytes, std::vector<TunerCost>* costs) {
  if (!traits.nvswitch || traits.gpu < GpuClass::kHopper) return;
  int heads = std::min(traits.gpus_per_node, 32);
  double most = traits.nvlink_rate / traits.gpus_per_node;
  if (traits.nodes > 1) {
    heads = std::min(heads, traits.rails);
    most = std::min(most, std::min(traits.pcie_rate, traits.nic_rate) * traits.rails / heads);
  }
  if (heads < 2) return;
  const std::vector<double>& speeds = SearchSpeeds(traits.gpu, traits.nodes > 1);
  const auto speed = std::find_if(speeds.begin(), speeds.end(), [&](double s) { return s <= most + 1e-6; });
  if (speed == speeds.end()) return;
  const double intra = *speed * NvlsEfficiency(traits.gpu) * (heads - 1) / heads * 2;
  const double to_algorithm = traits.ranks / Steps(CollectiveKind::kAllReduce, traits.ranks);
  const double base = HopLatency(Medium::kNvlink, NcclAlgorithm::kNvls, Protocol::kSimple);
  const auto size = static_cast<double>(bytes);
  if (traits.nodes == 1) {
    costs->push_back(
        {NcclAlgorithm::kNvls, Protocol::kSimple, base + size / (kKilo * heads * intra * to_algorithm)});
    return;
  }
  const double inter = *speed * (traits.nodes == 2 ? 2 : 1);
  const double rate = heads * std::min({intra, inter, NvlsTreePerHead(traits.gpu, traits.nodes)});
  const double latency = base + 2 * FloorLog2(traits.nodes) *
                                    HopLatency(Medium::kNetwork, NcclAlgorithm::kNvlsTree, Protocol::kSimple);
  costs->push_back(
      {NcclAlgorithm::kNvlsTree, Protocol::kSimple, latency + size / (kKilo * rate * to_algorithm)});
}

// PAT: one GPU a node, all-gather and reduce-scatter.
double PatCost(const GroupTraits& traits, int64_t bytes) {
  const double latency =
      BaseLatency(NcclAlgorithm::kPat, Protocol::kSimple) + 2.8 * traits.ranks +
      FloorLog2(traits.nodes) * HopLatency(Medium::kNetwork, NcclAlgorithm::kPat, Protocol::kSimple) / 3.5;
  return latency +
         static_cast<double>(bytes) / (kKilo * 0.75 * traits.graph.channels * traits.graph.bandwidth);
}

}  // namespace

std::vector<TunerCost> TunerCosts(const GroupTraits& traits, CollectiveKind kind, int64_t bytes) {
  std::vector<TunerCost> costs;
  const bool all_reduce = kind == CollectiveKind::kAllReduce || kind == CollectiveKind::kBarrier;
  for (Protocol protocol : {Protocol::kLl, Protocol::kLl128, Protocol::kSimple}) {
    if (protocol == Protocol::kLl128 && !traits.ll128) continue;
    costs.push_back({NcclAlgorithm::kRing, protocol, RingCost(traits, kind, protocol, bytes)});
    if (all_reduce) costs.push_back({NcclAlgorithm::kTree, protocol, TreeCost(traits, protocol, bytes)});
  }
  if (all_reduce) AddNvls(traits, bytes, &costs);
  if (IsGather(kind) && traits.nodes > 1 && traits.gpus_per_node == 1 && traits.compute_capability >= 6.0) {
    costs.push_back({NcclAlgorithm::kPat, Protocol::kSimple, PatCost(traits, bytes)});
  }
  return costs;
}

TunerCost CheapestCost(const std::vector<TunerCost>& costs, std::optional<NcclAlgorithm> only) {
  const TunerCost* best = nullptr;
  for (const TunerCost& cost : costs) {
    if (only && cost.algorithm != *only) continue;
    if (best == nullptr || cost.us < best->us) best = &cost;
  }
  SIM_CHECK(best != nullptr) << "no cost for the algorithm asked for";
  return *best;
}

}  // namespace stepsim::sim
