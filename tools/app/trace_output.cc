#include "tools/app/trace_output.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "sim/base/status.h"

namespace stepsim::app {
namespace {
constexpr int kDefaultTracedRanks = 16;
}

absl::Status TraceOutput::Open(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const auto& entries = sim::TraceWriters().entries();
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return absl::EndsWith(path, e.name); });
    if (entry == entries.end()) {
      return absl::InvalidArgumentError(absl::StrCat("--trace ", path, ": the suffix names the format; known: ",
                                                     absl::StrJoin(sim::TraceWriters().Names(), ", ")));
    }
    SIM_ASSIGN_OR_RETURN(sim::AtomicFile file, sim::AtomicFile::Create(path));
    files_.push_back(std::unique_ptr<File>(new File{std::move(file), entry->factory}));
  }
  return absl::OkStatus();
}

sim::TraceSink TraceOutput::sink() {
  if (files_.empty()) return nullptr;
  return [this](const sim::TraceHeader& header) {
    std::vector<std::unique_ptr<sim::TraceWriter>> writers;
    for (const auto& file : files_) writers.push_back(file->factory(header, file->file.stream()));
    return writers;
  };
}

absl::Status TraceOutput::Commit() {
  for (const auto& file : files_) SIM_RETURN_IF_ERROR(file->file.Commit());
  return absl::OkStatus();
}

absl::StatusOr<std::vector<sim::RankId>> ParseRanks(const std::string& text, int world_size) {
  std::set<int> ranks;
  if (text.empty()) {
    for (int rank = 0; rank < std::min(kDefaultTracedRanks, world_size); ++rank) ranks.insert(rank);
  } else {
    for (const absl::string_view part : absl::StrSplit(text, ',')) {
      const std::vector<absl::string_view> ends = absl::StrSplit(part, absl::MaxSplits('-', 1));
      int first = 0, last = 0;
      const bool ok = absl::SimpleAtoi(ends[0], &first) && absl::SimpleAtoi(ends.back(), &last);
      if (!ok || first < 0 || last < first || last >= world_size) {
        return absl::InvalidArgumentError(absl::StrCat("--trace-ranks ", text, ": \"", part,
                                                       "\" is no rank or range of ranks between 0 and ", world_size - 1));
      }
      for (int rank = first; rank <= last; ++rank) ranks.insert(rank);
    }
  }
  std::vector<sim::RankId> ids;
  for (const int rank : ranks) ids.push_back(sim::RankId(rank));
  return ids;
}

std::string WithInfix(const std::string& path, const std::string& infix) {
  const std::filesystem::path p(path);
  return (p.parent_path() / absl::StrCat(p.stem().string(), ".", infix, p.extension().string())).string();
}

}  // namespace stepsim::app
