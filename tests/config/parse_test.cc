#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/config/node.h"
#include "tests/config/helpers.h"

namespace stepsim::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ParseTest, ValuesStayText) {
  const ConfigNode node = Document("a: 010\nb: yes\nc: 1e9\nd: '5'\ne: ~\nf:\ng: null\nh: \"null\"\n");
  EXPECT_EQ(node["a"].text(), "010");
  EXPECT_EQ(node["b"].text(), "yes");
  EXPECT_EQ(node["c"].text(), "1e9");
  EXPECT_TRUE(node["d"].quoted());
  EXPECT_FALSE(node["a"].quoted());
  for (const char* key : {"e", "f", "g"}) EXPECT_EQ(node[key].kind(), ConfigNode::Kind::kNull) << key;
  EXPECT_EQ(node["h"].text(), "null");
  EXPECT_TRUE(node["none"].is_missing());
}

TEST(ParseTest, PositionsCountFromOneAndNameThePath) {
  const ConfigNode node = Document("name: x\nnodes:\n  - gpu: h100\n    nics: [a, b]\n");
  const ConfigNode nic = node["nodes"].items()[0]["nics"].items()[1];
  EXPECT_EQ(nic.position().origin, "test.yaml");
  EXPECT_EQ(nic.position().line, 4);
  EXPECT_EQ(nic.position().column, 15);
  EXPECT_EQ(nic.position().line_text, "    nics: [a, b]");
  EXPECT_EQ(nic.path(), "nodes[0].nics[1]");
  EXPECT_EQ(node.key_node("nodes").position().line, 2);
  EXPECT_EQ(node.path(), "");
}

TEST(ParseTest, MissingValueIsAtItsKeyAndNotAtTheNextLine) {
  const ConfigNode node = Document("a:\n\n\nb: 1\n");
  EXPECT_EQ(node["a"].position().line, 1);
}

TEST(ParseTest, ColumnsCountCharactersAndNotBytes) {
  EXPECT_EQ(Document("{größe: 1, b: 2}")["b"].position().column, 15);
}

TEST(ParseTest, KeysKeepTheirOrder) {
  std::string order;
  for (const auto& [key, value] : Document("z: 1\na: 2\nm: 3\n").fields()) order += key;
  EXPECT_EQ(order, "zam");
}

TEST(ParseTest, JsonIsRead) {
  const ConfigNode node = Document("{\n\t\"hidden_size\": 4096,\n\t\"architectures\": [\"LlamaForCausalLM\"],\"x\":null}");
  EXPECT_EQ(node["hidden_size"].text(), "4096");
  EXPECT_FALSE(node["hidden_size"].quoted());
  EXPECT_TRUE(node["architectures"].items()[0].quoted());
  EXPECT_EQ(node["x"].kind(), ConfigNode::Kind::kNull);
}

TEST(ParseTest, WindowsLineEndsAndByteOrderMarkAreRead) {
  const ConfigNode node = Document("\xEF\xBB\xBF" "a: 1\r\nb: 2\r\n");
  EXPECT_EQ(node["a"].text(), "1");
  EXPECT_EQ(node["a"].position().column, 4);
  EXPECT_EQ(node["b"].position().line_text, "b: 2");
}

TEST(ParseTest, DuplicateKeysAreAllReportedWithTheFirstLine) {
  const std::string message = Refusal("gpu: h100\nnic: cx7\ngpu: a100\nnic: cx6\n");
  EXPECT_EQ(message,
            "test.yaml:3:1: duplicate key \"gpu\": first given on line 1\n  gpu: a100\n  ^\n"
            "test.yaml:4:1: duplicate key \"nic\": first given on line 2\n  nic: cx6\n  ^");
}

TEST(ParseTest, DuplicateKeysBelowAndInFlowMappingsAreReported) {
  EXPECT_THAT(Refusal("a:\n  b: 1\n  'b': 2\n"), HasSubstr("test.yaml:3:3: duplicate key \"b\""));
  EXPECT_THAT(Refusal("a: {b: 1, b: 2}"), HasSubstr("test.yaml:1:11: duplicate key \"b\""));
  EXPECT_THAT(Refusal("{\"a\": 1, \"a\": 2}"), HasSubstr("duplicate key"));
}

TEST(ParseTest, SameKeyInDifferentMappingsIsNoDuplicate) { Document("a: {x: 1}\nb: {x: 1}\nc: [{x: 1}, {x: 2}]\n"); }

TEST(ParseTest, MergeKeyIsRefused) {
  EXPECT_THAT(Refusal("a: &a {x: 1}\nb:\n  <<: *a\n  y: 2\n"), HasSubstr("test.yaml:3:3: the merge key << is not supported"));
}

TEST(ParseTest, TagsAreRefused) {
  EXPECT_THAT(Refusal("a: !!int 5\n"), HasSubstr("the tag \"tag:yaml.org,2002:int\" is not supported"));
  EXPECT_THAT(Refusal("a: !python [1]\n"), HasSubstr("is not supported"));
}

TEST(ParseTest, KeysThatAreNotTextAreRefused) {
  EXPECT_THAT(Refusal("? [a, b]\n: c\n"), HasSubstr("expected a key"));
  EXPECT_THAT(Refusal("? {a: b}\n: c\n"), HasSubstr("expected a key"));
  EXPECT_THAT(Refusal(": c\n"), HasSubstr("expected a key"));
  EXPECT_THAT(Refusal("~: c\n"), HasSubstr("expected a key"));
}

