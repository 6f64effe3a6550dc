// Perfetto's protobuf trace (suffix .pftrace), opened by ui.perfetto.dev and trace_processor. Written through
// protozero; field numbers in perfetto_fields.h, rules of the format in docs/traces.md.
//
// A slice is a begin packet and an end packet (the format has no duration). The end of a slice is written
// when the next slice of its track begins after it, or at Finish(), so that each track's packets are in order
// of time; between tracks there is no order, trace_processor sorts. Times are nanoseconds: what is shorter is
// lost.
#pragma once

#include <memory>
#include <vector>

#include "sim/trace/interned_strings.h"
#include "sim/trace/open_slices.h"
#include "sim/trace/packet_stream.h"
#include "sim/trace/perfetto_fields.h"
#include "sim/trace/perfetto_header.h"
#include "sim/trace/writer.h"

namespace stepsim::sim {

class PerfettoWriter : public TraceWriter {
 public:
  static std::unique_ptr<TraceWriter> Create(const TraceHeader& header, std::ostream& out);

  PerfettoWriter(const TraceHeader& header, std::ostream& out);
  void Slice(const SliceRecord& slice) override;
  void Counter(const CounterRecord& counter) override;
  absl::Status Finish() override;

 private:
  struct Track {
    std::string name;
    uint64_t uuid = 0;
    OpenSlices open;
    ByteBuffer end_event;  // the same for every slice of the track
  };
  struct CounterTrack {
    uint64_t uuid = 0;
    Time last;
  };

  void WriteMetadata(const TraceHeader& header, uint64_t uuid);
  // Writes the ends of the slices that are over at `now`.
  void CloseUntil(Track& track, Time now);
  void AddAnnotation(PbfWriter& event, uint64_t name_iid, const TraceArg& arg);

  PacketStream packets_;
  std::vector<Track> tracks_;           // by TrackId
  std::vector<CounterTrack> counters_;  // by CounterId
  InternedStrings categories_{perfetto::InternedData::kEventCategories};
  InternedStrings names_{perfetto::InternedData::kEventNames};
  InternedStrings annotation_names_{perfetto::InternedData::kDebugAnnotationNames};
  InternedStrings annotation_texts_{perfetto::InternedData::kDebugAnnotationStringValues};
  ByteBuffer event_;     // scratch
  ByteBuffer interned_;  // scratch
  bool finished_ = false;
  absl::Status status_;  // of Finish()
};

}  // namespace stepsim::sim
