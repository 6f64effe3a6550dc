#include "sim/base/near_match.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace stepsim::sim {
namespace {
// Longer names are cut: distances beyond this tell nothing, and garbage input must not cost quadratic time.
constexpr size_t kLongestCompared = 128;
}  // namespace

int EditDistance(absl::string_view a_text, absl::string_view b_text) {
  const std::string a = absl::AsciiStrToLower(a_text.substr(0, kLongestCompared));
  const std::string b = absl::AsciiStrToLower(b_text.substr(0, kLongestCompared));
  std::vector<int> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int substitute = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substitute});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

std::optional<std::string> NearestMatch(absl::string_view name, const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  int best_distance = static_cast<int>(std::max<size_t>(2, std::min(name.size(), kLongestCompared) / 3)) + 1;
  for (const std::string& candidate : candidates) {
    const int distance = EditDistance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string UnknownNameMessage(absl::string_view kind, absl::string_view name,
                               const std::vector<std::string>& candidates) {
  const absl::string_view shown = name.substr(0, kLongestCompared);
  std::string message = absl::StrCat("unknown ", kind, " \"", shown, "\"");
  if (const auto near = NearestMatch(name, candidates)) absl::StrAppend(&message, "; did you mean \"", *near, "\"?");
  absl::StrAppend(&message, " known: ", absl::StrJoin(candidates, ", "));
  return message;
}

}  // namespace stepsim::sim