TEST(ParseTest, AliasesStandForTheirAnchor) {
  const ConfigNode node = Document("a: &nics [x, y]\nb: {c: *nics}\n");
  EXPECT_EQ(node["b"]["c"].items()[1].text(), "y");
  EXPECT_EQ(node["b"]["c"].items()[1].path(), "b.c[1]");
  EXPECT_EQ(node["b"]["c"].items()[1].position().line, 1);
}

TEST(ParseTest, UnknownAnchorIsReported) {
  EXPECT_THAT(Refusal("a: *none\n"), HasSubstr("test.yaml:1:4: not valid YAML"));
}

TEST(ParseTest, SyntaxErrorsHaveAPositionAndACaret) {
  EXPECT_THAT(Refusal("a: b: c\n"), HasSubstr("test.yaml:1:5: not valid YAML"));
  EXPECT_THAT(Refusal("a: [1, 2\nb: 3\n"), HasSubstr("\n  "));
  EXPECT_THAT(Refusal("a: 1\n}\n"), HasSubstr("test.yaml:2:1:"));
  EXPECT_THAT(Refusal("a: @x\n"), HasSubstr("test.yaml:1:4:"));
}

TEST(ParseTest, QuoteThatIsNeverClosedIsRefused) {
  EXPECT_THAT(Refusal("a: \"open\nb: 2\n"), HasSubstr("test.yaml:1:4: this quote is never closed"));
  EXPECT_THAT(Refusal("a: 'it''s open\n"), HasSubstr("never closed"));
  EXPECT_THAT(Refusal("a: &x 'open\n"), HasSubstr("never closed"));
  EXPECT_THAT(Refusal("a: \"open\\\"\n"), HasSubstr("never closed"));
  EXPECT_THAT(Refusal("a: 'open"), HasSubstr("test.yaml:1:"));
  EXPECT_EQ(Document("a: 'it''s'\n")["a"].text(), "it's");
  EXPECT_EQ(Document("a: \"\\\\\"\n")["a"].text(), "\\");
  EXPECT_EQ(Document("a: &x \"\\\"\" # it's\n")["a"].text(), "\"");
}

TEST(ParseTest, TabsAsIndentationAreRefused) {
  EXPECT_THAT(Refusal("a:\n\tb: 1\n"), HasSubstr("test.yaml:2:"));
}

TEST(ParseTest, ProblemsBeforeASyntaxErrorAreReportedWithIt) {
  const std::string message = Refusal("a: 1\na: 2\nb: [\n");
  EXPECT_THAT(message, HasSubstr("duplicate key \"a\""));
  EXPECT_THAT(message, HasSubstr("not valid YAML"));
}

TEST(ParseTest, EmptyDocumentsAreRefused) {
  for (const char* text : {"", "\n\n", "# a comment\n", "---\n", "~", "null\n", "...\n", "\xEF\xBB\xBF"}) {
    EXPECT_THAT(Refusal(text), HasSubstr("test.yaml:1:1: the file is empty")) << text;
  }
}

TEST(ParseTest, SeveralDocumentsAreRefused) {
  EXPECT_THAT(Refusal("a: 1\n---\nb: 2\n"), HasSubstr("expected one document"));
  EXPECT_THAT(Refusal("{a: 1}\nb: 2\n"), HasSubstr("test.yaml:2:"));
  EXPECT_EQ(Document("---\na: 1\n...\n")["a"].text(), "1");
}

TEST(ParseTest, BytesThatAreNotTextAreRefused) {
  EXPECT_THAT(Refusal(std::string("a: 1\nb: \0\n", 10)), HasSubstr("test.yaml:2:4: expected UTF-8 text, found a NUL byte"));
  EXPECT_THAT(Refusal("a: \xff\xfe\n"), HasSubstr("test.yaml:1:4: expected UTF-8 text, found a byte that is not UTF-8"));
  EXPECT_THAT(Refusal("a: \xc0\xaf\n"), HasSubstr("not UTF-8"));      // overlong /
  EXPECT_THAT(Refusal("a: \xed\xa0\x80\n"), HasSubstr("not UTF-8"));  // surrogate
  EXPECT_THAT(Refusal("a: \xe2\x82"), HasSubstr("not UTF-8"));        // cut short
  EXPECT_THAT(Refusal("a: \x1b[31m\n"), HasSubstr("control character (0x1b)"));
  EXPECT_THAT(Refusal("a: 1\rb: 2\n"), HasSubstr("control character (0x0d)"));
  EXPECT_THAT(Refusal(std::string("\x7f" "ELF\x02\x01\x01\0", 8)), HasSubstr("not a YAML or JSON file"));
}

TEST(ParseTest, MessagesHoldNoControlCharacters) {
  const std::string message = Refusal("a: \x1b[31m\n\"k\\e\": 1\n");
  EXPECT_THAT(message, Not(HasSubstr("\x1b")));
  EXPECT_THAT(Refusal("{\"k\\e[2J\": 1, \"k\\e[2J\": 2}"), Not(HasSubstr("\x1b")));
}

TEST(LoadConfigTest, MissingFileAndFolderAreIoErrors) {
  EXPECT_EQ(LoadConfig("/nonexistent/scenario.yaml").status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(LoadConfig("/").status().code(), absl::StatusCode::kUnavailable);
}

TEST(LoadConfigTest, EndlessFileIsRefused) {
  const absl::Status status = LoadConfig("/dev/zero").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Message(status), HasSubstr("/dev/zero:1:1: larger than 16 MiB"));
}

}  // namespace
}  // namespace stepsim::sim
