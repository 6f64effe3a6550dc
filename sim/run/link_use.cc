#include "sim/run/link_use.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"

namespace stepsim::sim {
namespace {

// CUDA context, cuBLAS and kernel images of a PyTorch process: nvidia-smi less reserved, about 0.5 GiB on Hopper and Ampere.
constexpr int64_t kCudaContextBytes = int64_t{500} << 20;
// NCCL, per channel and connection: LL 512 KiB + LL128 4.7 MiB + Simple 4 MiB (NCCL src/include/device.h), send and receive.
constexpr int64_t kNcclChannelBytes = 2 * ((512 << 10) + 4915200 + (4 << 20));

// Messages of one step on a communicator: bytes by row of plans.
void AddCommunicatorLoads(const World& world, const Job& job, CommunicatorId id, std::vector<double>* wire) {
  const RankId first = job.communicators[id].ranks.front();
  const auto& groups = job.communicator_of[static_cast<size_t>(first.value())];
  const Role& role = world.roles()[static_cast<size_t>(world.ranks()[static_cast<size_t>(first.value())].role)];
  std::map<int32_t, int64_t> calls;
  for (const Op& op : role.program->ops) {
    if (op.kind != OpKind::kCollective) continue;
    const Collective& collective = role.program->collectives[CollectiveId(op.index)];
    if (groups[static_cast<size_t>(collective.group.value())] != id) continue;
    ++calls[world.PlanRow(id, collective)];
  }
  for (const auto& [row, count] : calls) {
    const CollectivePlan& plan = world.plans()[static_cast<size_t>(row)];
    const double message = plan.message.value() * static_cast<double>(count) / kLoadUnit;
    for (const LinkLoad& load : *plan.loads) {
      (*wire)[static_cast<size_t>(load.link.value())] += message * static_cast<double>(load.weight);
    }
  }
}

}  // namespace

void MeasureLinks(const World& world, const Platform& platform, const Job& job, Result* r) {
  std::vector<double> wire(static_cast<size_t>(platform.num_links()));
  for (size_t c = 0; c < job.communicators.size(); ++c) {
    AddCommunicatorLoads(world, job, CommunicatorId(static_cast<int32_t>(c)), &wire);
  }
  std::array<double, kNumLinkKinds> sum{}, most{};
  std::array<int, kNumLinkKinds> links{};
  std::array<int32_t, kNumLinkKinds> busiest{};
  for (size_t i = 0; i < wire.size(); ++i) {
    const Link& link = platform.link(LinkId(static_cast<int32_t>(i)));
    const auto kind = static_cast<size_t>(link.kind);
    const double use = wire[i] / (link.capacity.per_second() * r->step_time_s);
    sum[kind] += use;
    ++links[kind];
    if (use > most[kind]) most[kind] = use, busiest[kind] = static_cast<int32_t>(i);
  }
  const auto mean = [&](LinkKind kind) {
    const auto k = static_cast<size_t>(kind);
    return links[k] > 0 ? sum[k] / links[k] : 0.0;
  };
  r->nvlink_utilisation = mean(LinkKind::kNvlink);
  r->pcie_utilisation = mean(LinkKind::kPcie);
  r->nic_utilisation = mean(LinkKind::kNic);
  for (size_t kind = 0; kind < most.size(); ++kind) {
    if (most[kind] <= 0) continue;
    const LinkId id(busiest[kind]);
    r->busiest_links.push_back({platform.LinkName(id), static_cast<LinkKind>(kind), most[kind],
                                Bytes(static_cast<int64_t>(wire[static_cast<size_t>(id.value())]))});
  }
  std::stable_sort(r->busiest_links.begin(), r->busiest_links.end(),
                   [](const LinkUse& a, const LinkUse& b) { return a.utilisation > b.utilisation; });
}

void MeasureCollectives(const World& world, const Platform& platform, Result* r) {
  const Role& role = world.roles().front();
  std::map<std::string, CollectiveUse> rows;
  std::map<int32_t, int64_t> calls_of_plan;
  for (const Op& op : role.program->ops) {
    if (op.kind == OpKind::kCollective) ++calls_of_plan[role.collective_plan[static_cast<size_t>(op.index)]];
  }
  for (const Op& op : role.program->ops) {
    if (op.kind != OpKind::kCollective) continue;
    const Collective& collective = role.program->collectives[CollectiveId(op.index)];
    const int32_t row = role.collective_plan[static_cast<size_t>(op.index)];
    const CollectivePlan& plan = world.plans()[static_cast<size_t>(row)];
    CollectiveUse& use = rows[absl::StrCat(Name(collective.kind), " ", plan.algorithm, " ", plan.protocol)];
    use.kind = Name(collective.kind);
    use.algorithm = plan.algorithm;
    use.protocol = plan.protocol;
    use.limited_by = Limit(plan, platform);
    ++use.count;
    use.bytes += plan.message;
    use.time_s += world.transfer_s()[static_cast<size_t>(row)] / static_cast<double>(world.steps() * calls_of_plan[row]);
  }
  const double n = static_cast<double>(world.ranks().size());
  for (auto& [key, use] : rows) {
    const double factor = use.kind == std::string("all_reduce") ? 2 * (n - 1) / n : (n - 1) / n;
    if (use.time_s > 0) use.busbw_gbps = use.bytes.value() * factor / use.time_s * 1e-9;
    r->collectives.push_back(use);
  }
}

const CollectivePlan* SlowestPlan(const World& world) {
  const CollectivePlan* slowest = nullptr;
  double most = 0;
  for (size_t row = 0; row < world.plans().size(); ++row) {
    if (world.transfer_s()[row] <= most || world.plans()[row].loads->empty()) continue;
    most = world.transfer_s()[row];
    slowest = &world.plans()[row];
  }
  return slowest;
}

std::string Limit(const CollectivePlan& plan, const Platform& platform) {
  if (plan.bottleneck.valid()) {
    const std::string name = platform.LinkName(plan.bottleneck);
    return plan.cap_reason.empty() ? name : absl::StrCat(name, " (", plan.cap_reason, ")");
  }
  return plan.cap_reason;
}

Bytes ContextBytes(const Role& role, const World& world) {
  int channels = 0;
  for (const int32_t row : role.collective_plan) channels = std::max(channels, world.plans()[static_cast<size_t>(row)].channels);
  return Bytes(kCudaContextBytes + channels * kNcclChannelBytes);
}

}  // namespace stepsim::sim
