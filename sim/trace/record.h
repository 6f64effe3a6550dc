// What happened, as typed records. Per track, slices come in order of their begin and nest; per counter, values come in
// order of time. Between tracks there is no order.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "sim/base/ids.h"
#include "sim/base/units.h"

namespace stepsim::sim {

using TrackId = Id<struct TrackTag>;
using CounterId = Id<struct CounterTag>;

// An argument of a slice: whole numbers, decimals, or text (interned by the writer).
struct TraceArg {
  const char* name;  // static storage
  std::variant<int64_t, double, absl::string_view> value;
};

struct SliceRecord {
  TrackId track;
  Time begin;
  Time end;
  absl::string_view name;
  const char* category = "";  // "kernel", "collective", "cpu_op", "annotation", …; static storage
  absl::InlinedVector<TraceArg, 8> args;
  absl::InlinedVector<uint64_t, 2> flows_out;  // arrows that start or pass here
  absl::InlinedVector<uint64_t, 2> flows_end;  // arrows that end here
};

struct CounterRecord {
  CounterId counter;
  Time at;
  double value = 0;
};

// The rows of the trace, known before the first record.
struct TraceProcess {
  int32_t pid = 0;   // rank + 1 (pid 0 is special to Perfetto)
  std::string name;  // "rank 3 (node0/gpu3)"
};
struct TraceTrack {
  int32_t process = 0;  // row of TraceHeader::processes
  int32_t tid = 0;      // stream number as PyTorch shows it (compute 7, others 20…), or the host thread's
  std::string name;     // "compute", "all-gather", "host"
};
struct TraceCounter {
  int32_t process = 0;
  std::string name;  // "memory allocated"
  std::string unit;  // "bytes", "%", "count"
};
struct TraceHeader {
  std::string title;
  std::vector<std::pair<std::string, std::string>> metadata;  // version, scenario hash, seed, warnings
  std::vector<TraceProcess> processes;
  std::vector<TraceTrack> tracks;      // TrackId
  std::vector<TraceCounter> counters;  // CounterId
};

}  // namespace stepsim::sim
