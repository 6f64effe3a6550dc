// The packets that stand before all events: trace uuid and the descriptors of processes, tracks and counters.
//
// Processes are ranks and Perfetto's threads are streams. Ranks stand in the order of the header; within a
// rank host comes first, then compute, then the other streams as listed (Perfetto takes the order of
// processes and threads from the descriptor of uuid 0 and ignores child_ordering of a process). Counters
// stand below their process, sorted by name.
//
// Uuids are small on purpose: they stand in every event and cost one byte per seven bits. They are unique
// within one trace only, so two traces cannot be concatenated.
#pragma once

#include <cstdint>

#include "sim/trace/packet_stream.h"
#include "sim/trace/record.h"

namespace stepsim::sim {

class PerfettoUuids {
 public:
  explicit PerfettoUuids(const TraceHeader& header)
      : num_tracks_(header.tracks.size()),
        num_counters_(header.counters.size()),
        num_processes_(header.processes.size()) {}
  uint64_t Track(size_t row) const { return 1 + row; }
  uint64_t Counter(size_t row) const { return 1 + num_tracks_ + row; }
  uint64_t Process(size_t row) const { return 1 + num_tracks_ + num_counters_ + row; }
  uint64_t Run() const { return 1 + num_tracks_ + num_counters_ + num_processes_; }  // title and metadata

 private:
  uint64_t num_tracks_;
  uint64_t num_counters_;
  uint64_t num_processes_;
};

void WritePerfettoHeader(const TraceHeader& header, const PerfettoUuids& uuids, PacketStream& packets);

}  // namespace stepsim::sim
