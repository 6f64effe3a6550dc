// The trace of a real run, decoded: the rules of the format hold, and it says the same as the result.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "nlohmann/json.hpp"
#include "tests/app/command.h"
#include "tests/trace/perfetto_decoder.h"

namespace stepsim::testing {
namespace {

struct TracedRun {
  sim::DecodedTrace trace;
  nlohmann::json json;
};

TracedRun RunTraced(const std::string& yaml, const std::string& ranks) {
  const TempFolder folder;
  const std::string path = folder.Path("t.pftrace");
  const CommandResult result =
      RunStepsim({"run", folder.Write("s.yaml", yaml), "--json", "-", "--trace", path, "--trace-ranks", ranks});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  absl::StatusOr<sim::DecodedTrace> trace = sim::DecodePerfetto(ReadAll(path));
  EXPECT_TRUE(trace.ok()) << trace.status();
  return {*std::move(trace), nlohmann::json::parse(result.out, nullptr, false)};
}

const std::string kCluster = "{base: l40-1024-roce, nodes: 2}";

TEST(TraceTest, KeepsTheRulesOfTheFormat) {
  for (const char* strategy : {"fsdp", "ddp"}) {
    const TracedRun run = RunTraced(SmallScenario(kCluster, strategy), "0-3,15");
    EXPECT_TRUE(sim::CheckTraceRules(run.trace).ok()) << strategy << ": " << sim::CheckTraceRules(run.trace);
    EXPECT_EQ(run.trace.processes.size(), 5U);
    EXPECT_EQ(run.trace.processes.back().pid, 16);
  }
}

TEST(TraceTest, KernelsOfTheTraceAreThoseOfTheResult) {
  const TracedRun run = RunTraced(SmallScenario(kCluster), "0");
  double count = 0, seconds = 0;
  for (const sim::DecodedTrack& track : run.trace.tracks) {
    for (const sim::DecodedSlice& slice : track.slices) {
      if (slice.category != "kernel" && slice.category != "gpu_memcpy" && slice.category != "gpu_memset") continue;
      ++count;
      seconds += static_cast<double>(slice.end_ns - slice.begin_ns) * 1e-9;
      EXPECT_EQ(slice.flows_end.size(), 1U) << slice.name;  // from its launch
    }
  }
  double expected = 0, expected_seconds = 0;
  for (const auto& [category, use] : run.json["kernels"].items()) {
    expected += double{use["count"]};
    expected_seconds += double{use["time_s"]};
  }
  EXPECT_EQ(count, expected);
  EXPECT_NEAR(seconds, expected_seconds, 0.01 * expected_seconds);
}

TEST(TraceTest, CollectivesOfAllRanksEndTogetherAndAreJoinedByAnArrow) {
  const TracedRun run = RunTraced(SmallScenario(kCluster), "0,7,8");
  std::map<uint64_t, std::vector<const sim::DecodedSlice*>> meetings;
  for (const sim::DecodedTrack& track : run.trace.tracks) {
    for (const sim::DecodedSlice& slice : track.slices) {
      if (slice.category != "collective") continue;
      for (const uint64_t flow : slice.flows_out) meetings[flow].push_back(&slice);
      for (const uint64_t flow : slice.flows_end) meetings[flow].push_back(&slice);
    }
  }
  int joined = 0;
  for (const auto& [flow, slices] : meetings) {
    if (slices.size() == 1) continue;  // from its launch
    EXPECT_EQ(slices.size(), 3U);
    ++joined;
    for (const sim::DecodedSlice* slice : slices) {
      EXPECT_EQ(slice->end_ns, slices.front()->end_ns);
      EXPECT_EQ(slice->name, slices.front()->name);
      const double wait = std::get<double>(slice->Arg("wait_us")->value), transfer = std::get<double>(slice->Arg("transfer_us")->value);
      EXPECT_NEAR(wait + transfer, static_cast<double>(slice->end_ns - slice->begin_ns) * 1e-3, 0.002);
    }
  }
  EXPECT_GT(joined, 4);
}

TEST(TraceTest, MemoryCounterReachesThePeakOfTheResult) {
  const TracedRun run = RunTraced(SmallScenario(kCluster), "3");
  const sim::DecodedCounter* memory = run.trace.Counter(4, "memory allocated");
  ASSERT_NE(memory, nullptr);
  double peak = 0;
  for (const auto& [at, bytes] : memory->values) peak = std::max(peak, bytes);
  EXPECT_NEAR(peak / (1 << 30), run.json["memory"]["peak_gib"], 1e-6);
}

TEST(TraceTest, SmCounterIntegratesToTheUtilisationOfTheResult) {
  const TracedRun run = RunTraced(SmallScenario(kCluster), "0");
  const sim::DecodedCounter* sms = run.trace.Counter(1, "SMs busy");
  ASSERT_NE(sms, nullptr);
  double sum = 0;
  for (size_t i = 0; i + 1 < sms->values.size(); ++i) {
    sum += sms->values[i].second * static_cast<double>(sms->values[i + 1].first - sms->values[i].first) * 1e-9;
  }
  const double step = run.json["step_time_s"];
  EXPECT_NEAR(sum / step / 100, run.json["utilisation"]["sm"], 0.02 * double{run.json["utilisation"]["sm"]});
}

}  // namespace
}  // namespace stepsim::testing
