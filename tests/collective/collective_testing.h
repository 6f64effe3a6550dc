// Shorthands of the tests of collectives.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/collective/algorithm.h"
#include "sim/collective/collective_model.h"
#include "tests/testing/fake_platform.h"

namespace stepsim::sim {

constexpr double kGB = 1e9;

// A plan or a failed test (then an empty plan).
inline CollectivePlan PlanOf(const CollectiveModel& model, CollectiveKind kind,
                             const std::vector<GpuId>& gpus, Bytes bytes) {
  auto plan = model.Plan(kind, gpus, bytes);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return plan.ok() ? *std::move(plan) : CollectivePlan();
}

// Bus bandwidth in GB/s that the plan's idle rate stands for (nccl-tests' definition).
inline double BusRate(const CollectivePlan& plan, CollectiveKind kind, int ranks) {
  return plan.idle_rate.per_second() * RingShare(kind, ranks) / kGB;
}

// T_dev of models/COLLECTIVES.md §1.4, us.
inline double DeviceMicroseconds(const CollectivePlan& plan) {
  return plan.latency.microseconds() + plan.message.value() / plan.idle_rate.per_second() * 1e6;
}

}  // namespace stepsim::sim
