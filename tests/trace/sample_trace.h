// A small trace header and a writer for it, for the tests of this folder.
#pragma once

#include <sstream>
#include <string>

#include "sim/trace/perfetto_writer.h"

namespace stepsim::sim {

// Two ranks, each with host, compute and all-gather tracks (listed in another order on purpose) and one
// counter.
inline TraceHeader TwoRankHeader() {
  TraceHeader header;
  header.title = "llama on two ranks";
  header.metadata = {{"version", "0.1.0"}, {"seed", "42"}};
  for (int rank = 0; rank < 2; ++rank) {
    header.processes.push_back({rank + 1, "rank " + std::to_string(rank)});
    header.tracks.push_back({rank, 7, "compute"});
    header.tracks.push_back({rank, 20, "all-gather"});
    header.tracks.push_back({rank, 1, "host"});
    header.counters.push_back({rank, "memory allocated", "bytes"});
  }
  return header;
}

constexpr TrackId kCompute0{0};
constexpr TrackId kAllGather0{1};
constexpr TrackId kHost0{2};
constexpr TrackId kCompute1{3};
constexpr TrackId kAllGather1{4};

inline Time AtNs(int64_t ns) {
  return Time::Picoseconds(ns * 1000);
}

inline SliceRecord MakeSlice(TrackId track, int64_t begin_ps, int64_t end_ps, absl::string_view name) {
  SliceRecord slice;
  slice.track = track;
  slice.begin = Time::Picoseconds(begin_ps);
  slice.end = Time::Picoseconds(end_ps);
  slice.name = name;
  slice.category = "kernel";
  return slice;
}

}  // namespace stepsim::sim
