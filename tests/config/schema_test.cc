#include "sim/config/schema.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/config/helpers.h"

namespace stepsim::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

enum class Strategy { kFsdp, kDdp };

struct Card {
  std::string name;
  Bytes memory;
  bool operator==(const Card&) const = default;
};

struct Job {
  int64_t micro_batch = 1;
  double packing = 1.0;
  bool clip = false;
  Strategy strategy = Strategy::kDdp;
  BytesPerSecond network;
  FlopsPerSecond peak;
  Duration latency;
  Card card;
  std::vector<Card> cards;
  std::string custom;
};

const Schema<Card>& CardSchema() {
  static const auto* schema = new Schema<Card>(Schema<Card>("card")
      .Text("name", &Card::name, {.help = "catalogue name", .required = true})
      .Size("memory", &Card::memory, {.help = "on the card", .positive = true}));
  return *schema;
}

const Schema<Job>& JobSchema() {
  static const auto* schema = new Schema<Job>(Schema<Job>("job")
      .Integer("micro_batch", &Job::micro_batch, {.help = "sequences", .required = true, .min = 1, .max = 4096})
      .Number("packing", &Job::packing, {.max = 1, .positive = true})
      .Boolean("clip", &Job::clip)
      .Choice("strategy", &Job::strategy, {{"fsdp", Strategy::kFsdp}, {"ddp", Strategy::kDdp}})
      .ByteRate("network", &Job::network, {.min = 1e9})
      .FlopRate("peak", &Job::peak)
      .Time("latency", &Job::latency, {.max = 1e-3})
      .Struct("card", &Job::card, CardSchema())
      .List("cards", &Job::cards, CardSchema())
      .Custom("custom", [](const ConfigNode& node, Job* job, Diagnostics*) { job->custom = node.text(); }, {{"type", "string"}})
      .Check([](const ConfigNode& node, const Job& job, Diagnostics* problems) {
        if (job.micro_batch == 13) problems->Add(node["micro_batch"].position(), "13 does not divide");
      }));
  return *schema;
}

std::string SchemaRefusal(const std::string& yaml) {
  const absl::StatusOr<Job> job = ReadWith(JobSchema(), Document(yaml));
  EXPECT_EQ(job.status().code(), absl::StatusCode::kInvalidArgument) << yaml;
  return Message(job.status());
}

TEST(SchemaTest, EveryTypeIsRead) {
  const absl::StatusOr<Job> job = ReadWith(JobSchema(), Document(
      "micro_batch: 1Ki\npacking: 0.5\nclip: true\nstrategy: fsdp\nnetwork: 400 Gb/s\npeak: \"312 TFLOPS\"\n"
      "latency: 5 us\ncard: {name: h100, memory: 80 GiB}\ncards: [{name: a}, {name: b}]\ncustom: c\n"));
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(job->micro_batch, 1024);
  EXPECT_DOUBLE_EQ(job->packing, 0.5);
  EXPECT_TRUE(job->clip);
  EXPECT_EQ(job->strategy, Strategy::kFsdp);
  EXPECT_DOUBLE_EQ(job->network.per_second(), 50e9);
  EXPECT_DOUBLE_EQ(job->peak.per_second(), 312e12);
  EXPECT_EQ(job->latency, Duration::Microseconds(5));
  EXPECT_EQ(job->card, (Card{"h100", Bytes(int64_t{80} << 30)}));
  EXPECT_THAT(job->cards, ElementsAre(Card{"a", Bytes()}, Card{"b", Bytes()}));
  EXPECT_EQ(job->custom, "c");
}

TEST(SchemaTest, AbsentFieldsKeepTheirDefault) {
  const absl::StatusOr<Job> job = ReadWith(JobSchema(), Document("micro_batch: 2"));
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(job->strategy, Strategy::kDdp);
  EXPECT_DOUBLE_EQ(job->packing, 1.0);
}

TEST(SchemaTest, MisspeltKeyGetsItsNearMatchAndMissingOneIsNamed) {
  const std::string message = SchemaRefusal("mirco_batch: 4\n");
  EXPECT_THAT(message, HasSubstr("test.yaml:1:1: unknown key \"mirco_batch\"; did you mean \"micro_batch\"?"));
  EXPECT_THAT(message, HasSubstr("test.yaml:1:1: missing key \"micro_batch\""));
}

TEST(SchemaTest, AllProblemsOfAllLevelsComeTogetherWithTheirPath) {
  const std::string message = SchemaRefusal(
      "micro_batch: many\nnetwork: 432 Gb\ncard: {name: [x], memroy: 80 GiB}\ncards:\n  - {name: a, memory: -1 GiB}\n  - 7\n");
  EXPECT_THAT(message, HasSubstr("test.yaml:1:14: \"micro_batch\": expected an integer such as 8 or 2Mi; \"many\" is none"));
  EXPECT_THAT(message, HasSubstr("test.yaml:2:10: \"network\": expected a rate"));
  EXPECT_THAT(message, HasSubstr("\"432 Gb\" is a size\n  network: 432 Gb\n           ^"));
  EXPECT_THAT(message, HasSubstr("test.yaml:3:14: \"card.name\": expected text, found a list"));
  EXPECT_THAT(message, HasSubstr("test.yaml:3:19: \"card\": unknown key \"memroy\"; did you mean \"memory\"?"));
  EXPECT_THAT(message, HasSubstr("\"cards[0].memory\""));
  EXPECT_THAT(message, HasSubstr("test.yaml:6:5: \"cards[1]\": expected a mapping"));
}

