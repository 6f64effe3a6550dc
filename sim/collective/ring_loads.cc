#include "sim/collective/ring_loads.h"

#include <algorithm>
#include <utility>

#include "sim/base/status.h"
#include "sim/collective/network_loads.h"
#include "sim/collective/ring_node.h"

namespace stepsim::sim {
namespace {

// Puts one byte of ring traffic on the links of the platform.
class RingLoader {
 public:
  explicit RingLoader(const AlgorithmContext& context)
      : layout_(*context.layout),
        traits_(*context.traits),
        network_(*layout_.platform, std::max(1, traits_.graph.kernel_channels / layout_.rails),
                 context.qps_per_connection, &loads_.links) {}

  absl::StatusOr<AlgorithmLoads> Load(CollectiveKind kind) {
    for (const NodePattern& pattern : layout_.patterns) {
      SIM_ASSIGN_OR_RETURN(RingNode node, BuildRingNode(layout_, pattern, traits_.across_sockets_by_nic));
      nodes_.push_back(std::move(node));
    }
    for (size_t m = 0; m < layout_.nodes.size(); ++m) SIM_RETURN_IF_ERROR(AddNode(m));
    if (Pipelined(kind)) SIM_RETURN_IF_ERROR(RemoveHopOfRoot(kind == CollectiveKind::kBroadcast));
    SumByKey(&loads_.links);
    if (traits_.nodes > 1) loads_.fabric_latency_us = latency_us_ / (traits_.nodes * layout_.rails);
    return std::move(loads_);
  }

 private:
  const RingNode& Node(const GroupLayout::Member& member) const {
    return nodes_[static_cast<size_t>(member.pattern)];
  }
  double weight() const { return 1.0 / layout_.rails; }

