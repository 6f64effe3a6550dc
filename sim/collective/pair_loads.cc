#include "sim/collective/pair_loads.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "sim/base/status.h"
#include "sim/collective/network_loads.h"

namespace stepsim::sim {
namespace {

// Pairs of NICs whose routes are worked out one by one; beyond it the plan would take seconds.
constexpr int64_t kMaxNicPairs = 4'000'000;

class PairLoader {
 public:
  explicit PairLoader(const AlgorithmContext& context)
      : layout_(*context.layout),
        traits_(*context.traits),
        network_(*layout_.platform, 1, context.qps_per_connection, &loads_.links) {}

  absl::StatusOr<AlgorithmLoads> AllToAll() {
    SIM_RETURN_IF_ERROR(CheckSize());
    FindServedGpus();
    for (size_t m = 0; m < layout_.nodes.size(); ++m) {
      SIM_RETURN_IF_ERROR(AddNode(m));
      for (size_t other = 0; other < layout_.nodes.size(); ++other) {
        if (other != m) SIM_RETURN_IF_ERROR(AddNodePair(m, other));
      }
    }
    SumByKey(&loads_.links);
    return std::move(loads_);
  }

  absl::StatusOr<AlgorithmLoads> SendRecv() {
    const Gpu& from = layout_.platform->gpu(layout_.ranks.front());
    const Gpu& to = layout_.platform->gpu(layout_.ranks.back());
    if (from.node == to.node) {
      NodeLoads node;
      SIM_ASSIGN_OR_RETURN(const Leg leg, GpuToGpuLeg(layout_.patterns.front().Scope(*layout_.platform),
                                                      from.local, to.local));
      node.Add(leg, 1);
      node.Finish();
      Append(layout_.nodes.front(), node);
    } else {
      SIM_RETURN_IF_ERROR(AddConnection(from.local, to.local));
    }
    SumByKey(&loads_.links);
    return std::move(loads_);
  }

 private:
  absl::Status CheckSize() const {
    int64_t nics = 0;
    for (const GroupLayout::Member& member : layout_.nodes)
      nics += static_cast<int64_t>(layout_.pattern(member).nics.size());
    const int64_t pairs = RailAligned() ? nics * layout_.num_nodes() : nics * nics;
    if (layout_.num_nodes() == 1 || pairs <= kMaxNicPairs) return absl::OkStatus();
    return absl::UnimplementedError(absl::StrCat("all-to-all of ", layout_.num_ranks(), " ranks has ", pairs,
                                                 " pairs of NICs; at most ", kMaxNicPairs, " are modelled"));
  }

  // Over NVLink NCCL hands bytes to the GPU on the destination's rail first (PXN), so that NIC k talks to NIC
  // k only.
  bool RailAligned() const {
    return traits_.nvlink &&
           std::all_of(layout_.patterns.begin(), layout_.patterns.end(), [&](const NodePattern& pattern) {
             return static_cast<int32_t>(pattern.nics.size()) == layout_.rails;
           });
  }

  // served_[pattern][nic]: GPUs whose own traffic uses the NIC.
  void FindServedGpus() {
    for (const NodePattern& pattern : layout_.patterns) {
      std::vector<int> served(pattern.nics.size(), 0);
      if (!pattern.nics.empty()) {
        for (int32_t gpu : pattern.gpus)
          ++served[static_cast<size_t>(pattern.NearNic(*layout_.platform, gpu))];
      }
      served_.push_back(std::move(served));
    }
  }

  double share() const { return 1.0 / traits_.ranks; }
  const std::vector<int>& Served(size_t m) const {
    return served_[static_cast<size_t>(layout_.nodes[m].pattern)];
  }

  absl::Status AddNode(size_t m) {
    const GroupLayout::Member& member = layout_.nodes[m];
    const NodePattern& pattern = layout_.pattern(member);
    const NodeScope scope = pattern.Scope(*layout_.platform);
    NodeLoads node;
    for (int32_t a : pattern.gpus) {
      for (int32_t b : pattern.gpus) {
        if (a == b) continue;
        SIM_ASSIGN_OR_RETURN(const Leg leg, GpuToGpuLeg(scope, a, b));
        node.Add(leg, share(), kStaging.pairwise_share);
      }
      if (layout_.num_nodes() > 1) SIM_RETURN_IF_ERROR(AddNicLegs(m, a, &node));
    }
    node.Finish();
    Append(member, node);
    return absl::OkStatus();
  }

