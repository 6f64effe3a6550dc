#include "gtest/gtest.h"
#include "sim/config/node.h"
#include "tests/config/helpers.h"

namespace stepsim::sim {
namespace {

TEST(CanonicalTextTest, SameContentGivesTheSameText) {
  const std::string text = CanonicalText(Document("b: [1, x]\na: {d: null, c: 'y'}\n"));
  EXPECT_EQ(text, "{\"a\":{\"c\":\"y\",\"d\":null},\"b\":[\"1\",\"x\"]}");
  EXPECT_EQ(CanonicalText(Document("# comment\n{a: {c: y, d: ~}, \"b\": [\"1\", 'x']}")), text);
  EXPECT_EQ(CanonicalText(Document("x: &b [1, x]\n")["x"]), CanonicalText(Document("[1, x]")));
}

TEST(CanonicalTextTest, DifferentContentGivesDifferentText) {
  EXPECT_NE(CanonicalText(Document("a: 1")), CanonicalText(Document("a: 2")));
  EXPECT_NE(CanonicalText(Document("a: [1, 2]")), CanonicalText(Document("a: [2, 1]")));
  EXPECT_NE(CanonicalText(Document("a: null")), CanonicalText(Document("a: 'null'")));
  EXPECT_NE(CanonicalText(Document("a: 'x\",\"b'")), CanonicalText(Document("a: [x, b]")));
}

}  // namespace
}  // namespace stepsim::sim
