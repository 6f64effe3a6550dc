// "Did you mean": the nearest of a list of names by edit distance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace stepsim::sim {

// Optimal string alignment distance (insert, delete, substitute, swap neighbours), case-insensitive.
int EditDistance(absl::string_view a, absl::string_view b);

// The candidate nearest to `name`, if it is near enough to be a misspelling (about a third of its length).
std::optional<std::string> NearestMatch(absl::string_view name, const std::vector<std::string>& candidates);

// `unknown fabric "fat-tre"; did you mean "fat-tree"? known: a, b, c`
std::string UnknownNameMessage(absl::string_view kind, absl::string_view name,
                               const std::vector<std::string>& candidates);

}  // namespace stepsim::sim
