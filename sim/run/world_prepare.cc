// Before the clock starts: who runs what, how long every kernel takes, how every collective runs.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "sim/base/check.h"
#include "sim/base/status.h"
#include "sim/run/world.h"

namespace stepsim::sim {

void World::AssignRoles() {
  std::map<std::pair<int32_t, int32_t>, size_t> rows;  // (program, GPU spec) → role
  for (int rank = 0; rank < job_.world_size(); ++rank) {
    const auto r = static_cast<size_t>(rank);
    const auto key = std::make_pair(job_.role[r], platform_->gpu(job_.gpu[r]).spec);
    const auto [it, is_new] = rows.emplace(key, roles_.size());
    if (is_new) {
      Role role;
      role.program = &job_.programs[static_cast<size_t>(job_.role[r])];
      role.gpu = &platform_->spec(job_.gpu[r]);
      role.first = RankId(rank);
      roles_.push_back(std::move(role));
    }
    ++roles_[it->second].count;
    ranks_[r].role = static_cast<int32_t>(it->second);
  }
}

absl::StatusOr<int32_t> World::PlanFor(CommunicatorId communicator, const Collective& collective) {
  const auto key = std::make_tuple(communicator.value(), collective.kind, collective.bytes.count());
  if (const auto it = plan_rows_.find(key); it != plan_rows_.end()) return it->second;
  std::vector<GpuId> gpus;
  for (const RankId rank : job_.communicators[communicator].ranks) gpus.push_back(job_.gpu[static_cast<size_t>(rank.value())]);
  absl::StatusOr<CollectivePlan> plan = collective_model_.Plan(collective.kind, gpus, collective.bytes);
  if (!plan.ok()) return Annotate(plan.status(), absl::StrCat("communicator ", job_.communicators[communicator].name));
  plans_.push_back(*std::move(plan));
  transfer_s_.push_back(0);
  const auto row = static_cast<int32_t>(plans_.size()) - 1;
  plan_rows_.emplace(key, row);
  return row;
}

absl::Status World::PrepareRole(const CostFunction& costs, Role* role) {
  SIM_ASSIGN_OR_RETURN(std::vector<KernelCost> kernel_costs, costs(*role->program, *role->gpu));
  role->plan = MakeExecutionPlan(*role->program, std::move(kernel_costs), static_cast<int>(role->gpu->sms), job_.launch_latency,
                                 job_.kernel_gap);
  role->footprints.push_back({Footprint(), std::vector<int32_t>(role->plan.costs.size(), kSlowdownUnit)});
  std::vector<int> channels;
  for (const Collective& collective : role->program->collectives) {
    const auto& groups = job_.communicator_of[static_cast<size_t>(role->first.value())];
    SIM_ASSIGN_OR_RETURN(const int32_t row, PlanFor(groups[static_cast<size_t>(collective.group.value())], collective));
    role->collective_plan.push_back(row);
    channels.push_back(plans_[static_cast<size_t>(row)].channels);
  }
  role->executor = std::make_unique<RankExecutor>(&role->plan, steps(), &role->footprints, std::move(channels));
  return absl::OkStatus();
}

void World::PrepareRanks() {
  traces_.resize(ranks_.size());
  for (const RankId rank : options_.traced_ranks) {
    traces_[static_cast<size_t>(rank.value())] = std::make_unique<TraceBuffer>(steps() - 1);
  }
  for (size_t r = 0; r < ranks_.size(); ++r) {
    RankSlot& slot = ranks_[r];
    slot.executor = roles_[static_cast<size_t>(slot.role)].executor.get();
    slot.certain = slot.executor->InitialState();
    slot.tables = slot.executor->MakeTables();
    slot.communicator_on.fill(-1);
    slot.trace = traces_[r].get();
  }
}

absl::Status World::Prepare(const CostFunction& costs) {
  ranks_.resize(static_cast<size_t>(job_.world_size()));
  AssignRoles();
  // Pointers into roles_ are kept from here on: it does not grow any more.
  for (Role& role : roles_) SIM_RETURN_IF_ERROR(PrepareRole(costs, &role));
  // Communicators that no role's first rank belongs to (the other replicas' groups).
  for (size_t r = 0; r < ranks_.size(); ++r) {
    const Role& role = roles_[static_cast<size_t>(ranks_[r].role)];
    for (const Collective& collective : role.program->collectives) {
      const CommunicatorId id = job_.communicator_of[r][static_cast<size_t>(collective.group.value())];
      if (job_.communicators[id].ranks.front() != RankId(static_cast<int32_t>(r))) continue;
      SIM_ASSIGN_OR_RETURN([[maybe_unused]] const int32_t row, PlanFor(id, collective));
    }
  }
  meetings_.resize(job_.communicators.size());
  PrepareRanks();
  return absl::OkStatus();
}

}  // namespace stepsim::sim
