// What a ConfigNode points to. Internal to sim/config.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/node.h"

namespace stepsim::sim {

struct ConfigNode::Data {
  struct Entry {
    ConfigNode key;  // scalar
    ConfigNode value;
  };

  Kind kind = Kind::kMissing;
  std::string text;
  bool quoted = false;
  SourcePosition position;
  std::string path;
  std::vector<ConfigNode> items;
  std::vector<Entry> entries;
};

namespace internal {

// Nesting, of documents and of overrides, beyond which input is refused: recursion over nodes stays within the stack.
inline constexpr int kMaxDepth = 100;

// Nothing larger is read.
inline constexpr size_t kMaxFileBytes = size_t{16} << 20;

ConfigNode MakeNull(SourcePosition position, std::string path);
ConfigNode MakeScalar(std::string text, bool quoted, SourcePosition position, std::string path);
ConfigNode MakeMapping(std::vector<ConfigNode::Data::Entry> entries, SourcePosition position, std::string path);
ConfigNode MakeSequence(std::vector<ConfigNode> items, SourcePosition position, std::string path);

std::string ChildPath(const std::string& parent, const std::string& key);
std::string ItemPath(const std::string& parent, size_t index);

// Whether a mapping may be laid over this scalar as over the name of something (not over a number or a boolean).
bool IsName(const ConfigNode& node);

}  // namespace internal
}  // namespace stepsim::sim
