// All that changes on one rank while it runs: cursors, clocks and sums. A plain value, so that a rank can run ahead on a
// copy and go back when something from outside (a collective's end) changes what it assumed.
#pragma once

#include <array>

#include "sim/base/units.h"
#include "sim/device/execution_plan.h"

namespace stepsim::sim {

enum class StreamStatus : uint8_t {
  kReady,     // nothing runs; the head op may start once its conditions hold
  kRunning,   // a kernel, with work left
  kNeedsSms,  // a collective's turn has come, but every SM is taken until `arrival`
  kResident,  // a collective has started on this rank and waits for its peers or moves bytes
  kFinished,  // past the last step
};

struct StreamState {
  StreamStatus status = StreamStatus::kReady;
  int32_t step = 0;
  int32_t index = 0;       // in the stream's queue
  int64_t ready_ps = 0;    // when the last op ended
  int64_t begin_ps = 0;    // of what runs now
  int64_t left_ps = 0;     // work of the running kernel at full speed
  int64_t arrival_ps = 0;  // kNeedsSms
};

// Sums over the rank's life, in picoseconds. A window is the difference of two.
struct RankSums {
  int64_t compute = 0;        // ≥ 1 kernel running (union over streams)
  int64_t communication = 0;  // ≥ 1 collective resident, waiting for peers included
  int64_t transfer = 0;       // ≥ 1 collective moving bytes
  int64_t exposed = 0;        // a collective resident, no kernel running
  int64_t idle = 0;           // neither
  int64_t host_bound = 0;     // the part of idle in which the compute stream waits for its launch
  int64_t optimizer = 0;      // kernels of the optimizer phase
  int64_t sm = 0;             // kernels' time × share of the SMs they hold
  std::array<int64_t, kNumKernelCategories> category{};

  RankSums operator-(const RankSums& o) const;
};

struct RankState {
  int64_t now_ps = 0;
  int32_t footprint = 0;      // class of the collectives resident here (0: none); set from outside
  int16_t resident = 0;       // collectives resident
  int16_t transferring = 0;   // of which move bytes
  int32_t known_segments = 0;  // host segments whose start is known, counted over steps
  std::array<StreamState, kMaxStreams> streams;
  std::array<int32_t, kMaxGroups> collectives_done{};  // over steps; collectives of a group run one after another
  std::array<int64_t, kMaxGroups> group_ready_ps{};
  RankSums sums;
  RankSums window_begin_sums;
  int64_t window_begin_ps = 0;
  int64_t end_ps = -1;        // of the last step; -1: still running
};

}  // namespace stepsim::sim
