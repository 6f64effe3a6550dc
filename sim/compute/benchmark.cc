#include "sim/compute/benchmark.h"

#include <algorithm>
#include <cmath>

#include "sim/compute/power.h"

namespace stepsim::sim {
namespace {

constexpr double kReplays = 3;
constexpr double kShortestMs = 0.002;
// The loop sizes its graph by a trial run, which is slower than full clock by about this much.
constexpr double kTrialFactor = 1.15;

}  // namespace

Duration TimeInBenchmark(const ComputeModel& model, const Kernel& kernel, const BenchmarkLoop& loop) {
  const KernelCost cost = model.CostAtFullClock(kernel);
  const double trial_ms = cost.time.microseconds() * kTrialFactor * 1e-3;
  const double target_ms = loop.target.microseconds() * 1e-3;
  const double repetitions = std::clamp(std::floor(target_ms / std::max(trial_ms, kShortestMs) / kReplays),
                                        static_cast<double>(loop.min_repetitions), static_cast<double>(loop.max_repetitions));
  const double load_ms = kReplays * repetitions * trial_ms;
  const double settled = 1 - std::exp(-load_ms / (loop.settling.microseconds() * 1e-3));
  const double factor = ClockFactorAlone(kernel, cost, model.rates(), settled);
  return Duration::FromMicroseconds(cost.time.microseconds() * factor) + loop.gap;
}

}  // namespace stepsim::sim
