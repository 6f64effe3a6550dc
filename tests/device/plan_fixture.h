// Small programs written by hand, for tests of what runs them: kernel times are given, not modelled.
#pragma once

#include <string>
#include <vector>

#include "sim/device/execution_plan.h"

namespace stepsim::sim {

class PlanFixture {
 public:
  // Stream 0 is compute; others are named "side".
  explicit PlanFixture(int streams = 1) {
    for (int i = 0; i < streams; ++i) program_.streams.push_back({i == 0 ? "compute" : "side", false});
    program_.groups.push_back("world");
    program_.labels.push_back("collective");
  }

  // Host times in microseconds.
  PlanFixture& Kernel(int stream, int64_t time_us, int64_t host_us = 0, double waves = 1, double sm_share = 1) {
    sim::Kernel kernel;
    kernel.kind = KernelKind::kGemm;
    kernel.category = KernelCategory::kGemm;
    kernel.name = "kernel" + std::to_string(program_.kernels.size());
    KernelCost cost;
    cost.time = Duration::Microseconds(time_us);
    cost.waves = waves;
    cost.sm_share = sm_share;
    costs_.push_back(cost);
    const KernelId id = program_.kernels.push_back(kernel);
    return Add(OpKind::kKernel, stream, id.value(), host_us);
  }
  PlanFixture& Collective(int stream, int64_t bytes, int64_t host_us = 0) {
    const CollectiveId id = program_.collectives.push_back(
        {CollectiveKind::kAllGather, GroupId(0), Bytes(bytes), DType::kBf16, LabelId(0)});
    return Add(OpKind::kCollective, stream, id.value(), host_us);
  }
  PlanFixture& Record(int stream, int slot) {
    program_.num_event_slots = std::max(program_.num_event_slots, slot + 1);
    return Add(OpKind::kRecord, stream, slot, 0);
  }
  PlanFixture& Wait(int stream, int slot) { return Add(OpKind::kWait, stream, slot, 0); }
  PlanFixture& Sync(int stream, int64_t host_us = 0) { return Add(OpKind::kHostSync, stream, -1, host_us); }

  static constexpr int kSms = 100;
  // Launch latency 7 us, gap 1 us.
  ExecutionPlan Plan() const { return MakeExecutionPlan(program_, costs_, kSms, Duration::Microseconds(7), Duration::Microseconds(1)); }
  Program& program() { return program_; }
  const std::vector<KernelCost>& costs() const { return costs_; }

 private:
  PlanFixture& Add(OpKind kind, int stream, int32_t index, int64_t host_us) {
    program_.ops.push_back({kind, Phase::kForward, static_cast<int8_t>(stream), index, static_cast<int32_t>(host_us * 1000)});
    return *this;
  }
  Program program_;
  std::vector<KernelCost> costs_;
};

}  // namespace stepsim::sim
