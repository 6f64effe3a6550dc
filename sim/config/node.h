// A parsed YAML (or JSON, which YAML contains) document with positions. Values are text: numbers are read from it by
// quantity.h, since yaml-cpp 0.7 reads 010 as 8, keeps duplicate keys silently and loses positions (STYLE: traps).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/config/diagnostics.h"

namespace stepsim::sim {

class ConfigNode {
 public:
  enum class Kind { kMissing, kNull, kScalar, kSequence, kMapping };
  ConfigNode() = default;  // kMissing

  Kind kind() const;
  bool is_missing() const { return kind() == Kind::kMissing; }
  bool is_scalar() const { return kind() == Kind::kScalar; }
  bool is_mapping() const { return kind() == Kind::kMapping; }
  bool is_sequence() const { return kind() == Kind::kSequence; }

  const std::string& text() const;  // of a scalar
  bool quoted() const;              // "5" against 5
  const SourcePosition& position() const;
  const std::string& path() const;  // "training.micro_batch", "nodes[2].gpu"; empty for the root

  std::vector<ConfigNode> items() const;                             // of a sequence
  std::vector<std::pair<std::string, ConfigNode>> fields() const;    // of a mapping, in order
  ConfigNode key_node(const std::string& key) const;                 // the key itself, for its position
  ConfigNode operator[](const std::string& key) const;               // kMissing if absent

  struct Data;  // owned by the document, which lives as long as any of its nodes
  explicit ConfigNode(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const Data> data_;
};

// Parses text. Reported with position and all at once: syntax errors, duplicate keys, anchors that form a loop or expand
// without bound, nesting deeper than 100, non-UTF-8 or binary content, an empty document, several documents.
// Also refused, since they are silent elsewhere: merge keys (<<), tags (!!int), keys that are not text. Limits: 4 MiB of
// text, 200,000 values.
absl::StatusOr<ConfigNode> ParseConfig(absl::string_view text, const std::string& origin);

// Reads a file and parses it. Unavailable or PermissionDenied (exit code 3) if it cannot be read.
absl::StatusOr<ConfigNode> LoadConfig(const std::string& path);

// Likewise, for callers that collect: problems are added, and the node is missing if there were any.
ConfigNode ParseConfigInto(absl::string_view text, const std::string& origin, Diagnostics* problems);

// `path=value` of --set: a copy of `root` with the value (YAML text, so `[1, 2]` and `{a: 1}` work) put at the dotted path;
// missing mappings on the way are made, `a[2]` indexes a sequence, and a name on the way (`cluster: a800-1024-roce`, path
// cluster.nodes) becomes `{base: a800-1024-roce, nodes: …}`. The new nodes' origin is the override itself.
absl::StatusOr<ConfigNode> WithOverride(const ConfigNode& root, const std::string& path_equals_value);

// `over` laid on `base`, mapping by mapping (sequences and scalars are replaced): variants of a study. A mapping laid on a
// name `X` is `{base: X, …}`, as for overrides, unless it has its own `base` (`base: null` replaces the name altogether).
ConfigNode Merged(const ConfigNode& base, const ConfigNode& over);

// Canonical one-line text: the same content gives the same text (keys sorted), for hashes.
std::string CanonicalText(const ConfigNode& node);

}  // namespace stepsim::sim
