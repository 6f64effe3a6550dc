#include "sim/config/catalogue.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "sim/base/file.h"
#include "sim/base/near_match.h"
#include "sim/base/status.h"
#include "sim/config/node_data.h"
#include "sim/config/schema.h"

namespace stepsim::sim {
namespace {

constexpr size_t kLongestChain = 20;
constexpr absl::string_view kForeign[] = {".xml", ".txt"};
constexpr absl::string_view kOurs[] = {".yaml", ".yml", ".json"};

bool EndsWithAny(absl::string_view text, absl::Span<const absl::string_view> suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(), [&](absl::string_view suffix) {
    return absl::EndsWithIgnoreCase(text, suffix);
  });
}

bool IsPath(absl::string_view text) {
  return absl::StrContains(text, '/') || EndsWithAny(text, kOurs) || EndsWithAny(text, kForeign);
}

// A path that stands in a file is relative to that file; one of --set to the working directory.
std::string RelativeToOrigin(const std::string& path, const std::string& origin) {
  const std::filesystem::path given(path);
  if (given.is_absolute() || absl::StartsWith(origin, "--set ")) return path;
  return (std::filesystem::path(origin).parent_path() / given).lexically_normal().string();
}

// "gpus" → "gpu"
std::string Singular(const std::string& kind) { return ToString(absl::StripSuffix(kind, "s")); }

ConfigNode WithoutKey(const ConfigNode& mapping, const std::string& dropped) {
  std::vector<ConfigNode::Data::Entry> entries;
  for (const auto& [key, value] : mapping.fields()) {
    if (key != dropped) entries.push_back({mapping.key_node(key), value});
  }
  return internal::MakeMapping(std::move(entries), mapping.position(), mapping.path());
}

}  // namespace

std::string Catalogue::PathOf(const std::string& kind, const std::string& name) const {
  return (std::filesystem::path(root_) / kind / absl::StrCat(name, ".yaml")).string();
}

std::vector<std::string> Catalogue::Names(const std::string& kind) const {
  std::vector<std::string> names;
  std::error_code code;
  std::filesystem::directory_iterator it(std::filesystem::path(root_) / kind, code), end;
  for (; !code && it != end; it.increment(code)) {
    if (it->path().extension() == ".yaml") names.push_back(it->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

absl::StatusOr<ConfigNode> Catalogue::Load(const std::string& kind, const std::string& name) const {
  const std::vector<std::string> names = Names(kind);
  if (!std::binary_search(names.begin(), names.end(), name)) {
    return absl::NotFoundError(UnknownNameMessage(Singular(kind), name, names));
  }
  return LoadConfig(PathOf(kind, name));
}

Catalogue::Resolved Catalogue::Resolve(const std::string& kind, const ConfigNode& node, Diagnostics* problems) const {
  Chain chain;
  return ResolveAny(kind, node, &chain, problems);
}

Catalogue::Resolved Catalogue::ResolveAny(const std::string& kind, const ConfigNode& node, Chain* chain,
                                          Diagnostics* problems) const {
  if (node.is_mapping()) return ResolveMapping(kind, node, chain, problems);
  if (!node.is_scalar() || node.text().empty()) {
    problems->Add(node.position(), absl::StrCat("expected a ", Singular(kind), ": a name of the catalogue, a path, or a mapping"));
    return {};
  }
  if (IsPath(node.text())) return ResolveFile(kind, node, RelativeToOrigin(node.text(), node.position().origin), chain, problems);
  const std::vector<std::string> names = Names(kind);
  if (std::binary_search(names.begin(), names.end(), node.text())) {
    return ResolveFile(kind, node, PathOf(kind, node.text()), chain, problems);
  }
  problems->Add(node.position(), UnknownNameMessage(Singular(kind), node.text(), names));
  return {};
}

Catalogue::Resolved Catalogue::ResolveFile(const std::string& kind, const ConfigNode& node, const std::string& path,
                                           Chain* chain, Diagnostics* problems) const {
  Resolved resolved;
  resolved.path = path;
  resolved.name = std::filesystem::path(path).stem().string();
  resolved.is_foreign = EndsWithAny(path, kForeign);
  // The length too, since a link to a folder can give one file any number of paths.
  if (std::find(chain->begin(), chain->end(), path) != chain->end() || chain->size() >= kLongestChain) {
    problems->Add(node.position(), absl::StrCat("bases form a loop: ", absl::StrJoin(*chain, " -> "), " -> ", path));
    return {};
  }
  const size_t before = problems->size();
  const absl::StatusOr<std::string> text = ReadFile(path, internal::kMaxFileBytes);
  if (!text.ok()) problems->AddStatus(node.position(), text.status());
  if (resolved.is_foreign || problems->size() != before) return problems->size() == before ? resolved : Resolved{};
  resolved.node = ParseConfigInto(*text, path, problems);
  if (resolved.node.is_missing() || !internal::ExpectMapping(resolved.node, problems)) return {};
  if (absl::EndsWithIgnoreCase(path, ".json") || resolved.node["base"].is_missing()) return resolved;
  chain->push_back(path);
  resolved.node = ResolveMapping(kind, resolved.node, chain, problems).node;
  chain->pop_back();
  return resolved.node.is_missing() ? Resolved{} : resolved;
}

Catalogue::Resolved Catalogue::ResolveMapping(const std::string& kind, const ConfigNode& node, Chain* chain,
                                              Diagnostics* problems) const {
  Resolved resolved;
  const ConfigNode base = node["base"];
  if (base.is_missing()) {
    resolved.node = node;
    return resolved;
  }
  const ConfigNode rest = WithoutKey(node, "base");
  if (base.kind() == ConfigNode::Kind::kNull) {
    resolved.node = rest;
    return resolved;
  }
  resolved = ResolveAny(kind, base, chain, problems);
  if (resolved.is_foreign) {
    problems->Add(base.position(), absl::StrCat("keys can only be laid over a YAML or JSON file, not over ", Shown(base.text())));
    return {};
  }
  if (!resolved.node.is_missing()) resolved.node = Merged(resolved.node, rest);
  return resolved;
}

}  // namespace stepsim::sim
