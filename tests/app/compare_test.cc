#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "nlohmann/json.hpp"
#include "tests/app/command.h"

namespace stepsim::testing {
namespace {

using Json = nlohmann::json;

std::string Named(std::string yaml, const std::string& name) { return yaml.replace(yaml.find("small"), 5, name); }

const std::string kA800 = Named(SmallScenario("{base: a800-1024-roce, nodes: 2}"), "a800");
const std::string kL40 = Named(SmallScenario("{base: l40-1024-roce, nodes: 2}"), "l40");

TEST(CompareTest, RatiosAreThoseOfTheResults) {
  const TempFolder folder;
  const CommandResult result = RunStepsim({"compare", folder.Write("a.yaml", kA800), folder.Write("b.yaml", kL40), "--json", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  const double a = json["results"][0]["tokens_per_s_per_gpu"], b = json["results"][1]["tokens_per_s_per_gpu"];
  const Json& row = json["comparison"][0];
  EXPECT_NEAR(double{row["tokens_per_s_per_gpu_ratio"]}, b / a, 1e-12);
  EXPECT_EQ(row["baseline"], "a800");
  // The parts explain the whole: same tokens on both.
  const Json& extra = row["extra_s_for_same_tokens"];
  const double whole = double{json["results"][1]["step_time_s"]} - double{json["results"][0]["step_time_s"]};
  EXPECT_NEAR(double{extra["compute"]} + double{extra["exposed_communication"]} + double{extra["host_and_idle"]}, whole, 0.005 * std::abs(whole));
}

TEST(CompareTest, AStudyNamesScenariosVariantsAndATarget) {
  const TempFolder folder;
  folder.Write("a.yaml", kA800);
  const std::string study = folder.Write("study.yaml",
                                         "name: s\nquestion: Is it?\ntarget_ratio: 0.7\nscenarios:\n  - scenario: ./a.yaml\n"
                                         "  - {scenario: ./a.yaml, name: bigger, with: {training: {micro_batch: 4}}}\n");
  const CommandResult result = RunStepsim({"compare", study, "--json", folder.Path("out.json"), "--trace", folder.Path("t.pftrace")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ::testing::HasSubstr("Is it?"));
  EXPECT_THAT(result.out, ::testing::HasSubstr("Target 70 %: reached"));
  const Json json = Json::parse(ReadAll(folder.Path("out.json")));
  EXPECT_EQ(json["comparison"][0]["reaches_target"], true);
  EXPECT_EQ(json["results"][1]["name"], "bigger");
  EXPECT_GT(double{json["results"][1]["memory"]["peak_gib"]}, double{json["results"][0]["memory"]["peak_gib"]});
  EXPECT_THAT(folder.Files(), ::testing::ElementsAre("a.yaml", "out.json", "study.yaml", "t.a800.pftrace", "t.bigger.pftrace"));
}

TEST(CompareTest, AStudyOfOneScenarioIsAnErrorWithPosition) {
  const TempFolder folder;
  folder.Write("a.yaml", kA800);
  const CommandResult result = RunStepsim({"compare", folder.Write("study.yaml", "name: s\nscenarios:\n  - scenario: ./a.yaml\n")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, ::testing::HasSubstr("study.yaml:3:"));
}

TEST(CompareTest, EveryErrorIsFoundBeforeAnythingIsSimulatedOrWritten) {
  const TempFolder folder;
  const std::string bad = folder.Write("b.yaml", kL40 + "typo: 1\n");
  const CommandResult result = RunStepsim({"compare", folder.Write("a.yaml", kA800), bad, "--trace", folder.Path("t.pftrace")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(folder.Files(), ::testing::ElementsAre("a.yaml", "b.yaml"));
}

}  // namespace
}  // namespace stepsim::testing
