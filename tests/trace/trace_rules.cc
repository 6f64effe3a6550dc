#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/trace/perfetto_decoder.h"

namespace stepsim::sim {
namespace {

using Problems = std::vector<std::string>;

void CheckRows(const DecodedTrace& trace, Problems& problems) {
  std::set<int32_t> pids;
  for (const DecodedProcess& process : trace.processes) {
    if (process.pid < 1) problems.push_back(absl::StrCat("'", process.name, "' has pid ", process.pid));
    if (!pids.insert(process.pid).second)
      problems.push_back(absl::StrCat("pid ", process.pid, " is given twice"));
  }
  std::set<std::pair<int32_t, int32_t>> tids;
  for (const DecodedTrack& track : trace.tracks) {
    if (pids.count(track.pid) == 0)
      problems.push_back(absl::StrCat("track '", track.name, "' has no process"));
    if (!tids.insert({track.pid, track.tid}).second) {
      problems.push_back(absl::StrCat("process ", track.pid, " has two tracks with tid ", track.tid));
    }
  }
}

// The slice that encloses another on its track is the last one of a smaller depth.
void CheckNesting(const DecodedTrack& track, Problems& problems) {
  std::vector<const DecodedSlice*> around;
  for (const DecodedSlice& slice : track.slices) {
    around.resize(static_cast<size_t>(slice.depth));
    if (slice.end_ns < slice.begin_ns) {
      problems.push_back(absl::StrCat("'", slice.name, "' on '", track.name, "' ends before it begins"));
    }
    if (!around.empty() &&
        (slice.begin_ns < around.back()->begin_ns || slice.end_ns > around.back()->end_ns)) {
      problems.push_back(
          absl::StrCat("'", slice.name, "' on '", track.name, "' is not within '", around.back()->name, "'"));
    }
    around.push_back(&slice);
  }
}

struct FlowEnd {
  uint64_t ns;
  int64_t packet;
  bool terminates;
  bool operator<(const FlowEnd& other) const {
    return std::pair(ns, packet) < std::pair(other.ns, other.packet);
  }
};

void CheckFlow(uint64_t id, std::vector<FlowEnd>& ends, Problems& problems) {
  std::sort(ends.begin(), ends.end());
  if (ends.size() < 2) problems.push_back(absl::StrCat("flow ", id, " touches one slice only"));
  const auto terminations =
      std::count_if(ends.begin(), ends.end(), [](const FlowEnd& end) { return end.terminates; });
  if (terminations != 1) problems.push_back(absl::StrCat("flow ", id, " ends ", terminations, " times"));
  if (terminations == 1 && !ends.back().terminates) {
    problems.push_back(absl::StrCat("flow ", id, " goes on after its end"));
  }
  for (size_t i = 1; i < ends.size(); ++i) {
    if (ends[i].packet == ends[i - 1].packet)
      problems.push_back(absl::StrCat("flow ", id, " touches a slice twice"));
  }
}

void CheckFlows(const DecodedTrace& trace, Problems& problems) {
  std::map<uint64_t, std::vector<FlowEnd>> flows;
  for (const DecodedTrack& track : trace.tracks) {
    for (const DecodedSlice& slice : track.slices) {
      for (uint64_t id : slice.flows_out) flows[id].push_back({slice.begin_ns, slice.begin_packet, false});
      for (uint64_t id : slice.flows_end) flows[id].push_back({slice.begin_ns, slice.begin_packet, true});
    }
  }
  for (auto& [id, ends] : flows) CheckFlow(id, ends, problems);
}

void CheckCounter(const DecodedCounter& counter, Problems& problems) {
  const auto earlier = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(counter.values.begin(), counter.values.end(), earlier)) {
    problems.push_back(
        absl::StrCat("counter '", counter.name, "' of process ", counter.pid, " goes back in time"));
  }
}

}  // namespace

absl::Status CheckTraceRules(const DecodedTrace& trace) {
  Problems problems = trace.problems;
  CheckRows(trace, problems);
  for (const DecodedTrack& track : trace.tracks) CheckNesting(track, problems);
  CheckFlows(trace, problems);
  for (const DecodedCounter& counter : trace.counters) CheckCounter(counter, problems);
  if (problems.empty()) return absl::OkStatus();
  constexpr size_t kMaxShown = 20;
  const size_t total = problems.size();
  problems.resize(std::min(total, kMaxShown));
  return absl::FailedPreconditionError(
      absl::StrCat(total, " rules broken:\n  ", absl::StrJoin(problems, "\n  ")));
}

}  // namespace stepsim::sim
