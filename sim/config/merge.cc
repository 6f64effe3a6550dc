#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "sim/config/node.h"
#include "sim/config/node_data.h"

namespace stepsim::sim {
namespace {

using Entry = ConfigNode::Data::Entry;

// `{base: name, …over}`.
ConfigNode OverName(const ConfigNode& name, const ConfigNode& over) {
  const std::string path = internal::ChildPath(name.path(), "base");
  std::vector<Entry> entries = {{internal::MakeScalar("base", false, name.position(), path), name}};
  for (const auto& [key, value] : over.fields()) entries.push_back({over.key_node(key), value});
  return internal::MakeMapping(std::move(entries), over.position(), name.path());
}

}  // namespace

ConfigNode Merged(const ConfigNode& base, const ConfigNode& over) {
  if (over.is_missing()) return base;
  if (!over.is_mapping()) return over;
  if (internal::IsName(base) && over["base"].is_missing()) return OverName(base, over);
  if (!base.is_mapping()) return over;
  std::vector<Entry> entries;
  for (const auto& [key, value] : base.fields()) {
    const ConfigNode above = over[key];
    const ConfigNode key_node = above.is_missing() ? base.key_node(key) : over.key_node(key);
    entries.push_back({key_node, Merged(value, above)});
  }
  for (const auto& [key, value] : over.fields()) {
    if (base[key].is_missing()) entries.push_back({over.key_node(key), value});
  }
  return internal::MakeMapping(std::move(entries), base.position(), base.path());
}

std::string CanonicalText(const ConfigNode& node) {
  // JSON for strings alone: a scalar is its text, however it was quoted.
  const auto quoted = [](const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  std::vector<std::string> parts;
  switch (node.kind()) {
    case ConfigNode::Kind::kMissing:
    case ConfigNode::Kind::kNull:
      return "null";
    case ConfigNode::Kind::kScalar:
      return quoted(node.text());
    case ConfigNode::Kind::kSequence:
      for (const ConfigNode& item : node.items()) parts.push_back(CanonicalText(item));
      return absl::StrCat("[", absl::StrJoin(parts, ","), "]");
    case ConfigNode::Kind::kMapping:
      for (const auto& [key, value] : node.fields()) parts.push_back(absl::StrCat(quoted(key), ":", CanonicalText(value)));
      std::sort(parts.begin(), parts.end());
      return absl::StrCat("{", absl::StrJoin(parts, ","), "}");
  }
  return "";
}

}  // namespace stepsim::sim
