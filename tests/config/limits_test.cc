// Input that is made to cost much: it must be refused, with a position, within seconds and a bounded stack.
#include <chrono>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/config/node.h"
#include "tests/config/helpers.h"

namespace stepsim::sim {
namespace {

using ::testing::HasSubstr;

std::string Repeated(const std::string& piece, size_t times) {
  std::string text;
  text.reserve(piece.size() * times);
  for (size_t i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(LimitsTest, NestingUpToHundredIsRead) {
  EXPECT_TRUE(ParseConfig(absl::StrCat(Repeated("[", 100), Repeated("]", 100)), "test.yaml").ok());
  EXPECT_THAT(Refusal(absl::StrCat(Repeated("[", 101), Repeated("]", 101))),
              HasSubstr("test.yaml:1:101: nested deeper than 100 levels"));
}

TEST(LimitsTest, DeepNestingOfEverySortIsRefusedAtItsPosition) {
  EXPECT_THAT(Refusal(Repeated("[", 100000)), HasSubstr("test.yaml:1:101: nested deeper"));
  EXPECT_THAT(Refusal(Repeated("{", 100000)), HasSubstr("nested deeper"));
  EXPECT_THAT(Refusal(Repeated("{a: ", 100000)), HasSubstr("nested deeper"));
  EXPECT_THAT(Refusal(Repeated("- ", 100000)), HasSubstr("nested deeper"));
  EXPECT_THAT(Refusal(Repeated("? ", 100000)), HasSubstr("nested deeper"));
  EXPECT_THAT(Refusal(Repeated("[", 5000)), HasSubstr("nested deeper"));
  std::string stairs;
  for (size_t i = 0; i < 300; ++i) absl::StrAppend(&stairs, std::string(i, ' '), "a:\n");
  EXPECT_THAT(Refusal(stairs), HasSubstr("test.yaml:101:101: nested deeper"));
}

TEST(LimitsTest, BracketsInTextAreNoNesting) {
  EXPECT_EQ(Document(absl::StrCat("a: '", Repeated("[", 5000), "'\n"))["a"].text().size(), 5000u);
}

TEST(LimitsTest, AnchorLoopIsRefused) {
  EXPECT_THAT(Refusal("a: &a [1, *a]\n"), HasSubstr("test.yaml:1:11: the anchor's value contains itself"));
  EXPECT_THAT(Refusal("a: &a\n  b: &b\n    c: *a\n"), HasSubstr("anchors must not form a loop"));
}

TEST(LimitsTest, BillionLaughsIsRefused) {
  std::string text = "a0: &a0 lol\n";
  for (int i = 1; i <= 9; ++i) {
    absl::StrAppend(&text, "a", i, ": &a", i, " [", Repeated(absl::StrCat("*a", i - 1, ", "), 9), "]\n");
  }
  EXPECT_THAT(Refusal(text), HasSubstr("aliases expand to more than 200000 values"));
}

TEST(LimitsTest, DepthThroughAliasesCounts) {
  const std::string deep = absl::StrCat(Repeated("[", 60), "x", Repeated("]", 60));
  const std::string deeper = absl::StrCat(Repeated("[", 60), "*a", Repeated("]", 60));
  EXPECT_THAT(Refusal(absl::StrCat("a: &a ", deep, "\nb: ", deeper, "\n")), HasSubstr("nested deeper than 100 levels"));
}

TEST(LimitsTest, LongKeysAreRefused) {
  EXPECT_THAT(Refusal(absl::StrCat(std::string(300, 'k'), ": 1\n")), HasSubstr("is longer than 256 bytes"));
}

TEST(LimitsTest, LongLinesAreShownByThePartAroundThePosition) {
  const std::string line = absl::StrCat("{a: 1, ", Repeated("b: [1, 2], ", 1), "pad: '", std::string(5000, 'x'), "', a: 2}");
  const std::string message = Refusal(line);
  EXPECT_THAT(message, HasSubstr("duplicate key \"a\""));
  EXPECT_LT(message.size(), 400u);
  // The caret stands under the second a.
  const size_t shown = message.find("\n  ") + 3;
  const size_t caret = message.find("\n  ", shown) + 3;
  EXPECT_EQ(message[shown + message.find('^', caret) - caret], 'a');
}

// Megabytes of it: the time limit is some thirty times what they take, for sanitizers on a busy machine.
class GarbageTest : public ::testing::TestWithParam<std::string> {};

TEST_P(GarbageTest, IsAnsweredFast) {
  constexpr size_t kBytes = size_t{4'190'000};
  const auto start = std::chrono::steady_clock::now();
  const absl::StatusOr<ConfigNode> node = ParseConfig(Repeated(GetParam(), kBytes / GetParam().size()), "test.yaml");
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  EXPECT_LT(spent.count(), 60);
  EXPECT_LT(node.status().message().size(), 40000u);
  if (!node.ok()) {
    EXPECT_THAT(Message(node.status()), HasSubstr("test.yaml:"));
  }
}

INSTANTIATE_TEST_SUITE_P(Patterns, GarbageTest,
                         ::testing::Values("a", "[a,", "{a: ", "- ", "a: b\n", "\"", "*a ", "\n", "---\n", "[1,2],", "- a\n",
                                           "é", "|\n", "\xff", "%"));

TEST(LimitsTest, TenMegabytesAreRefusedByTheirSize) {
  EXPECT_THAT(Refusal(std::string(10'000'000, 'a')), HasSubstr("test.yaml:1:1: larger than 4 MiB"));
}

TEST(LimitsTest, TenMegabytesOfRandomBytesAreRefusedAsBinary) {
  std::string bytes;
  uint32_t state = 1;
  for (int i = 0; i < 10'000'000; ++i) bytes += static_cast<char>((state = state * 1664525u + 1013904223u) >> 24);
  EXPECT_THAT(Refusal(bytes), HasSubstr("expected UTF-8 text"));
}

}  // namespace
}  // namespace stepsim::sim
