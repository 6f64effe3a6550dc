// Turns what traced ranks did in the measured step into records: a process a rank, a track for the host thread and one a
// stream, counters for memory, SMs, memory bandwidth and links, arrows from launch to kernel and across a collective's ranks.
#pragma once

#include <memory>
#include <vector>

#include "sim/run/world.h"
#include "sim/trace/writer.h"

namespace stepsim::sim {

class TraceEmitter {
 public:
  TraceEmitter(const World& world, const Platform& platform, const Job& job);

  // Rows of the trace; `title` and metadata are the caller's.
  TraceHeader Header() const;

  void Emit(const std::vector<std::unique_ptr<TraceWriter>>& writers);

 private:
  struct TracedRank {
    int32_t rank;
    const TraceBuffer* buffer;
    const Role* role;
    TrackId host;      // the streams' tracks follow it
    CounterId memory;  // the other counters follow it
  };

  void EmitHost(const TracedRank& traced);
  void EmitStream(const TracedRank& traced, int stream);
  void EmitKernel(const TracedRank& traced, const TraceBuffer::KernelSpan& span);
  void EmitCollective(const TracedRank& traced, const TraceBuffer::CollectiveSpan& span);
  void EmitMemory(const TracedRank& traced);
  void EmitRates(const TracedRank& traced);
  void Send(const SliceRecord& slice);
  void Send(const CounterRecord& counter);
  // Host time at which each op of the step is issued; -1 before its segment is known.
  std::vector<int64_t> IssueTimes(const TracedRank& traced) const;

  const World& world_;
  const Platform& platform_;
  const Job& job_;
  std::vector<TracedRank> traced_;
  // Traced members of each collective, by (communicator, sequence), and how many were emitted.
  std::map<std::pair<int32_t, int32_t>, std::pair<int, int>> meetings_;
  const std::vector<std::unique_ptr<TraceWriter>>* writers_ = nullptr;
};

}  // namespace stepsim::sim