TEST(SchemaTest, BoundsAreInTheBaseUnit) {
  EXPECT_THAT(SchemaRefusal("micro_batch: 0"), HasSubstr("expected at least 1, found \"0\""));
  EXPECT_THAT(SchemaRefusal("micro_batch: 4097"), HasSubstr("expected at most 4096"));
  EXPECT_THAT(SchemaRefusal("{micro_batch: 1, packing: 0}"), HasSubstr("expected more than 0"));
  EXPECT_THAT(SchemaRefusal("{micro_batch: 1, packing: 1.5}"), HasSubstr("expected at most 1"));
  EXPECT_THAT(SchemaRefusal("{micro_batch: 1, network: 1 Gb/s}"), HasSubstr("expected at least 1000000000 bytes/s"));
  EXPECT_THAT(SchemaRefusal("{micro_batch: 1, latency: 2 ms}"), HasSubstr("expected at most 0.001 seconds"));
  EXPECT_THAT(SchemaRefusal("{micro_batch: 1, card: {name: x, memory: 0 B}}"), HasSubstr("expected more than 0"));
}

TEST(SchemaTest, WrongKindsAreRefused) {
  EXPECT_THAT(SchemaRefusal("micro_batch: '5'"), HasSubstr("found text in quotes"));
  EXPECT_THAT(SchemaRefusal("micro_batch:"), HasSubstr("expected an integer, found nothing"));
  EXPECT_THAT(SchemaRefusal("micro_batch: [1]"), HasSubstr("found a list"));
  EXPECT_THAT(SchemaRefusal("{micro_batch: 1, clip: yes}"), HasSubstr("expected true or false; found \"yes\""));
  EXPECT_THAT(SchemaRefusal("{micro_batch: 1, strategy: fdsp}"),
              HasSubstr("expected one of fsdp, ddp, found \"fdsp\"; did you mean \"fsdp\"?"));
  EXPECT_THAT(SchemaRefusal("{micro_batch: 1, cards: {name: x}}"), HasSubstr("expected a list, found a mapping"));
  EXPECT_THAT(SchemaRefusal("[1, 2]"), HasSubstr("expected a mapping"));
  EXPECT_THAT(SchemaRefusal("just text"), HasSubstr("expected a mapping (`key: value` lines), found a single value: \"just text\""));
}

TEST(SchemaTest, ChecksRunOnlyOnWhatWasReadWithoutAProblem) {
  EXPECT_THAT(SchemaRefusal("micro_batch: 13"), HasSubstr("test.yaml:1:14: 13 does not divide"));
  EXPECT_THAT(SchemaRefusal("{micro_batch: 13, clip: 7}"), Not(HasSubstr("does not divide")));
}

TEST(SchemaTest, OverridesAreReportedByTheirText) {
  const ConfigNode node = *WithOverride(Document("micro_batch: 1"), "micro_batch=x");
  EXPECT_THAT(Message(ReadWith(JobSchema(), node).status()),
              HasSubstr("--set micro_batch=x: \"micro_batch\": expected an integer"));
}

TEST(SchemaJsonTest, DescribesTheMappingToEditors) {
  const nlohmann::json json = JobSchema().ToJson();
  EXPECT_EQ(json["type"], "object");
  EXPECT_EQ(json["additionalProperties"], false);
  EXPECT_EQ(json["required"], nlohmann::json({"micro_batch"}));
  const nlohmann::json& integer = json["properties"]["micro_batch"];
  EXPECT_EQ(integer["minimum"], 1);
  EXPECT_EQ(integer["maximum"], 4096);
  EXPECT_EQ(integer["description"], "sequences");
  EXPECT_EQ(json["properties"]["packing"]["exclusiveMinimum"], 0);
  EXPECT_EQ(json["properties"]["strategy"]["enum"], nlohmann::json({"fsdp", "ddp"}));
  EXPECT_EQ(json["properties"]["cards"]["items"]["required"], nlohmann::json({"name"}));
  EXPECT_EQ(json["properties"]["network"]["type"], "string");
  EXPECT_THAT(json["properties"]["network"]["pattern"].get<std::string>(), HasSubstr("Gb/s"));
  EXPECT_THAT(json["properties"]["network"]["pattern"].get<std::string>(), Not(HasSubstr("FLOPS")));
}

}  // namespace
}  // namespace stepsim::sim
