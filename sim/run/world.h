// The run loop: all ranks of a job on a platform, collectives meeting across ranks, bytes on the network. Holds all state of
// one simulation; sim/run/run.h is the way in.
//
// Each rank runs ahead by itself (device/rank_executor.h) to the start of its next collective, which is one event. When the
// last member of a group has arrived the collective's latency passes, then its bytes flow (network), and its end takes every
// member back to that moment, from which it runs ahead again. All ranks that must do so at one instant do it together, in
// parallel if there are threads: nothing they do touches another rank.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "sim/collective/collective_model.h"
#include "sim/compute/cost.h"
#include "sim/device/execution_plan.h"
#include "sim/device/rank_executor.h"
#include "sim/engine/simulator.h"
#include "sim/network/flow_network.h"
#include "sim/platform/platform.h"
#include "sim/program/program.h"
#include "sim/run/options.h"
#include "sim/run/rank_slot.h"
#include "sim/run/trace_buffer.h"

namespace stepsim::sim {

// Ranks that run the same program on the same kind of GPU.
struct Role {
  const Program* program = nullptr;
  const GpuSpec* gpu = nullptr;
  RankId first;
  int count = 0;
  ExecutionPlan plan;
  std::vector<FootprintClass> footprints;
  std::unique_ptr<RankExecutor> executor;
  std::vector<int32_t> collective_plan;  // by CollectiveId, for the first rank of the role: row of World::plans
};

class World : public EventHandler {
 public:
  World(std::shared_ptr<const Platform> platform, const Job& job, RunOptions options);

  // Kernel costs of a program on a GPU, by KernelId.
  using CostFunction = std::function<absl::StatusOr<std::vector<KernelCost>>(const Program&, const GpuSpec&)>;

  // Plans every kernel and collective. Errors: two members of a group without a path, a link without bandwidth.
  absl::Status Prepare(const CostFunction& costs);

  // Runs to the end. FailedPrecondition names who waits for what if the job cannot finish.
  absl::Status RunAll();

  const std::vector<Role>& roles() const { return roles_; }
  const std::vector<RankSlot>& ranks() const { return ranks_; }
  const std::vector<CollectivePlan>& plans() const { return plans_; }
  const std::vector<std::unique_ptr<TraceBuffer>>& traces() const { return traces_; }
  int64_t events() const { return simulator_.events_run(); }
  int steps() const { return options_.warmup_steps + 1; }
  // Transfer time of all steps by row of plans.
  const std::vector<double>& transfer_s() const { return transfer_s_; }

  // Row of plans of a collective on a communicator.
  int32_t PlanRow(CommunicatorId id, const Collective& c) const { return plan_rows_.at({id.value(), c.kind, c.bytes.count()}); }

  void OnEvent(const Event& event) override;

 private:
  enum EventKind : int32_t { kArrival, kLatencyOver, kTransferDone, kSettle };

  // The one collective of a communicator that is under way.
  struct Meeting {
    int32_t sequence = 0;
    int32_t arrived = 0;
    int32_t plan = -1;
    CollectiveKind kind = CollectiveKind::kBarrier;
    Bytes bytes;
    int64_t transfer_ps = 0;
    FlowId flow;
  };

  absl::StatusOr<int32_t> PlanFor(CommunicatorId communicator, const Collective& collective);
  absl::Status PrepareRole(const CostFunction& costs, Role* role);
  void AssignRoles();
  void PrepareRanks();

  void OnArrival(int32_t rank);
  void OnTransferBegin(CommunicatorId communicator);
  void OnTransferEnd(CommunicatorId communicator);
  void MarkDirty(int32_t rank);
  void Settle();
  void ReportProgress();
  void CatchUp(int32_t rank);
  void SetFootprint(RankSlot* slot, Role* role);
  void NoteCollective(int32_t rank, int stream, const Meeting& meeting, int32_t communicator);
  absl::Status DescribeStuck() const;

  std::shared_ptr<const Platform> platform_;
  const Job& job_;
  RunOptions options_;
  Simulator simulator_;
  HandlerId handler_;
  std::unique_ptr<FlowNetwork> network_;
  CollectiveModel collective_model_;

  std::vector<Role> roles_;
  std::vector<RankSlot> ranks_;
  std::vector<CollectivePlan> plans_;
  std::vector<double> transfer_s_;
  std::map<std::tuple<int32_t, CollectiveKind, int64_t>, int32_t> plan_rows_;  // by (communicator, kind, bytes)
  std::vector<Meeting> meetings_;                                            // by communicator
  std::vector<int32_t> dirty_;
  bool settle_pending_ = false;
  int64_t next_report_ = 0;
  std::vector<std::unique_ptr<TraceBuffer>> traces_;  // by rank; null unless traced
  absl::Status failure_;
};

}  // namespace stepsim::sim
