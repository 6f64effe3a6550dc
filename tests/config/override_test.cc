#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/config/node.h"
#include "tests/config/helpers.h"

namespace stepsim::sim {
namespace {

using ::testing::HasSubstr;

constexpr char kScenario[] = "cluster: dgx\ntraining: {micro_batch: 1, steps: 5}\nnodes: [{gpu: a}, {gpu: b}]\n";

std::string Overridden(const std::string& override_text) {
  const absl::StatusOr<ConfigNode> node = WithOverride(Document(kScenario), override_text);
  EXPECT_TRUE(node.ok()) << node.status();
  return node.ok() ? CanonicalText(*node) : "";
}

std::string OverrideRefusal(const std::string& override_text) {
  const absl::StatusOr<ConfigNode> node = WithOverride(Document(kScenario), override_text);
  EXPECT_EQ(node.status().code(), absl::StatusCode::kInvalidArgument) << override_text;
  return Message(node.status());
}

std::string Text(const std::string& yaml) { return CanonicalText(Document(yaml)); }

TEST(OverrideTest, ReplacesAValueAndLeavesTheRest) {
  EXPECT_EQ(Overridden("training.micro_batch=4"),
            Text("cluster: dgx\ntraining: {micro_batch: 4, steps: 5}\nnodes: [{gpu: a}, {gpu: b}]\n"));
}

TEST(OverrideTest, MakesMissingMappings) {
  EXPECT_EQ(CanonicalText(*WithOverride(Document("a: 1"), "b.c.d=x")), Text("{a: 1, b: {c: {d: x}}}"));
  EXPECT_EQ(CanonicalText(*WithOverride(Document("b:\n"), "b.c=x")), Text("{b: {c: x}}"));
}

TEST(OverrideTest, IndexesSequences) {
  EXPECT_EQ(CanonicalText((*WithOverride(Document(kScenario), "nodes[1].gpu=c"))["nodes"]), Text("[{gpu: a}, {gpu: c}]"));
  EXPECT_EQ(CanonicalText(*WithOverride(Document("a: [[1, 2]]"), "a[0][1]=3")), Text("a: [[1, 3]]"));
}

TEST(OverrideTest, ValueIsYaml) {
  EXPECT_EQ(CanonicalText((*WithOverride(Document(kScenario), "training=[1, {a: 2}]"))["training"]), Text("[1, {a: 2}]"));
  EXPECT_EQ((*WithOverride(Document(kScenario), "training=null"))["training"].kind(), ConfigNode::Kind::kNull);
  EXPECT_EQ((*WithOverride(Document(kScenario), "training.rate=400 Gb/s"))["training"]["rate"].text(), "400 Gb/s");
  EXPECT_EQ((*WithOverride(Document(kScenario), "name=a=b"))["name"].text(), "a=b");
  EXPECT_TRUE((*WithOverride(Document(kScenario), "name='5'"))["name"].quoted());
}

TEST(OverrideTest, PathThroughANameMakesItTheBase) {
  const ConfigNode node = *WithOverride(Document(kScenario), "cluster.nodes=1");
  EXPECT_EQ(CanonicalText(node["cluster"]), Text("{base: dgx, nodes: 1}"));
  // The base keeps the place where the name was written: a relative path stays relative to its file.
  EXPECT_EQ(node["cluster"]["base"].position().origin, "test.yaml");
  EXPECT_EQ(CanonicalText((*WithOverride(node, "cluster.nodes=2"))["cluster"]), Text("{base: dgx, nodes: 2}"));
}

TEST(OverrideTest, NewNodesHaveTheOverrideAsOriginAndTheirPath) {
  const ConfigNode node = *WithOverride(Document(kScenario), "training.extra={a: [x]}");
  const ConfigNode x = node["training"]["extra"]["a"].items()[0];
  EXPECT_EQ(x.position().origin, "--set training.extra={a: [x]}");
  EXPECT_EQ(x.position().line, 0);
  EXPECT_EQ(x.path(), "training.extra.a[0]");
  EXPECT_EQ(node["training"].key_node("extra").position().origin, "--set training.extra={a: [x]}");
}

TEST(OverrideTest, OriginalIsUntouched) {
  const ConfigNode root = Document(kScenario);
  const std::string before = CanonicalText(root);
  ASSERT_TRUE(WithOverride(root, "training.micro_batch=4").ok());
  EXPECT_EQ(CanonicalText(root), before);
}

TEST(OverrideTest, MalformedOverridesAreRefused) {
  for (const char* text : {"", "a", "=1", ".a=1", "a.=1", "a..b=1", "[0]=1", "nodes[=1", "nodes[x]=1", "nodes[-1]=1",
                           "nodes[0]x=1", "a=", "a= ", "a=[1", "a={b: 1, b: 2}", "a=b: c: d", "a=\x01"}) {
    EXPECT_THAT(OverrideRefusal(text), HasSubstr("--set")) << text;
  }
}

TEST(OverrideTest, WrongStepsAreNamed) {
  EXPECT_THAT(OverrideRefusal("nodes[2].gpu=x"), HasSubstr("nodes has 2 items, counted from 0: there is no [2]"));
  EXPECT_THAT(OverrideRefusal("training[0]=x"), HasSubstr("training is not a list"));
  EXPECT_THAT(OverrideRefusal("nodes.gpu=x"), HasSubstr("nodes is a list: expected an index"));
}

TEST(OverrideTest, EndlessPathIsRefused) {
  std::string path = "a";
  for (int i = 0; i < 100000; ++i) path += ".a";
  EXPECT_LT(OverrideRefusal(absl::StrCat(path, "=1")).size(), 1000u);
}

}  // namespace
}  // namespace stepsim::sim