  // GPU `gpu` of node m to and from the NICs, for all its peers on other nodes.
  absl::Status AddNicLegs(size_t m, int32_t gpu, NodeLoads* node) {
    const NodePattern& pattern = layout_.pattern(layout_.nodes[m]);
    const NodeScope scope = pattern.Scope(*layout_.platform);
    const double peers = traits_.ranks - static_cast<int>(pattern.gpus.size());
    const int32_t near = pattern.NearNic(*layout_.platform, gpu);
    for (int32_t i = 0; i < static_cast<int32_t>(pattern.nics.size()); ++i) {
      const UsedNic& used = pattern.nics[static_cast<size_t>(i)];
      double out = i == near ? peers : 0;
      if (RailAligned()) {
        out = 0;
        for (size_t other = 0; other < layout_.nodes.size(); ++other) {
          if (other != m) out += Served(other)[static_cast<size_t>(i)];
        }
      }
      SIM_ASSIGN_OR_RETURN(const Leg up, GpuToNicLeg(scope, gpu, used.nic, used.home));
      if (out > 0) node->Add(up, out * share());
      if (i != near) continue;
      SIM_ASSIGN_OR_RETURN(const Leg down, NicToGpuLeg(scope, used.nic, gpu, used.home));
      node->Add(down, peers * share());
    }
    return absl::OkStatus();
  }

  absl::Status AddNodePair(size_t from, size_t to) {
    const GroupLayout::Member& source = layout_.nodes[from];
    const GroupLayout::Member& target = layout_.nodes[to];
    const double senders = static_cast<double>(layout_.pattern(source).gpus.size());
    for (int32_t d = 0; d < static_cast<int32_t>(Served(to).size()); ++d) {
      const int receivers = Served(to)[static_cast<size_t>(d)];
      if (receivers == 0) continue;
      if (RailAligned()) {
        SIM_RETURN_IF_ERROR(
            network_.Add(layout_.Nic(source, d), layout_.Nic(target, d), 0, senders * receivers * share())
                .status());
        continue;
      }
      for (int32_t s = 0; s < static_cast<int32_t>(Served(from).size()); ++s) {
        const int sending = Served(from)[static_cast<size_t>(s)];
        if (sending == 0) continue;
        SIM_RETURN_IF_ERROR(network_
                                .Add(layout_.Nic(source, s), layout_.Nic(target, d), 0,
                                     static_cast<double>(sending) * receivers * share())
                                .status());
      }
    }
    return absl::OkStatus();
  }

  absl::Status AddConnection(int32_t from, int32_t to) {
    const GroupLayout::Member& source = layout_.nodes.front();
    const GroupLayout::Member& target = layout_.nodes.back();
    const UsedNic& out = layout_.pattern(source).nics.front();
    const UsedNic& in = layout_.pattern(target).nics.front();
    NodeLoads up_loads, down_loads;
    SIM_ASSIGN_OR_RETURN(
        const Leg up, GpuToNicLeg(layout_.pattern(source).Scope(*layout_.platform), from, out.nic, out.home));
    SIM_ASSIGN_OR_RETURN(const Leg down,
                         NicToGpuLeg(layout_.pattern(target).Scope(*layout_.platform), in.nic, to, in.home));
    up_loads.Add(up, 1);
    down_loads.Add(down, 1);
    up_loads.Finish();
    down_loads.Finish();
    Append(source, up_loads);
    Append(target, down_loads);
    SIM_ASSIGN_OR_RETURN(loads_.fabric_latency_us,
                         network_.Add(layout_.Nic(source, 0), layout_.Nic(target, 0), 0, 1));
    const Nic& nic = layout_.platform->nic(layout_.Nic(source, 0));
    const Link& port = layout_.platform->link(nic.up);
    const double one = kTiming.one_connection_share * port.capacity.per_second() * port.payload;
    if (one < loads_.rate_cap) loads_.rate_cap = one, loads_.cap_reason = "one network connection";
    return absl::OkStatus();
  }

  void Append(const GroupLayout::Member& member, const NodeLoads& node) {
    for (const auto& [link, load] : node.links) {
      loads_.links.push_back({.key = layout_.AbsoluteLink(member, link), .weight = load});
    }
    RateCap cap = PortCap(layout_, member, node);
    if (cap.rate < loads_.rate_cap) loads_.rate_cap = cap.rate, loads_.cap_reason = std::move(cap.reason);
  }

  const GroupLayout& layout_;
  const GroupTraits& traits_;
  AlgorithmLoads loads_;
  NetworkLoads network_;
  std::vector<std::vector<int>> served_;
};

}  // namespace

absl::StatusOr<AlgorithmLoads> LoadAllToAll(const AlgorithmContext& context) {
  return PairLoader(context).AllToAll();
}
absl::StatusOr<AlgorithmLoads> LoadSendRecv(const AlgorithmContext& context) {
  return PairLoader(context).SendRecv();
}

}  // namespace stepsim::sim