  absl::Status AddNode(size_t m) {
    const GroupLayout::Member& member = layout_.nodes[m];
    const RingNode& node = Node(member);
    for (const auto& [link, load] : node.loads.links) {
      loads_.links.push_back({.key = layout_.AbsoluteLink(member, link), .weight = load});
    }
    RateCap cap = PortCap(layout_, member, node.loads);
    if (cap.rate < loads_.rate_cap) loads_.rate_cap = cap.rate, loads_.cap_reason = std::move(cap.reason);
    for (const NicHop& hop : node.nic_hops) {
      SIM_RETURN_IF_ERROR(
          network_.Add(layout_.Nic(member, hop.from), layout_.Nic(member, hop.to), hop.rail, hop.weight)
              .status());
    }
    if (layout_.num_nodes() == 1) return absl::OkStatus();
    for (int32_t rail = 0; rail < layout_.rails; ++rail) {
      SIM_ASSIGN_OR_RETURN(const double latency, AddCrossing(m, rail, weight()));
      latency_us_ += latency;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<double> AddCrossing(size_t m, int32_t rail, double weight) {
    const GroupLayout::Member& next = layout_.nodes[(m + 1) % layout_.nodes.size()];
    return network_.Add(layout_.Nic(layout_.nodes[m], rail), layout_.Nic(next, rail), rail, weight);
  }

  // Broadcast has no hop into the root, reduce none out of it. The root is rank 0, on the first node of the
  // layout.
  absl::Status RemoveHopOfRoot(bool into) {
    const GroupLayout::Member& home = layout_.nodes.front();
    const int32_t root = layout_.platform->gpu(layout_.ranks.front()).local;
    for (int32_t rail = 0; rail < layout_.rails; ++rail) {
      const std::vector<int32_t>& order = Node(home).orders[static_cast<size_t>(rail)];
      const size_t at = static_cast<size_t>(std::find(order.begin(), order.end(), root) - order.begin());
      const bool at_edge = into ? at == 0 : at + 1 == order.size();
      if (layout_.num_nodes() > 1 && at_edge) {
        SIM_RETURN_IF_ERROR(RemoveCrossing(into ? layout_.nodes.size() - 1 : 0, rail));
        continue;
      }
      const size_t peer = (into ? at + order.size() - 1 : at + 1) % order.size();
      SIM_RETURN_IF_ERROR(RemoveHop(home, rail, into ? order[peer] : root, into ? root : order[peer]));
    }
    return absl::OkStatus();
  }

  void Subtract(const GroupLayout::Member& member, const NodeLoads& hop) {
    for (const auto& [link, load] : hop.links) {
      loads_.links.push_back({.key = layout_.AbsoluteLink(member, link), .weight = -load});
    }
  }

  absl::Status RemoveHop(const GroupLayout::Member& member, int32_t rail, int32_t from, int32_t to) {
    NodeLoads hop;
    std::vector<NicHop> nic_hops;
    SIM_RETURN_IF_ERROR(AddRingHop(layout_, layout_.pattern(member),
                                   traits_.across_sockets_by_nic && layout_.num_nodes() > 1, rail, from, to,
                                   weight(), {.loads = &hop, .nic_hops = &nic_hops}));
    Subtract(member, hop);
    for (const NicHop& nic : nic_hops) {
      SIM_RETURN_IF_ERROR(
          network_.Add(layout_.Nic(member, nic.from), layout_.Nic(member, nic.to), rail, -nic.weight)
              .status());
    }
    return absl::OkStatus();
  }

  // The hop from the last GPU of node m to the first of the next.
  absl::Status RemoveCrossing(size_t m, int32_t rail) {
    const GroupLayout::Member& from = layout_.nodes[m];
    const GroupLayout::Member& to = layout_.nodes[(m + 1) % layout_.nodes.size()];
    const UsedNic& out_nic = layout_.pattern(from).nics[static_cast<size_t>(rail)];
    const UsedNic& in_nic = layout_.pattern(to).nics[static_cast<size_t>(rail)];
    const int32_t last = Node(from).orders[static_cast<size_t>(rail)].back();
    const int32_t first = Node(to).orders[static_cast<size_t>(rail)].front();
    SIM_ASSIGN_OR_RETURN(const Leg out, GpuToNicLeg(layout_.pattern(from).Scope(*layout_.platform), last,
                                                    out_nic.nic, out_nic.home));
    SIM_ASSIGN_OR_RETURN(const Leg in, NicToGpuLeg(layout_.pattern(to).Scope(*layout_.platform), in_nic.nic,
                                                   first, in_nic.home));
    NodeLoads out_loads, in_loads;
    out_loads.Add(out, weight());
    in_loads.Add(in, weight());
    Subtract(from, out_loads);
    Subtract(to, in_loads);
    return AddCrossing(m, rail, -weight()).status();
  }

  const GroupLayout& layout_;
  const GroupTraits& traits_;
  AlgorithmLoads loads_;
  NetworkLoads network_;
  std::vector<RingNode> nodes_;
  double latency_us_ = 0;
};

// Two ranks through host memory run in phases instead of a stream: one direction of PCIe at a time (measured
// on two H200).
void CapTwoStagedRanks(const GroupLayout& layout, CollectiveKind kind, AlgorithmLoads* loads) {
  const GroupLayout::Member& member = layout.nodes.front();
  const NodePattern& pattern = layout.pattern(member);
  const auto leg = GpuToGpuLeg(pattern.Scope(*layout.platform), pattern.gpus.front(), pattern.gpus.back());
  if (!leg.ok()) return;
  const Link& port = layout.platform->link(layout.AbsoluteLink(member, leg->links.front()));
  const double pcie = port.capacity.per_second() * port.payload;
  double seconds = 1 / (kStaging.one_way_share * pcie);
  if (kind == CollectiveKind::kAllReduce) seconds += 0.5 / LimitedRate(leg->limit, pcie);
  loads->rate_cap = 1 / seconds;
  loads->cap_reason = "two ranks through host memory";
  loads->cap_is_total = true;
}

}  // namespace

absl::StatusOr<AlgorithmLoads> LoadRing(const AlgorithmContext& context, CollectiveKind kind) {
  SIM_ASSIGN_OR_RETURN(AlgorithmLoads loads, RingLoader(context).Load(kind));
  const double share = RingShare(kind, context.traits->ranks);
  for (LinkWeight& item : loads.links) item.weight *= share;
  loads.rate_cap /= share;
  if (context.traits->ranks == 2 && context.traits->nodes == 1 && context.traits->staged) {
    CapTwoStagedRanks(*context.layout, kind, &loads);
  }
  return loads;
}

}  // namespace stepsim::sim
