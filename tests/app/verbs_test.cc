// The verbs beside run and compare.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "nlohmann/json.hpp"
#include "tests/app/command.h"

namespace stepsim::testing {
namespace {

using ::testing::HasSubstr;

TEST(ListTest, KnowsTheCatalogueAndTheRegistries) {
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"gpus", "l40\n"},        {"clusters", "a800-1024-roce\n"}, {"models", "llama2-7b\n"}, {"algorithms", "ring"},
      {"strategies", "fsdp"},   {"formats", ".pftrace"},          {"nics", ""},              {"scenarios", "llama2-7b-fsdp-1024xL40\n"},
      {"studies", "l40-vs-a800-1024\n"}};
  for (const auto& [what, entry] : expected) {
    const CommandResult result = RunStepsim({"list", what});
    EXPECT_EQ(result.exit_code, 0) << what;
    EXPECT_THAT(result.out, HasSubstr(entry)) << what;
  }
}

TEST(ListTest, AnUnknownKindNamesTheNearest) {
  const CommandResult result = RunStepsim({"list", "gpu"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("did you mean \"gpus\""));
}

TEST(SchemaTest, IsJsonSchemaOfTheScenario) {
  const CommandResult result = RunStepsim({"schema"});
  ASSERT_EQ(result.exit_code, 0);
  const nlohmann::json json = nlohmann::json::parse(result.out);
  EXPECT_TRUE(json["properties"]["training"]["properties"].contains("micro_batch"));
  EXPECT_EQ(json["additionalProperties"], false);
}

TEST(TopoTest, ShowsEveryReadyClusterAndDrawsIt) {
  const CommandResult list = RunStepsim({"list", "clusters"});
  std::istringstream names(list.out);
  int clusters = 0;
  for (std::string name; std::getline(names, name); ++clusters) {
    const TempFolder folder;
    const CommandResult result = RunStepsim({"topo", name, "--svg", folder.Path("t.svg"), "--dot", folder.Path("t.dot")});
    EXPECT_EQ(result.exit_code, 0) << name << ": " << result.err;
    EXPECT_THAT(result.out, HasSubstr("gpu0")) << name;
    EXPECT_THAT(ReadAll(folder.Path("t.svg")), HasSubstr("<svg")) << name;
    EXPECT_THAT(ReadAll(folder.Path("t.dot")), HasSubstr("graph")) << name;
  }
  EXPECT_GE(clusters, 10);
}

TEST(TopoTest, AnUnknownClusterNamesTheNearest) {
  const CommandResult result = RunStepsim({"topo", "l40-1024-rocee"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("l40-1024-roce"));
}

TEST(VersionTest, PrintsIt) { EXPECT_THAT(RunStepsim({"version"}).out, ::testing::StartsWith("stepsim 0.")); }

TEST(ScenarioFilesTest, EveryScenarioOfTheCatalogueIsValid) {
  std::istringstream names(RunStepsim({"list", "scenarios"}).out);
  for (std::string name; std::getline(names, name);) {
    // Validated without the time of a whole run: one node of it.
    const CommandResult result = RunStepsim({"run", STEPSIM_SOURCE_DIR "/configs/scenarios/" + name + ".yaml", "--set", "cluster.nodes=1",
                                             "--set", "training.global_batch=8"});
    EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 4) << name << ": " << result.err;
  }
}

}  // namespace
}  // namespace stepsim::testing
