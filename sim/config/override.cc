#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "sim/base/status.h"
#include "sim/config/node.h"
#include "sim/config/node_data.h"

namespace stepsim::sim {
namespace {

using Entry = ConfigNode::Data::Entry;

// One step of a dotted path: a key of a mapping, or an index of a sequence.
struct Step {
  std::string key;
  std::optional<size_t> index;
};

// "a.b[2].c"
absl::StatusOr<std::vector<Step>> ParsePath(absl::string_view path) {
  const absl::Status bad = absl::InvalidArgumentError(
      absl::StrCat("expected a path such as training.micro_batch or nodes[2].gpu, found ", Shown(path)));
  std::vector<Step> steps;
  while (!path.empty()) {
    if (absl::ConsumePrefix(&path, "[")) {
      const size_t end = path.find(']');
      size_t index = 0;
      if (steps.empty() || end == absl::string_view::npos || !absl::SimpleAtoi(path.substr(0, end), &index)) return bad;
      steps.push_back({"", index});
      path.remove_prefix(end + 1);
      if (!path.empty() && path[0] != '.' && path[0] != '[') return bad;
    } else {
      if (!steps.empty() && !absl::ConsumePrefix(&path, ".")) return bad;
      const std::string key = ToString(path.substr(0, std::min(path.find_first_of(".["), path.size())));
      if (key.empty()) return bad;
      path.remove_prefix(key.size());
      steps.push_back({key, std::nullopt});
    }
    if (steps.size() > internal::kMaxDepth) return bad;
  }
  if (steps.empty()) return bad;
  return steps;
}

// A copy whose nodes all have the override's position, under the path that they are put at.
ConfigNode Relocated(const ConfigNode& node, const SourcePosition& where, const std::string& path) {
  if (node.is_scalar()) return internal::MakeScalar(node.text(), node.quoted(), where, path);
  if (node.is_sequence()) {
    std::vector<ConfigNode> items;
    for (const ConfigNode& item : node.items()) {
      items.push_back(Relocated(item, where, internal::ItemPath(path, items.size())));
    }
    return internal::MakeSequence(std::move(items), where, path);
  }
  if (node.is_mapping()) {
    std::vector<Entry> entries;
    for (const auto& [key, value] : node.fields()) {
      const std::string child = internal::ChildPath(path, key);
      entries.push_back({internal::MakeScalar(key, false, where, child), Relocated(value, where, child)});
    }
    return internal::MakeMapping(std::move(entries), where, path);
  }
  return internal::MakeNull(where, path);
}

// Puts one value into copies of the nodes on its way.
class Setter {
 public:
  Setter(std::vector<Step> steps, ConfigNode value, SourcePosition where)
      : steps_(std::move(steps)), value_(std::move(value)), where_(std::move(where)) {}

  absl::StatusOr<ConfigNode> Set(const ConfigNode& node, size_t at, const std::string& path) const {
    if (at == steps_.size()) return Relocated(value_, where_, path);
    return steps_[at].index ? SetItem(node, at, path) : SetKey(node, at, path);
  }

 private:
  absl::Status Fail(const std::string& message) const {
    Diagnostics problems;
    problems.Add(where_, message);
    return problems.ToStatus();
  }

  absl::StatusOr<ConfigNode> SetItem(const ConfigNode& node, size_t at, const std::string& path) const {
    const size_t index = *steps_[at].index;
    std::vector<ConfigNode> items = node.items();
    if (!node.is_sequence()) return Fail(absl::StrCat(path, " is not a list: it has no item [", index, "]"));
    if (index >= items.size()) {
      return Fail(absl::StrCat(path, " has ", items.size(), " items, counted from 0: there is no [", index, "]"));
    }
    SIM_ASSIGN_OR_RETURN(items[index], Set(items[index], at + 1, internal::ItemPath(path, index)));
    return internal::MakeSequence(std::move(items), node.position(), node.path());
  }

  absl::StatusOr<ConfigNode> SetKey(const ConfigNode& node, size_t at, const std::string& path) const {
    const std::string& key = steps_[at].key;
    if (node.is_sequence()) {
      return Fail(absl::StrCat(path, " is a list: expected an index such as [0], found the key ", Shown(key)));
    }
    const std::string child = internal::ChildPath(path, key);
    std::vector<Entry> entries;
    if (node.is_scalar()) {
      const std::string base = internal::ChildPath(path, "base");
      entries.push_back({internal::MakeScalar("base", false, node.position(), base), node});
    }
    for (const auto& [name, value] : node.fields()) entries.push_back({node.key_node(name), value});
    for (Entry& entry : entries) {
      if (entry.key.text() != key) continue;
      SIM_ASSIGN_OR_RETURN(entry.value, Set(entry.value, at + 1, child));
      return internal::MakeMapping(std::move(entries), node.position(), path);
    }
    SIM_ASSIGN_OR_RETURN(ConfigNode value, Set(ConfigNode(), at + 1, child));
    entries.push_back({internal::MakeScalar(key, false, where_, child), std::move(value)});
    return internal::MakeMapping(std::move(entries), node.is_mapping() ? node.position() : where_, path);
  }

  std::vector<Step> steps_;
  ConfigNode value_;
  SourcePosition where_;
};

}  // namespace

absl::StatusOr<ConfigNode> WithOverride(const ConfigNode& root, const std::string& path_equals_value) {
  SourcePosition where;
  where.origin = absl::StrCat("--set ", absl::string_view(path_equals_value).substr(0, 120));
  Diagnostics problems;
  const size_t equals = path_equals_value.find('=');
  if (equals == std::string::npos) {
    problems.Add(where, "expected path=value, such as training.micro_batch=4");
    return problems.ToStatus();
  }
  const absl::StatusOr<std::vector<Step>> steps = ParsePath(absl::string_view(path_equals_value).substr(0, equals));
  if (!steps.ok()) problems.AddStatus(where, steps.status());
  const absl::string_view text = absl::StripAsciiWhitespace(absl::string_view(path_equals_value).substr(equals + 1));
  ConfigNode value = internal::MakeNull(where, "");
  if (text.empty()) {
    problems.Add(where, "expected a value after =; null stands for none");
  } else if (text != "null" && text != "~") {
    value = ParseConfigInto(text, where.origin, &problems);
  }
  if (!problems.empty()) return problems.ToStatus();
  return Setter(*steps, std::move(value), where).Set(root, 0, "");
}

}  // namespace stepsim::sim
