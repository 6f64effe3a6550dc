// Reads a .pftrace back for tests, through libprotobuf and perfetto_test.proto, and checks the rules of the
// format.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace stepsim::sim {

struct DecodedArg {
  std::string name;
  std::variant<int64_t, double, std::string> value;
};

struct DecodedSlice {
  std::string name;
  std::string category;  // empty: none
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
  int depth = 0;             // 0: outermost
  int64_t begin_packet = 0;  // position of the begin packet in the file
  std::vector<DecodedArg> args;
  std::vector<uint64_t> flows_out;
  std::vector<uint64_t> flows_end;

  // nullptr if there is none of that name.
  const DecodedArg* Arg(absl::string_view arg_name) const;
};

struct DecodedProcess {
  int32_t pid = 0;
  std::string name;
  int32_t order = 0;
};

struct DecodedTrack {
  std::string name;
  int32_t pid = 0;
  int32_t tid = 0;
  std::string process;               // name
  int32_t order = 0;                 // among the tracks of the process
  std::vector<DecodedSlice> slices;  // in order of begin
};

struct DecodedCounter {
  std::string name;
  std::string unit;
  int32_t pid = 0;
  std::string process;
  std::vector<std::pair<uint64_t, double>> values;  // ns, value, as they stand in the file
};

struct DecodedTrace {
  std::pair<int64_t, int64_t> uuid;
  std::string title;
  std::vector<DecodedArg> metadata;
  std::vector<DecodedProcess> processes;
  std::vector<DecodedTrack> tracks;
  std::vector<DecodedCounter> counters;
  int64_t packets = 0;
  std::vector<std::string> problems;  // rules that were broken while reading, at most 20

  // nullptr if there is none.
  const DecodedTrack* Track(int32_t pid, absl::string_view name) const;
  const DecodedCounter* Counter(int32_t pid, absl::string_view name) const;
};

// DataLoss if the bytes are no protobuf trace. Broken rules do not stop it: they are noted in `problems`.
absl::StatusOr<DecodedTrace> DecodePerfetto(absl::string_view bytes);

// FailedPrecondition that names the first broken rules. The rules:
//  - the first packet of a sequence clears its state, packets that use interned texts say so;
//  - texts are interned before or where they are used, once each, under numbers from 1;
//  - descriptors come before events, pids are ≥ 1 and unique, (pid, tid) are unique, each track has its
//  process;
//  - per track, times never go back, every end has its begin, every begin its end, and slices nest;
//  - every flow has at least two slices and ends, once, at the last of them;
//  - counters never go back in time.
absl::Status CheckTraceRules(const DecodedTrace& trace);

}  // namespace stepsim::sim
