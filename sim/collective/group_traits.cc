#include "sim/collective/group_traits.h"

#include <algorithm>
#include <limits>

#include "sim/base/status.h"

namespace stepsim::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kGiga = 1e9;
// NCCL's PCIe rate over the raw link rate (24 of 31.5 GB/s for x16 Gen4): lowers the plan where a link is
// narrower than the card's own connector.
constexpr double kPciePlanShare = 0.762;

double SocketRate(const GroupLayout& layout, const NodePattern& pattern) {
  const Platform& platform = *layout.platform;
  double effective = kInfinity;
  const int32_t first = platform.node(pattern.sample).first_link.value();
  for (int32_t i = 0; i < platform.node_type(pattern.sample).num_links; ++i) {
    const Link& link = platform.link(LinkId(first + i));
    if (link.kind == LinkKind::kSocket)
      effective = std::min(effective, link.capacity.per_second() * link.payload / kGiga);
  }
  return effective == kInfinity ? kInfinity
                                : SocketPlanRate(platform.node_type(pattern.sample).cpu, effective);
}

// The planner's rate of a link; infinite for what its ring search does not count against (DRAM, the NIC's own
// slot).
double PlanRate(const GroupLayout& layout, const NodePattern& pattern, const GroupTraits& traits,
                int32_t relative) {
  const Platform& platform = *layout.platform;
  const Link& link = platform.link(LinkId(platform.node(pattern.sample).first_link.value() + relative));
  const auto kind = [&](VertexId vertex) { return platform.data().vertices[vertex].kind; };
  switch (link.kind) {
    case LinkKind::kNvlink:
      return traits.nvlink_rate;
    case LinkKind::kSocket:
      return SocketRate(layout, pattern);
    case LinkKind::kPcie:
      if (kind(link.from) == VertexKind::kNic || kind(link.to) == VertexKind::kNic) return kInfinity;
      return std::min(traits.pcie_rate, link.capacity.per_second() * kPciePlanShare / kGiga);
    default:
      return kInfinity;
  }
}

double RingRate(const GroupLayout& layout, const NodePattern& pattern, const GroupTraits& traits,
                const RingNode& ring) {
  if (pattern.nvlink) return traits.nvlink_rate;
  double rate = kInfinity;
  for (const auto& [link, weight] : ring.loads.links) {
    rate = std::min(rate, PlanRate(layout, pattern, traits, link) / weight);
  }
  return rate == kInfinity ? traits.pcie_rate : rate;
}

void CountMembers(const GroupLayout& layout, GroupTraits* traits) {
  traits->ranks = layout.num_ranks();
  traits->nodes = layout.num_nodes();
  traits->rails = layout.rails;
  traits->nvlink_rate = traits->pcie_rate = traits->memory_rate = traits->compute_capability = kInfinity;
  for (GpuId gpu : layout.ranks) {
    const GpuSpec& spec = layout.platform->spec(gpu);
    traits->compute_capability = std::min(traits->compute_capability, spec.compute_capability);
    traits->nvlink_rate = std::min(traits->nvlink_rate, static_cast<double>(spec.nvlink_links) *
                                                            NvlinkPlanRate(spec.compute_capability));
    traits->pcie_rate = std::min(traits->pcie_rate, PciePlanRate(spec.pcie_generation, spec.pcie_lanes));
    traits->memory_rate = std::min(traits->memory_rate, spec.memory_rate.per_second());
  }
  traits->gpu = GpuClassOf(traits->compute_capability);
  traits->cpu = layout.platform->node_type(layout.nodes.front().node).cpu;
  traits->nic_rate = kInfinity;
  for (const GroupLayout::Member& member : layout.nodes) {
    for (int32_t i = 0; traits->nodes > 1 && i < layout.rails; ++i) {
      traits->nic_rate = std::min(traits->nic_rate,
                                  layout.platform->nic(layout.Nic(member, i)).line_rate.per_second() / kGiga);
    }
  }
}

}  // namespace

absl::StatusOr<GroupTraits> DeriveTraits(const GroupLayout& layout) {
  GroupTraits traits;
  CountMembers(layout, &traits);
  if (traits.nodes > 1) {
    SIM_ASSIGN_OR_RETURN(traits.fabric, FabricTimingOf(layout.platform->fabric().protocol));
  }
  traits.nvlink = traits.nvswitch = traits.ll128 = true;
  traits.ring_rate = kInfinity;
  for (const NodePattern& pattern : layout.patterns) {
    SIM_ASSIGN_OR_RETURN(const RingNode ring, BuildRingNode(layout, pattern, false));
    traits.ring_rate = std::min(traits.ring_rate, RingRate(layout, pattern, traits, ring));
    traits.gpus_per_node = std::max(traits.gpus_per_node, static_cast<int>(pattern.gpus.size()));
    if (pattern.gpus.size() > 1) {
      traits.nvlink = traits.nvlink && pattern.nvlink;
      traits.nvswitch = traits.nvswitch && pattern.nvswitch;
    }
    for (const LimitedPort& port : ring.loads.ports) traits.staged = traits.staged || IsStaged(port.limit);
    const NodeScope scope = pattern.Scope(*layout.platform);
    for (const UsedNic& used : pattern.nics)
      traits.ll128 = traits.ll128 && HasGpuDirect(scope, used.home, used.nic);
    const double between_gpus = std::min(traits.pcie_rate, SocketRate(layout, pattern));
    if (traits.nodes > 1 && !pattern.nvlink && std::min(traits.pcie_rate, traits.nic_rate) > between_gpus) {
      traits.across_sockets_by_nic = true;
    }
  }
  // LL128 needs NVLink within the node (a lone GPU has no hop there) and compute capability 7
  // (src/graph/tuning.cc).
  traits.ll128 = traits.ll128 && traits.nvlink && traits.compute_capability >= 7.0;
  if (traits.gpus_per_node == 1) traits.nvlink = traits.nvswitch = false;
  traits.graph = SearchRing(traits);
  return traits;
}

RingGraph SearchRing(const GroupTraits& traits) {
  const bool several_nodes = traits.nodes > 1;
  RingGraph graph{.channels = 0, .bandwidth = 0};
  for (double speed : SearchSpeeds(traits.gpu, several_nodes)) {
    int fit = static_cast<int>(traits.ring_rate / speed + 1e-6);
    if (several_nodes) {
      const double nic = std::min(traits.pcie_rate, traits.nic_rate);
      fit = std::min(fit, std::max(1, traits.rails) * static_cast<int>(nic / speed + 1e-6));
    }
    fit = std::min(fit, 32);
    if (graph.channels > 0 && fit > 0 && speed / graph.bandwidth <= 0.49) break;
    if (fit * speed > graph.channels * graph.bandwidth + 1e-9) graph.channels = fit, graph.bandwidth = speed;
  }
  if (graph.channels == 0) graph.channels = 1, graph.bandwidth = std::max(traits.ring_rate, 0.1);
  const bool many_slow = traits.compute_capability > 8.0 && graph.bandwidth < 50 && graph.channels > 4;
  if (graph.bandwidth >= 25 && (several_nodes ? traits.compute_capability <= 8.0 : !many_slow)) {
    graph.channels *= 2;
    graph.bandwidth /= 2;
  }
  graph.kernel_channels = 2 * graph.channels;
  const bool hopper_multi = traits.gpu >= GpuClass::kHopper && several_nodes && graph.bandwidth > 45;
  if (hopper_multi && graph.kernel_channels < 32) graph.kernel_channels *= 2;
  graph.kernel_channels = std::min(graph.kernel_channels, 64);
  return graph;
}

}  // namespace stepsim::sim
