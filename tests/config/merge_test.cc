#include "gtest/gtest.h"
#include "sim/config/node.h"
#include "tests/config/helpers.h"

namespace stepsim::sim {
namespace {

std::string MergedText(const std::string& base, const std::string& over) {
  return CanonicalText(Merged(Document(base), Document(over)));
}

TEST(MergedTest, MappingsAreMergedKeyByKey) {
  EXPECT_EQ(MergedText("{a: 1, b: {c: 2, d: 3}}", "{b: {c: 4}, e: 5}"), CanonicalText(Document("{a: 1, b: {c: 4, d: 3}, e: 5}")));
}

TEST(MergedTest, SequencesAndScalarsAreReplaced) {
  EXPECT_EQ(MergedText("{a: [1, 2], b: 1}", "{a: [3], b: [4]}"), CanonicalText(Document("{a: [3], b: [4]}")));
  EXPECT_EQ(MergedText("{a: {x: 1}}", "{a: 5}"), CanonicalText(Document("{a: 5}")));
  EXPECT_EQ(MergedText("{a: 5}", "{a: null}"), CanonicalText(Document("{a: null}")));
}

TEST(MergedTest, MappingOverANameBecomesItsBase) {
  EXPECT_EQ(MergedText("cluster: dgx", "cluster: {nodes: 4}"), CanonicalText(Document("cluster: {base: dgx, nodes: 4}")));
}

TEST(MergedTest, MappingWithItsOwnBaseReplacesTheName) {
  EXPECT_EQ(MergedText("cluster: dgx", "cluster: {base: l40, nodes: 4}"),
            CanonicalText(Document("cluster: {base: l40, nodes: 4}")));
  EXPECT_EQ(MergedText("cluster: dgx", "cluster: {base: null, nodes: 4}"),
            CanonicalText(Document("cluster: {base: null, nodes: 4}")));
}

TEST(MergedTest, NumberOrBooleanUnderAMappingIsReplaced) {
  EXPECT_EQ(MergedText("{a: 5, b: true}", "{a: {x: 1}, b: {y: 2}}"), CanonicalText(Document("{a: {x: 1}, b: {y: 2}}")));
}

TEST(MergedTest, ValuesKeepThePlaceWhereTheyWereWritten) {
  const ConfigNode base = *ParseConfig("a: 1\nb: 2\n", "base.yaml");
  const ConfigNode over = *ParseConfig("\n\nb: 3\n", "over.yaml");
  const ConfigNode merged = Merged(base, over);
  EXPECT_EQ(merged["a"].position().origin, "base.yaml");
  EXPECT_EQ(merged["b"].position().origin, "over.yaml");
  EXPECT_EQ(merged["b"].position().line, 3);
  EXPECT_EQ(merged.key_node("b").position().origin, "over.yaml");
}

TEST(MergedTest, NothingOverLeavesTheBase) {
  const ConfigNode base = Document("a: 1");
  EXPECT_EQ(CanonicalText(Merged(base, ConfigNode())), CanonicalText(base));
  EXPECT_EQ(CanonicalText(Merged(ConfigNode(), base)), CanonicalText(base));
}

}  // namespace
}  // namespace stepsim::sim
