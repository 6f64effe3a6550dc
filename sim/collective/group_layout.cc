#include "sim/collective/group_layout.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "sim/base/status.h"

namespace stepsim::sim {
namespace {

// NICs within GPUDirect's reach first, then those of the same socket, then the rest.
int Distance(const NodeScope& scope, int32_t gpu, int32_t nic) {
  if (HasGpuDirect(scope, gpu, nic)) return 0;
  const PathType path = PathToNic(scope, gpu, nic);
  return path < PathType::kSys ? 1 : path == PathType::kSys ? 2 : 3;
}

// The NICs at the least distance that any member has to any NIC; each is served by the member nearest to it
// that serves the fewest, so that NICs spread over the GPUs of a switch.
std::vector<UsedNic> ChooseNics(const NodeScope& scope, const std::vector<int32_t>& gpus) {
  const int32_t num_nics = scope.type().num_nics;
  std::vector<int> serves(gpus.size(), 0);
  std::vector<UsedNic> used;
  int best = 3;
  for (int32_t nic = 0; nic < num_nics; ++nic) {
    for (int32_t gpu : gpus) best = std::min(best, Distance(scope, gpu, nic));
  }
  if (best == 3) return used;
  for (int32_t nic = 0; nic < num_nics; ++nic) {
    int home = -1;
    for (int i = 0; i < static_cast<int>(gpus.size()); ++i) {
      const auto at = static_cast<size_t>(i);
      if (Distance(scope, gpus[at], nic) != best) continue;
      if (home < 0 || serves[at] < serves[static_cast<size_t>(home)]) home = i;
    }
    if (home < 0) continue;
    ++serves[static_cast<size_t>(home)];
    used.push_back({.nic = nic, .home = gpus[static_cast<size_t>(home)]});
  }
  return used;
}

void FindNvlink(const Platform& platform, NodePattern* pattern) {
  const NodeType& type = platform.node_type(pattern->sample);
  const int32_t first_link = platform.node(pattern->sample).first_link.value();
  pattern->nvlink = pattern->gpus.size() > 1;
  pattern->nvswitch = pattern->nvlink;
  for (int32_t a : pattern->gpus) {
    for (int32_t b : pattern->gpus) {
      if (a == b) continue;
      const LocalRoute& route = type.gpu_to_gpu[static_cast<size_t>(a * type.num_gpus + b)];
      if (!route.reachable || route.type != PathType::kNvlink) {
        pattern->nvlink = pattern->nvswitch = false;
        return;
      }
      const Link& link = platform.link(LinkId(first_link + route.links.front()));
      if (platform.data().vertices[link.to].kind != VertexKind::kNvSwitch) pattern->nvswitch = false;
    }
  }
}

absl::Status CheckMembers(const Platform& platform, const std::vector<GpuId>& gpus) {
  if (gpus.empty()) return absl::InvalidArgumentError("a process group without GPUs");
  std::vector<GpuId> sorted = gpus;
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.front().valid() || sorted.back().value() >= platform.num_gpus()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a process group has a GPU that is not among the platform's ", platform.num_gpus()));
  }
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    return absl::InvalidArgumentError(absl::StrCat("a process group has GPU ", twice->value(), " twice"));
  return absl::OkStatus();
}

struct NodeMembers {
  NodeId node;
  int32_t first_rank = 0;
  std::vector<int32_t> gpus;
};

std::vector<NodeMembers> ByNode(const Platform& platform, const std::vector<GpuId>& gpus) {
  std::vector<std::tuple<NodeId, int32_t, int32_t>> places;  // node, local index, rank
  places.reserve(gpus.size());
  for (size_t rank = 0; rank < gpus.size(); ++rank) {
    const Gpu& gpu = platform.gpu(gpus[rank]);
    places.emplace_back(gpu.node, gpu.local, static_cast<int32_t>(rank));
  }
  std::sort(places.begin(), places.end());
  std::vector<NodeMembers> nodes;
  for (const auto& [node, local, rank] : places) {
    if (nodes.empty() || nodes.back().node != node)
      nodes.push_back({.node = node, .first_rank = rank, .gpus = {}});
    nodes.back().first_rank = std::min(nodes.back().first_rank, rank);
    nodes.back().gpus.push_back(local);
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const NodeMembers& a, const NodeMembers& b) { return a.first_rank < b.first_rank; });
  return nodes;
}

}  // namespace

int32_t NodePattern::NearNic(const Platform& platform, int32_t gpu) const {
  const NodeScope scope = Scope(platform);
  int32_t nearest = 0;
  int nearest_distance = 4;
  for (int32_t i = 0; i < static_cast<int32_t>(nics.size()); ++i) {
    const UsedNic& used = nics[static_cast<size_t>(i)];
    const int distance = used.home == gpu ? -1 : Distance(scope, gpu, used.nic);
    if (distance < nearest_distance) nearest = i, nearest_distance = distance;
  }
  return nearest;
}

NicId GroupLayout::Nic(const Member& member, int32_t used) const {
  const int32_t local = pattern(member).nics[static_cast<size_t>(used)].nic;
  return NicId(platform->node(member.node).first_nic.value() + local);
}

LinkId GroupLayout::AbsoluteLink(const Member& member, int32_t relative) const {
  return LinkId(platform->node(member.node).first_link.value() + relative);
}

absl::StatusOr<GroupLayout> LayOut(const Platform& platform, const std::vector<GpuId>& gpus) {
  SIM_RETURN_IF_ERROR(CheckMembers(platform, gpus));
  GroupLayout layout;
  layout.platform = &platform;
  layout.ranks = gpus;
  const std::vector<NodeMembers> nodes = ByNode(platform, gpus);
  const bool several_nodes = nodes.size() > 1;
  std::map<std::pair<int32_t, std::vector<int32_t>>, int32_t> known;
  for (const NodeMembers& members : nodes) {
    const auto [entry, is_new] = known.try_emplace({platform.node(members.node).type, members.gpus},
                                                   static_cast<int32_t>(layout.patterns.size()));
    layout.nodes.push_back({.node = members.node, .pattern = entry->second});
    if (!is_new) continue;
    NodePattern pattern;
    pattern.sample = members.node;
    pattern.gpus = members.gpus;
    FindNvlink(platform, &pattern);
    if (several_nodes) {
      pattern.nics = ChooseNics(pattern.Scope(platform), pattern.gpus);
      if (pattern.nics.empty()) {
        return absl::FailedPreconditionError(absl::StrCat("a process group spans ", nodes.size(),
                                                          " nodes, but node", members.node.value(),
                                                          " has no NIC that its GPUs reach"));
      }
    }
    layout.patterns.push_back(std::move(pattern));
  }
  if (several_nodes) {
    layout.rails = static_cast<int32_t>(layout.patterns.front().nics.size());
    for (const NodePattern& pattern : layout.patterns) {
      layout.rails = std::min(layout.rails, static_cast<int32_t>(pattern.nics.size()));
    }
  }
  return layout;
}

}  // namespace stepsim::sim
