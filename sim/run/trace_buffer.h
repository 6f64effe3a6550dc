// What a traced rank did in the measured step. A rank that runs ahead may be taken back: what it noted since the last
// certain moment is then dropped.
#pragma once

#include <vector>

#include "sim/device/rank_executor.h"

namespace stepsim::sim {

class TraceBuffer : public RankObserver {
 public:
  struct KernelSpan {
    int32_t stream;
    int32_t op;      // position in Program::ops
    int32_t kernel;
    int64_t begin_ps;
    int64_t end_ps;
  };
  struct CollectiveSpan {
    int32_t stream;
    int32_t op;
    int32_t communicator;
    int32_t sequence;
    int64_t begin_ps;     // the rank is there
    int64_t transfer_ps;  // all are there
    int64_t end_ps;
    int32_t plan;         // row of the world's plans
  };
  struct Segment {
    int32_t segment;
    int64_t start_ps;
  };

  explicit TraceBuffer(int32_t step) : step_(step) {}

  void OnKernel(int stream, int32_t step, const QueuedOp& op, int64_t begin_ps, int64_t end_ps) override {
    if (step == step_) kernels_.push_back({stream, op.op, op.index, begin_ps, end_ps});
  }
  void OnSegmentStart(int32_t step, int32_t segment, int64_t start_ps) override {
    if (step == step_) segments_.push_back({segment, start_ps});
  }
  void AddCollective(int32_t step, const CollectiveSpan& span) {
    if (step == step_) collectives_.push_back(span);
  }

  // Everything up to now is certain; or: back to what was.
  void Commit() {
    certain_kernels_ = kernels_.size();
    certain_segments_ = segments_.size();
  }
  void GoBack() {
    kernels_.resize(certain_kernels_);
    segments_.resize(certain_segments_);
  }

  const std::vector<KernelSpan>& kernels() const { return kernels_; }
  const std::vector<CollectiveSpan>& collectives() const { return collectives_; }
  const std::vector<Segment>& segments() const { return segments_; }
  int32_t step() const { return step_; }

 private:
  int32_t step_;
  std::vector<KernelSpan> kernels_;
  std::vector<CollectiveSpan> collectives_;
  std::vector<Segment> segments_;
  size_t certain_kernels_ = 0;
  size_t certain_segments_ = 0;
};

}  // namespace stepsim::sim
