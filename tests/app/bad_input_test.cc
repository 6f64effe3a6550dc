// What a user gets wrong: each gives its exit code and a message with position, and leaves nothing behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/app/command.h"

namespace stepsim::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Runs a scenario of that text and expects a position in it and every one of the hints.
void ExpectInvalid(const std::string& yaml, const std::vector<std::string>& hints) {
  const TempFolder folder;
  const std::string path = folder.Write("scenario.yaml", yaml);
  const CommandResult result = RunStepsim({"run", path});
  EXPECT_EQ(result.exit_code, 1) << result.err << yaml.substr(0, 500);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("scenario.yaml:"));
  for (const std::string& hint : hints) EXPECT_THAT(result.err, HasSubstr(hint));
  EXPECT_LT(result.err.size(), 20000U);
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

const std::string kGood = SmallScenario("{base: a800-1024-roce, nodes: 1}");

TEST(BadInputTest, TheScenarioThatTheOthersSpoilIsGood) {
  const TempFolder folder;
  const CommandResult result = RunStepsim({"run", folder.Write("scenario.yaml", kGood)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(BadInputTest, MisspeltKeyNamesTheNearestOne) {
  ExpectInvalid(Replaced(kGood, "sequence_length", "sequence_lenght"), {":5:3", "sequence_lenght", "sequence_length", "^"});
}

TEST(BadInputTest, DuplicateKey) { ExpectInvalid(kGood + "name: again\n", {"duplicate", "name"}); }

TEST(BadInputTest, SizeWhereARateIsNeeded) {
  ExpectInvalid(SmallScenario("{base: a800-1024-roce, nodes: 2, node: {base: hgx-a800, nics: {rate: 432 Gb}}}"), {"432 Gb", "rate"});
}

TEST(BadInputTest, NegativeSize) { ExpectInvalid(Replaced(kGood, "micro_batch: 2", "micro_batch: -2"), {"-2"}); }

TEST(BadInputTest, UnknownGpu) {
  ExpectInvalid(SmallScenario("{base: a800-1024-roce, nodes: 1, gpu: a8000}"), {"a8000", "did you mean"});
}

TEST(BadInputTest, HeadsThatDoNotDivideHidden) {
  ExpectInvalid(Replaced(kGood, "layers: 2", "layers: 2, heads: 30, kv_heads: 30"), {"heads", "hidden"});
}

TEST(BadInputTest, WorldSizeThatDoesNotMatchNodesTimesGpus) {
  ExpectInvalid(Replaced(kGood, "  strategy: fsdp", "  strategy: fsdp\n  data: 16"), {"16", "8"});
}

TEST(BadInputTest, EmptyFile) { ExpectInvalid("", {"empty"}); }

TEST(BadInputTest, TenMegabytesOfGarbage) {
  std::string garbage;
  uint32_t state = 1;
  for (int i = 0; i < 10000000; ++i) garbage += static_cast<char>(' ' + ((state = state * 1664525U + 1013904223U) >> 24) % 95);
  ExpectInvalid(garbage, {});
}

TEST(BadInputTest, AnchorsThatFormALoop) { ExpectInvalid("name: &a [*a]\n", {}); }

TEST(BadInputTest, BillionLaughs) {
  std::string yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    yaml += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int j = 1; j < 10; ++j) yaml += ", " + last;
    yaml += "]\n";
  }
  ExpectInvalid(yaml, {});
}

TEST(BadInputTest, BinaryFile) { ExpectInvalid(std::string("\x7f""ELF\0\0\1\2\3\xff\xfe", 11), {}); }

TEST(BadInputTest, DeepNesting) { ExpectInvalid("name: " + std::string(200000, '['), {}); }

TEST(BadInputTest, SeveralProblemsAreReportedAtOnce) {
  ExpectInvalid(Replaced(Replaced(kGood, "micro_batch: 2", "micro_batch: two"), "recompute: full", "recompute: ful"),
                {"two", "ful", "did you mean \"full\""});
}

TEST(BadInputTest, MissingFileIsAnIoError) {
  const CommandResult result = RunStepsim({"run", "no/such/scenario.yaml"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("no/such/scenario.yaml"));
}

TEST(BadInputTest, FolderInPlaceOfAFileIsAnIoError) {
  const TempFolder folder;
  EXPECT_EQ(RunStepsim({"run", folder.Path("")}).exit_code, 3);
}

TEST(BadInputTest, UnreadableModelPathIsAnIoError) {
  const TempFolder folder;
  const std::string yaml = Replaced(kGood, "model: {base: tinyllama-1.1b, layers: 2, parameters: 0}", "model: no/such/config.json");
  const CommandResult result = RunStepsim({"run", folder.Write("scenario.yaml", yaml)});
  EXPECT_EQ(result.exit_code, 3) << result.err;
}

TEST(BadInputTest, WrongUsage) {
  EXPECT_EQ(RunStepsim({}).exit_code, 2);
  EXPECT_EQ(RunStepsim({"rum", "x.yaml"}).exit_code, 2);
  EXPECT_EQ(RunStepsim({"run"}).exit_code, 2);
  EXPECT_EQ(RunStepsim({"run", "x.yaml", "--no-such-option"}).exit_code, 2);
  EXPECT_EQ(RunStepsim({"run", "x.yaml", "--threads", "0"}).exit_code, 2);
  EXPECT_EQ(RunStepsim({"--help"}).exit_code, 0);
}

TEST(BadInputTest, AnOverrideIsNamedAsTheOrigin) {
  const TempFolder folder;
  const CommandResult result = RunStepsim({"run", folder.Write("s.yaml", kGood), "--set", "training.micro_batch=x"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("--set training.micro_batch=x"));
}

TEST(BadInputTest, AJobThatDoesNotFitSaysWhoWhenAndWhatAndStillWritesItsResult) {
  const TempFolder folder;
  const std::string yaml = Replaced(SmallScenario("{base: a800-1024-roce, nodes: 1}", "ddp"),
                                    "{base: tinyllama-1.1b, layers: 2, parameters: 0}", "llama2-7b");
  const std::string json = folder.Path("result.json");
  const CommandResult result = RunStepsim({"run", folder.Write("s.yaml", yaml), "--json", json});
  EXPECT_EQ(result.exit_code, 4) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("does not fit"), HasSubstr("rank 0"), HasSubstr("GiB"), HasSubstr("largest parts")));
  EXPECT_THAT(ReadAll(json), HasSubstr("\"fits\": false"));
}

TEST(BadInputTest, AFileThatCannotBeWrittenLeavesNothingBehind) {
  const TempFolder folder;
  const std::string scenario = folder.Write("s.yaml", kGood);
  const std::string blocked = folder.Write("blocked", "");  // a file where a folder is needed
  const CommandResult result = RunStepsim({"run", scenario, "--json", blocked + "/result.json"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_EQ(RunStepsim({"run", scenario, "--trace", blocked + "/t.pftrace"}).exit_code, 3);
  EXPECT_EQ(RunStepsim({"run", scenario, "--trace", folder.Path("t.unknown")}).exit_code, 1);
  EXPECT_EQ(RunStepsim({"run", scenario, "--trace", folder.Path("t.pftrace"), "--trace-ranks", "7-9"}).exit_code, 1);
  EXPECT_THAT(folder.Files(), ::testing::ElementsAre("blocked", "s.yaml"));
}

}  // namespace
}  // namespace stepsim::testing
