// Live bytes of a rank as the framework's allocator sees them: blocks rounded to 512 bytes, persistent ones set before the
// step, the rest by events in host-issue order; the peak with its composition.
#pragma once

#include "sim/program/program.h"

namespace stepsim::workloads {

class MemoryTracker {
 public:
  // ops: the program under construction; an event stands before the op that comes next.
  explicit MemoryTracker(const std::vector<sim::Op>* ops) : ops_(ops) {}

  static int64_t Rounded(int64_t bytes) { return (bytes + 511) / 512 * 512; }

  // Before the first event only.
  void AddPersistent(sim::MemoryPart part, int64_t bytes);

  // `bytes` are rounded already.
  void Allocate(int64_t bytes, sim::MemoryPart part);
  void Free(int64_t bytes, sim::MemoryPart part);

  int64_t live() const { return live_; }
  sim::MemoryProfile Take() { return std::move(profile_); }

 private:
  void Record(int64_t delta, sim::MemoryPart part);

  const std::vector<sim::Op>* ops_;
  sim::MemoryProfile profile_;
  std::array<int64_t, sim::kNumMemoryParts> parts_{};
  int64_t live_ = 0;
};

}  // namespace stepsim::workloads
