// The run verb end to end: the contract of its JSON, determinism, and physics that must hold on any machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nlohmann/json.hpp"
#include "tests/app/command.h"

namespace stepsim::testing {
namespace {

using Json = nlohmann::json;

Json RunJson(const std::string& yaml, const std::vector<std::string>& more = {}) {
  const TempFolder folder;
  std::vector<std::string> args = {"run", folder.Write("s.yaml", yaml), "--json", "-"};
  args.insert(args.end(), more.begin(), more.end());
  const CommandResult result = RunStepsim(args);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out, nullptr, false);
}

double Step(const std::string& yaml, const std::vector<std::string>& more = {}) { return RunJson(yaml, more).value("step_time_s", 0.0); }

const std::string kEightA800 = "{base: a800-1024-roce, nodes: 1}";
const std::string kSixteenL40 = "{base: l40-1024-roce, nodes: 2}";

TEST(RunTest, JsonHasEveryKeyOfTheContract) {
  const Json json = RunJson(SmallScenario(kEightA800, "fsdp", "prices: {gpu_hour_usd: 2}\n"));
  for (const char* key : {"name", "step_time_s", "tokens_per_s", "tokens_per_s_per_gpu", "samples_per_s", "mfu", "hfu", "model_tflops_per_gpu",
                          "communication_share", "transfer_share", "exposed_communication_share", "kernels", "bottleneck", "calibration",
                          "warnings"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  const std::vector<std::pair<std::string, std::vector<std::string>>> groups = {
      {"time_s", {"compute", "communication", "exposed_communication", "host_bound", "pipeline_bubble", "optimizer", "idle"}},
      {"utilisation", {"gpu", "sm", "hbm", "nvlink", "pcie", "nic"}},
      {"memory", {"peak_gib", "fits", "parts_gib"}},
      {"energy", {"joules_per_token", "watts_per_gpu"}},
      {"cost", {"usd_per_million_tokens"}},
      {"simulator", {"version", "wall_s", "events", "ranks_simulated", "ranks_represented", "seed", "scenario_hash"}}};
  for (const auto& [group, keys] : groups) {
    for (const std::string& key : keys) EXPECT_TRUE(json[group].contains(key)) << group << "." << key;
  }
  for (const auto& [category, use] : json["kernels"].items()) {
    EXPECT_GT(use["count"], 0) << category;
    EXPECT_GT(use["time_s"], 0) << category;
  }
}

TEST(RunTest, TheNumbersOfAResultAgreeWithEachOther) {
  const Json json = RunJson(SmallScenario(kSixteenL40));
  const double step = json["step_time_s"];
  const Json& time = json["time_s"];
  EXPECT_NEAR(double{time["compute"]} + double{time["exposed_communication"]} + double{time["idle"]}, step, 0.002 * step);
  EXPECT_LE(double{time["host_bound"]}, double{time["idle"]} + 1e-9);
  EXPECT_NEAR(double{json["communication_share"]} * step, time["communication"], 1e-9);
  EXPECT_LE(double{json["transfer_share"]}, double{json["communication_share"]} + 1e-12);
  EXPECT_LE(double{json["exposed_communication_share"]}, double{json["communication_share"]} + 1e-12);
  // 16 ranks × 2 sequences × 512 tokens a step
  EXPECT_NEAR(double{json["tokens_per_s"]} * step, 16 * 2 * 512, 1e-3);
  double parts = 0;
  for (const auto& [part, gib] : json["memory"]["parts_gib"].items()) parts += double{gib};
  EXPECT_NEAR(parts, json["memory"]["peak_gib"], 1e-9);
}

TEST(RunTest, TwoRunsAndAnyNumberOfThreadsGiveTheSameBytes) {
  const std::string yaml = SmallScenario("{base: l40-1024-roce, nodes: 64}");
  const TempFolder folder;
  const std::string path = folder.Write("s.yaml", yaml);
  std::vector<std::string> texts;
  for (const char* threads : {"1", "1", "2", "5"}) {
    const std::string trace = folder.Path(std::string("t") + std::to_string(texts.size()) + ".pftrace");
    CommandResult result = RunStepsim({"run", path, "--json", "-", "--threads", threads, "--trace", trace, "--trace-ranks", "0,9-10"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    Json json = Json::parse(result.out);
    json["simulator"].erase("wall_s");
    texts.push_back(json.dump() + ReadAll(trace));
  }
  for (const std::string& text : texts) EXPECT_EQ(text, texts.front());
}

TEST(RunTest, TheStateIsSteadyAfterOneWarmUpStep) {
  for (const char* strategy : {"fsdp", "ddp"}) {
    const double one = Step(SmallScenario(kSixteenL40, strategy));
    const double four = Step(SmallScenario(kSixteenL40, strategy, "simulation: {warmup_steps: 4}\n"));
    EXPECT_NEAR(one, four, 0.001 * four) << strategy;
  }
}

TEST(RunTest, MoreGpusAndOtherFabricsChangeTheResult) {
  const double one = Step(SmallScenario("{base: l40-1024-roce, nodes: 1}"));
  const double two = Step(SmallScenario("{base: l40-1024-roce, nodes: 2}"));
  const double all = Step(SmallScenario("l40-1024-roce"));
  EXPECT_LT(one, two);
  EXPECT_LT(two, all);
}

TEST(RunTest, DoublingABandwidthNeverSlowsAStep) {
  const std::string yaml = SmallScenario(kSixteenL40);
  const double base = Step(yaml);
  for (const char* faster : {"cluster.node.nics.rate=400 Gb/s", "cluster.node.pcie.generation=5", "cluster.gpu=l40s"}) {
    EXPECT_LE(Step(yaml, {"--set", faster}), base) << faster;
  }
}

TEST(RunTest, NicsWithoutBandwidthAreAnErrorAndNotAHang) {
  const TempFolder folder;
  const CommandResult result = RunStepsim({"run", folder.Write("s.yaml", SmallScenario(kSixteenL40)), "--set", "cluster.node.nics.rate=0 Gb/s"});
  EXPECT_TRUE(result.exit_code == 1 || result.exit_code == 4) << result.exit_code;
  EXPECT_NE(result.err, "");
}

TEST(RunTest, AHuggingFaceConfigGivesTheSameStepAsTheCatalogue) {
  const std::string hf = STEPSIM_SOURCE_DIR "/../shared/real-inputs/hf-config/llama2-7b.config.json";
  if (ReadAll(hf).empty()) GTEST_SKIP() << "no real inputs here";
  std::string yaml = "name: x\ncluster: {base: a800-1024-roce, nodes: 1}\nmodel: llama2-7b\n"
                     "training: {sequence_length: 1024, micro_batch: 1, precision: bf16-mixed, recompute: full}\n"
                     "parallelism: {strategy: fsdp}\n";
  const Json ours = RunJson(yaml), theirs = RunJson(yaml, {"--set", "model=" + hf});
  for (const char* key : {"step_time_s", "kernels", "memory", "collectives", "mfu"}) EXPECT_EQ(ours[key], theirs[key]) << key;
}

}  // namespace
}  // namespace stepsim::testing
