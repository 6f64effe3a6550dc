// The one registry template: a table of named entries of a kind, each with one line of help. Entries are listed by hand
// in one table per kind (no static initialisers); `list`, near matches and contract tests come from that table.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/near_match.h"
#include "sim/base/status.h"

namespace stepsim::sim {

template <class Factory>
class Registry {
 public:
  struct Entry {
    std::string name;
    std::string help;
    Factory factory;
  };

  // kind: the word used in messages ("fabric", "collective algorithm").
  Registry(std::string kind, std::vector<Entry> entries) : kind_(std::move(kind)), entries_(std::move(entries)) {}

  const std::string& kind() const { return kind_; }
  const std::vector<Entry>& entries() const { return entries_; }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const Entry& entry : entries_) names.push_back(entry.name);
    return names;
  }

  // NotFound with the list of names and the nearest match.
  absl::StatusOr<Factory> Find(absl::string_view name) const {
    for (const Entry& entry : entries_) {
      if (absl::string_view(entry.name) == name) return entry.factory;
    }
    return absl::NotFoundError(UnknownNameMessage(kind_, name, Names()));
  }

 private:
  std::string kind_;
  std::vector<Entry> entries_;
};

}  // namespace stepsim::sim
