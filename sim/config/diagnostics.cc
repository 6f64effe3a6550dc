#include "sim/config/diagnostics.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "sim/base/status.h"
#include "sim/config/text.h"

namespace stepsim::sim {
namespace {

constexpr size_t kShownProblems = 20;
constexpr size_t kShownText = 80;
// Beyond it a message (a list of thousands of known names) helps nobody.
constexpr size_t kLongestMessage = 4000;

// Line breaks within a message stay, all else that a terminal would act on is escaped.
std::string Sanitized(absl::string_view message) {
  std::vector<std::string> lines;
  for (size_t from = 0; from <= message.size();) {
    const size_t end = std::min(message.find('\n', from), message.size());
    lines.push_back(internal::Escaped(message.substr(from, end - from)));
    from = end + 1;
  }
  std::string text = absl::StrJoin(lines, "\n");
  if (text.size() <= kLongestMessage) return text;
  return absl::StrCat(internal::Part(text, 0, kLongestMessage), "...");
}

// The source line and a caret under the column. A tab is shown as one space, so that the caret stands where it should.
std::string CaretLines(const SourcePosition& where) {
  if (where.line_text.empty() || where.column < where.line_text_column) return "";
  std::string line = where.line_text;
  std::replace(line.begin(), line.end(), '\t', ' ');
  const std::string cut = where.line_text_column > 1 ? "..." : "";
  const auto offset = static_cast<size_t>(where.column - where.line_text_column);
  return absl::StrCat("\n  ", cut, internal::Escaped(line), "\n  ", std::string(cut.size() + offset, ' '), "^");
}

bool IsIo(absl::StatusCode code) {
  return code == absl::StatusCode::kUnavailable || code == absl::StatusCode::kPermissionDenied ||
         code == absl::StatusCode::kDataLoss;
}

}  // namespace

std::string Shown(absl::string_view text) {
  const absl::string_view part = internal::Part(text, 0, kShownText);
  return absl::StrCat("\"", internal::Escaped(part), part.size() < text.size() ? "...\"" : "\"");
}

void Diagnostics::Add(const SourcePosition& where, std::string message) {
  problems_.push_back({where, std::move(message), false});
}

void Diagnostics::AddIo(const SourcePosition& where, std::string message) {
  problems_.push_back({where, std::move(message), true});
}

void Diagnostics::AddStatus(const SourcePosition& where, const absl::Status& status) {
  if (!status.ok()) problems_.push_back({where, ToString(status.message()), IsIo(status.code())});
}

std::string Diagnostics::Render(const Problem& problem) {
  const SourcePosition& where = problem.where;
  std::string text = Sanitized(where.origin);
  if (where.line > 0) absl::StrAppend(&text, ":", where.line, ":", std::max(where.column, 1));
  absl::StrAppend(&text, text.empty() ? "" : ": ", Sanitized(problem.message));
  if (where.line > 0) absl::StrAppend(&text, CaretLines(where));
  return text;
}

std::vector<Diagnostics::Problem> Diagnostics::Sorted() const {
  const auto key = [](const Problem& problem) {
    return std::tie(problem.where.origin, problem.where.line, problem.where.column, problem.message);
  };
  std::vector<Problem> sorted = problems_;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Problem& a, const Problem& b) { return key(a) < key(b); });
  const auto end = std::unique(sorted.begin(), sorted.end(), [&](const Problem& a, const Problem& b) { return key(a) == key(b); });
  sorted.erase(end, sorted.end());
  return sorted;
}

absl::Status Diagnostics::ToStatus() const {
  if (problems_.empty()) return absl::OkStatus();
  const std::vector<Problem> sorted = Sorted();
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(sorted.size(), kShownProblems); ++i) texts.push_back(Render(sorted[i]));
  if (sorted.size() > kShownProblems) texts.push_back(absl::StrCat("... and ", sorted.size() - kShownProblems, " more problems"));
  const bool all_io = std::all_of(problems_.begin(), problems_.end(), [](const Problem& problem) { return problem.is_io; });
  const std::string message = absl::StrJoin(texts, "\n");
  return all_io ? absl::UnavailableError(message) : absl::InvalidArgumentError(message);
}

}  // namespace stepsim::sim
