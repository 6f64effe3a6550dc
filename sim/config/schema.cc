#include "sim/config/schema.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "sim/base/status.h"

namespace stepsim::sim::internal {
namespace {

std::string WithPath(const std::string& path, const std::string& message) {
  return path.empty() ? message : absl::StrCat(Shown(path), ": ", message);
}

void Report(const ConfigNode& node, const std::string& message, Diagnostics* problems) {
  problems->Add(node.position(), WithPath(node.path(), message));
}

// What a node is, for "expected …, found …".
const char* KindWord(const ConfigNode& node) {
  switch (node.kind()) {
    case ConfigNode::Kind::kMissing:
    case ConfigNode::Kind::kNull: return "nothing";
    case ConfigNode::Kind::kScalar: return "a single value";
    case ConfigNode::Kind::kSequence: return "a list";
    case ConfigNode::Kind::kMapping: return "a mapping";
  }
  return "";
}

bool ExpectScalar(const ConfigNode& node, const char* what, Diagnostics* problems) {
  if (node.is_scalar()) return true;
  Report(node, absl::StrCat("expected ", what, ", found ", KindWord(node)), problems);
  return false;
}

// "5" in quotes is text, not a number: YAML's own distinction, kept.
bool ExpectPlain(const ConfigNode& node, const char* what, Diagnostics* problems) {
  if (!ExpectScalar(node, what, problems)) return false;
  if (!node.quoted()) return true;
  Report(node, absl::StrCat("expected ", what, ", found text in quotes: ", Shown(node.text())), problems);
  return false;
}

// value and bounds in the base unit; unit: its name for the message, with a leading space.
bool InRange(const ConfigNode& node, double value, const Field& field, const char* unit, Diagnostics* problems) {
  std::string bound;
  if (field.positive && !(value > 0)) bound = "more than 0";
  if (field.min && value < *field.min) bound = absl::StrFormat("at least %.15g%s", *field.min, unit);
  if (field.max && value > *field.max) bound = absl::StrFormat("at most %.15g%s", *field.max, unit);
  if (bound.empty()) return true;
  Report(node, absl::StrCat("expected ", bound, ", found ", Shown(node.text())), problems);
  return false;
}

template <class T>
std::optional<T> Parsed(const ConfigNode& node, absl::StatusOr<T> value, Diagnostics* problems) {
  if (value.ok()) return *std::move(value);
  Report(node, ToString(value.status().message()), problems);
  return std::nullopt;
}

double InBaseUnit(Bytes value) { return value.value(); }
double InBaseUnit(BytesPerSecond value) { return value.per_second(); }
double InBaseUnit(FlopsPerSecond value) { return value.per_second(); }
double InBaseUnit(Duration value) { return value.seconds(); }

template <class T>
std::optional<T> ReadQuantity(const ConfigNode& node, const Field& field, absl::StatusOr<T> (*parse)(absl::string_view),
                              const char* what, const char* unit, Diagnostics* problems) {
  if (!ExpectScalar(node, what, problems)) return std::nullopt;
  const std::optional<T> value = Parsed(node, parse(node.text()), problems);
  if (!value || !InRange(node, InBaseUnit(*value), field, unit, problems)) return std::nullopt;
  return value;
}

}  // namespace

std::optional<int64_t> ReadInteger(const ConfigNode& node, const Field& field, Diagnostics* problems) {
  if (!ExpectPlain(node, "an integer", problems)) return std::nullopt;
  const auto value = Parsed(node, ParseInteger(node.text()), problems);
  if (!value || !InRange(node, static_cast<double>(*value), field, "", problems)) return std::nullopt;
  return value;
}

std::optional<double> ReadNumber(const ConfigNode& node, const Field& field, Diagnostics* problems) {
  if (!ExpectPlain(node, "a number", problems)) return std::nullopt;
  const auto value = Parsed(node, ParseNumber(node.text()), problems);
  if (!value || !InRange(node, *value, field, "", problems)) return std::nullopt;
  return value;
}

std::optional<bool> ReadBoolean(const ConfigNode& node, const Field&, Diagnostics* problems) {
  if (!ExpectPlain(node, "true or false", problems)) return std::nullopt;
  return Parsed(node, ParseBoolean(node.text()), problems);
}

std::optional<std::string> ReadText(const ConfigNode& node, const Field&, Diagnostics* problems) {
  if (!ExpectScalar(node, "text", problems)) return std::nullopt;
  return node.text();
}

std::optional<Bytes> ReadBytes(const ConfigNode& node, const Field& field, Diagnostics* problems) {
  return ReadQuantity<Bytes>(node, field, ParseBytes, "a size such as \"80 GiB\"", " bytes", problems);
}

std::optional<BytesPerSecond> ReadByteRate(const ConfigNode& node, const Field& field, Diagnostics* problems) {
  return ReadQuantity<BytesPerSecond>(node, field, ParseByteRate, "a rate such as \"400 Gb/s\"", " bytes/s", problems);
}

std::optional<FlopsPerSecond> ReadFlopRate(const ConfigNode& node, const Field& field, Diagnostics* problems) {
  return ReadQuantity<FlopsPerSecond>(node, field, ParseFlopRate, "a compute rate such as \"312 TFLOPS\"", " flop/s", problems);
}

std::optional<Duration> ReadDuration(const ConfigNode& node, const Field& field, Diagnostics* problems) {
  return ReadQuantity<Duration>(node, field, ParseDuration, "a time such as \"5 us\"", " seconds", problems);
}

std::optional<int> ReadChoice(const ConfigNode& node, const std::vector<std::string>& names, Diagnostics* problems) {
  const std::string what = absl::StrCat("one of ", absl::StrJoin(names, ", "));
  if (!ExpectScalar(node, what.c_str(), problems)) return std::nullopt;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == node.text()) return static_cast<int>(i);
  }
  std::string message = absl::StrCat("expected ", what, ", found ", Shown(node.text()));
  if (const auto near = NearestMatch(node.text(), names)) absl::StrAppend(&message, "; did you mean \"", *near, "\"?");
  Report(node, message, problems);
  return std::nullopt;
}

bool ExpectMapping(const ConfigNode& node, Diagnostics* problems) {
  if (node.is_mapping()) return true;
  std::string found = KindWord(node);
  if (node.is_scalar()) absl::StrAppend(&found, ": ", Shown(node.text()));
  Report(node, absl::StrCat("expected a mapping (`key: value` lines), found ", found), problems);
  return false;
}

bool ExpectSequence(const ConfigNode& node, Diagnostics* problems) {
  if (node.is_sequence()) return true;
  Report(node, absl::StrCat("expected a list, found ", KindWord(node)), problems);
  return false;
}

void ReportUnknownKeys(const ConfigNode& node, const std::vector<std::string>& known, Diagnostics* problems) {
  for (const auto& [key, value] : node.fields()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string message = absl::StrCat("unknown key ", Shown(key));
    if (const auto near = NearestMatch(key, known)) absl::StrAppend(&message, "; did you mean \"", *near, "\"?");
    absl::StrAppend(&message, " expected one of ", absl::StrJoin(known, ", "));
    problems->Add(node.key_node(key).position(), WithPath(node.path(), message));
  }
}

void ReportMissingKey(const ConfigNode& node, const std::string& key, Diagnostics* problems) {
  Report(node, absl::StrCat("missing key ", Shown(key)), problems);
}

}  // namespace stepsim::sim::internal
