#include "sim/collective/ring_node.h"

#include <algorithm>

#include "sim/base/status.h"

namespace stepsim::sim {
namespace {

std::vector<int32_t> Rotated(const std::vector<int32_t>& gpus, int32_t first) {
  std::vector<int32_t> order = gpus;
  std::rotate(order.begin(), std::find(order.begin(), order.end(), first), order.end());
  return order;
}

std::vector<int32_t> RailOrder(const GroupLayout& layout, const NodePattern& pattern, int32_t rail) {
  const UsedNic& used = pattern.nics[static_cast<size_t>(rail)];
  std::vector<int32_t> order = Rotated(pattern.gpus, used.home);
  if (pattern.nvlink) return order;
  const NodeScope scope = pattern.Scope(*layout.platform);
  // Within GPUDirect's reach PIX and PXB are alike; beyond it, so are all paths within a socket.
  const auto reach = [&](int32_t gpu) {
    return HasGpuDirect(scope, gpu, used.nic) ? 0 : PathToNic(scope, gpu, used.nic) < PathType::kSys ? 1 : 2;
  };
  const int home_reach = reach(used.home);
  std::stable_partition(order.begin() + 1, order.end(),
                        [&](int32_t gpu) { return reach(gpu) != home_reach; });
  return order;
}

}  // namespace

absl::Status AddRingHop(const GroupLayout& layout, const NodePattern& pattern, bool across_sockets_by_nic,
                        int32_t rail, int32_t from, int32_t to, double weight, HopSink sink) {
  const NodeScope scope = pattern.Scope(*layout.platform);
  SIM_ASSIGN_OR_RETURN(const Leg leg, GpuToGpuLeg(scope, from, to));
  if (across_sockets_by_nic && leg.limit == PortLimit::kStagedAcrossSockets) {
    const int32_t out = pattern.NearNic(*layout.platform, from);
    const int32_t in = pattern.NearNic(*layout.platform, to);
    const UsedNic& out_nic = pattern.nics[static_cast<size_t>(out)];
    const UsedNic& in_nic = pattern.nics[static_cast<size_t>(in)];
    if (out != in && HasGpuDirect(scope, from, out_nic.nic) && HasGpuDirect(scope, to, in_nic.nic)) {
      SIM_ASSIGN_OR_RETURN(const Leg up, GpuToNicLeg(scope, from, out_nic.nic, out_nic.home));
      SIM_ASSIGN_OR_RETURN(const Leg down, NicToGpuLeg(scope, in_nic.nic, to, in_nic.home));
      sink.loads->Add(up, weight);
      sink.loads->Add(down, weight);
      sink.nic_hops->push_back({.from = out, .to = in, .rail = rail, .weight = weight});
      return absl::OkStatus();
    }
  }
  sink.loads->Add(leg, weight);
  return absl::OkStatus();
}

absl::StatusOr<RingNode> BuildRingNode(const GroupLayout& layout, const NodePattern& pattern,
                                       bool across_sockets_by_nic) {
  RingNode ring;
  const HopSink sink{.loads = &ring.loads, .nic_hops = &ring.nic_hops};
  const NodeScope scope = pattern.Scope(*layout.platform);
  const bool several_nodes = layout.num_nodes() > 1;
  const double weight = 1.0 / layout.rails;
  for (int32_t rail = 0; rail < layout.rails; ++rail) {
    const std::vector<int32_t> order = several_nodes ? RailOrder(layout, pattern, rail) : pattern.gpus;
    for (size_t i = 1; i < order.size(); ++i) {
      SIM_RETURN_IF_ERROR(
          AddRingHop(layout, pattern, across_sockets_by_nic, rail, order[i - 1], order[i], weight, sink));
    }
    if (several_nodes) {
      const UsedNic& used = pattern.nics[static_cast<size_t>(rail)];
      SIM_ASSIGN_OR_RETURN(const Leg out, GpuToNicLeg(scope, order.back(), used.nic, used.home));
      SIM_ASSIGN_OR_RETURN(const Leg in, NicToGpuLeg(scope, used.nic, order.front(), used.home));
      ring.loads.Add(out, weight);
      ring.loads.Add(in, weight);
    } else if (order.size() > 1) {
      SIM_RETURN_IF_ERROR(
          AddRingHop(layout, pattern, false, rail, order.back(), order.front(), weight, sink));
    }
    ring.orders.push_back(order);
  }
  ring.loads.Finish();
  return ring;
}

}  // namespace stepsim::sim
