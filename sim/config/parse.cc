// The one place where yaml-cpp is called and its exceptions are caught.
#include <sstream>

#include "absl/strings/str_cat.h"
#include "sim/base/file.h"
#include "sim/base/status.h"
#include "sim/config/node.h"
#include "sim/config/node_data.h"
#include "sim/config/text.h"
#include "sim/config/tree_builder.h"
#include "yaml-cpp/exceptions.h"
#include "yaml-cpp/parser.h"

namespace stepsim::sim {
namespace {

// yaml-cpp keeps all tokens of a [ … ] or { … } until it closes: about 250 bytes for a byte of text at worst.
constexpr size_t kMaxText = size_t{4} << 20;
// Brackets that are open at once, wherever they stand. The reader's own limit is kMaxDepth; this one keeps yaml-cpp from
// stacking up a file of [[[[[ before it reports the first of them. Loose, since brackets in text count too.
constexpr int kMaxOpenBrackets = 10000;

void CheckBrackets(absl::string_view text, const internal::LineTable& lines, Diagnostics* problems) {
  int open = 0;
  size_t too_deep = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '{') ++open;
    if ((text[i] == ']' || text[i] == '}') && open > 0) --open;
    if (open <= internal::kMaxDepth) too_deep = i + 1;
    if (open <= kMaxOpenBrackets) continue;
    problems->Add(lines.AtOffset(too_deep), absl::StrCat("nested deeper than ", internal::kMaxDepth, " levels"));
    return;
  }
}

ConfigNode Parse(absl::string_view text, const internal::LineTable& lines, Diagnostics* problems) {
  std::istringstream stream(ToString(text));
  internal::TreeBuilder builder(lines, problems);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const internal::ParsingStopped&) {
    return ConfigNode();
  } catch (const YAML::Exception& error) {
    const SourcePosition where = error.mark.is_null() ? lines.At(0, 0) : lines.At(error.mark.line, error.mark.column);
    problems->Add(where, absl::StrCat("not valid YAML: ", error.msg));
    return ConfigNode();
  }
  return builder.Finish();
}

}  // namespace

ConfigNode ParseConfigInto(absl::string_view text, const std::string& origin, Diagnostics* problems) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);  // byte order mark
  const internal::LineTable lines(text, origin);
  const size_t before = problems->size();
  internal::CheckIsText(text, lines, problems);
  if (problems->size() == before && text.size() > kMaxText) {
    problems->Add(lines.At(0, 0), absl::StrCat("larger than ", kMaxText >> 20, " MiB: not a config file"));
  }
  if (problems->size() == before) CheckBrackets(text, lines, problems);
  if (problems->size() != before) return ConfigNode();
  const ConfigNode root = Parse(text, lines, problems);
  if (problems->size() != before) return ConfigNode();
  if (root.is_missing() || root.kind() == ConfigNode::Kind::kNull) {
    problems->Add(lines.At(0, 0), "the file is empty: expected a mapping (`key: value` lines)");
    return ConfigNode();
  }
  return root;
}

absl::StatusOr<ConfigNode> ParseConfig(absl::string_view text, const std::string& origin) {
  Diagnostics problems;
  ConfigNode root = ParseConfigInto(text, origin, &problems);
  if (!problems.empty()) return problems.ToStatus();
  return root;
}

absl::StatusOr<ConfigNode> LoadConfig(const std::string& path) {
  absl::StatusOr<std::string> text = ReadFile(path, internal::kMaxFileBytes);
  if (absl::IsInvalidArgument(text.status())) {
    Diagnostics problems;
    problems.Add({path, 1, 1, "", 1}, absl::StrCat("larger than ", internal::kMaxFileBytes >> 20, " MiB: not a config file"));
    return problems.ToStatus();
  }
  if (!text.ok()) return text.status();
  return ParseConfig(*text, path);
}

}  // namespace stepsim::sim
