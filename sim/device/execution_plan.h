// A Program made ready to run on one kind of GPU: each stream's queue with the issue time of every op relative to its host
// segment, durations of kernels, and where each event is recorded. Immutable and shared by all ranks of a role.
//
// The host thread issues ops in program order at a fixed cost each, so between two points where it blocks (HostSync) the
// issue time of an op is the segment's start plus a prefix sum that no rank changes: a rank stores one time per segment.
#pragma once

#include <array>
#include <vector>

#include "sim/base/ids.h"
#include "sim/base/units.h"
#include "sim/compute/cost.h"
#include "sim/program/program.h"

namespace stepsim::sim {

constexpr int kMaxStreams = 8;
constexpr int kMaxGroups = 8;

enum class QueuedKind : uint8_t { kKernel, kCollective, kRecord, kWait, kStepEnd };

struct QueuedOp {
  QueuedKind kind = QueuedKind::kKernel;
  Phase phase = Phase::kForward;
  int16_t segment = 0;      // host segment of the step
  int32_t index = -1;       // KernelId, CollectiveId or EventSlot
  int32_t sequence = -1;    // of a collective: its number among those of its group in this step
  int32_t op = -1;          // position in Program::ops
  int64_t issue_ps = 0;     // after the segment's start: when the host has issued it
};

// Where an event slot is recorded: the wait may pass once that stream's cursor has.
struct RecordSite {
  int8_t stream = -1;
  int32_t index = -1;  // in the stream's queue
};

// End of a host segment: the host waits for a stream (or for nothing at the end of the step).
struct HostSegment {
  int64_t length_ps = 0;      // host time of the segment
  int8_t sync_stream = -1;    // -1: the step's end
  int32_t sync_index = 0;     // ops of that stream issued before the sync
  int32_t first_op = 0;       // in Program::ops
  int32_t end_op = 0;
};

struct ExecutionPlan {
  const Program* program = nullptr;
  int num_streams = 0;
  std::vector<std::vector<QueuedOp>> queues;  // by stream; the compute stream's ends with kStepEnd
  std::vector<HostSegment> segments;
  std::vector<RecordSite> records;            // by event slot
  std::vector<KernelCost> costs;              // by kernel
  std::vector<int64_t> time_ps;               // by kernel, alone
  std::vector<int32_t> sm_share;              // by kernel, 1/65536
  std::vector<int32_t> collectives_of_group;  // per step
  int64_t launch_latency_ps = 0;
  int64_t kernel_gap_ps = 0;
  int sms = 0;
};

// costs: by KernelId, for the GPU it runs on. The program must outlive the plan.
ExecutionPlan MakeExecutionPlan(const Program& program, std::vector<KernelCost> costs, int sms, Duration launch_latency,
                                Duration kernel_gap);

}  // namespace stepsim::sim
