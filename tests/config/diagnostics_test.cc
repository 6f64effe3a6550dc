#include "sim/config/diagnostics.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/config/helpers.h"

namespace stepsim::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SourcePosition At(const std::string& origin, int line, int column) {
  SourcePosition where;
  where.origin = origin;
  where.line = line;
  where.column = column;
  return where;
}

TEST(DiagnosticsTest, NoProblemIsOk) { EXPECT_TRUE(Diagnostics().ToStatus().ok()); }

TEST(DiagnosticsTest, CaretStandsUnderTheColumn) {
  Diagnostics problems;
  SourcePosition where = At("a.yaml", 3, 7);
  where.line_text = "\tgpu: \th1000";
  problems.Add(where, "unknown gpu");
  EXPECT_EQ(Message(problems.ToStatus()), "a.yaml:3:7: unknown gpu\n   gpu:  h1000\n        ^");
}

TEST(DiagnosticsTest, OriginAloneWithoutAPosition) {
  Diagnostics problems;
  problems.Add(At("--set a.b=1", 0, 0), "no such key");
  EXPECT_EQ(Message(problems.ToStatus()), "--set a.b=1: no such key");
}

TEST(DiagnosticsTest, SortedByOriginThenPositionAndShownOnce) {
  Diagnostics problems;
  problems.Add(At("b.yaml", 1, 1), "third");
  problems.Add(At("a.yaml", 10, 1), "second");
  problems.Add(At("a.yaml", 9, 5), "first");
  problems.Add(At("a.yaml", 9, 5), "first");
  EXPECT_EQ(Message(problems.ToStatus()), "a.yaml:9:5: first\na.yaml:10:1: second\nb.yaml:1:1: third");
}

TEST(DiagnosticsTest, TwentyAreShownAndTheRestCounted) {
  Diagnostics problems;
  for (int i = 1; i <= 25; ++i) problems.Add(At("a.yaml", i, 1), absl::StrCat("problem ", i));
  const std::string message = Message(problems.ToStatus());
  EXPECT_THAT(message, HasSubstr("problem 20\n... and 5 more problems"));
  EXPECT_THAT(message, Not(HasSubstr("problem 21")));
}

TEST(DiagnosticsTest, AllIoIsUnavailableAndAMixtureIsInvalid) {
  Diagnostics problems;
  problems.AddIo(At("a.yaml", 1, 1), "cannot read b.yaml");
  problems.AddStatus(At("a.yaml", 2, 1), absl::PermissionDeniedError("cannot read c.yaml"));
  EXPECT_EQ(problems.ToStatus().code(), absl::StatusCode::kUnavailable);
  problems.Add(At("a.yaml", 3, 1), "unknown key");
  EXPECT_EQ(problems.ToStatus().code(), absl::StatusCode::kInvalidArgument);
}

TEST(DiagnosticsTest, ControlCharactersAndLengthAreTamed) {
  Diagnostics problems;
  problems.Add(At("a\x1b.yaml", 1, 1), absl::StrCat("two\nlines \x1b[2J", std::string(100000, 'x')));
  const std::string message = Message(problems.ToStatus());
  EXPECT_THAT(message, HasSubstr("a\\x1b.yaml:1:1: two\nlines \\x1b[2Jxxx"));
  EXPECT_LT(message.size(), 5000u);
}

TEST(ShownTest, CutsAtCharactersAndEscapes) {
  EXPECT_EQ(Shown("abc"), "\"abc\"");
  EXPECT_EQ(Shown("a\n\t\x01\xff"), "\"a\\n\\t\\x01\\xff\"");
  EXPECT_EQ(Shown(std::string(81, 'a')), absl::StrCat("\"", std::string(80, 'a'), "...\""));
  // 80 bytes end within the 40th é here.
  std::string accents = "x";
  for (int i = 0; i < 100; ++i) accents += "é";
  EXPECT_EQ(Shown(accents).find("\\x"), std::string::npos);
}

}  // namespace
}  // namespace stepsim::sim
