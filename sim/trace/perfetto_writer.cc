#include "sim/trace/perfetto_writer.h"

#include <cmath>

#include "sim/base/check.h"

namespace stepsim::sim {
namespace {

using perfetto::DebugAnnotation;
using perfetto::EventType;
using perfetto::TrackEvent;

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

void AddTypeAndTrack(PbfWriter& event, EventType type, uint64_t uuid) {
  event.add_enum(TrackEvent::kType, static_cast<int32_t>(type));
  event.add_uint64(TrackEvent::kTrackUuid, uuid);
}

}  // namespace

std::unique_ptr<TraceWriter> PerfettoWriter::Create(const TraceHeader& header, std::ostream& out) {
  return std::make_unique<PerfettoWriter>(header, out);
}

PerfettoWriter::PerfettoWriter(const TraceHeader& header, std::ostream& out) : packets_(out) {
  const PerfettoUuids uuids(header);
  WritePerfettoHeader(header, uuids, packets_);
  WriteMetadata(header, uuids.Run());
  packets_.Flush();
  for (const TraceTrack& row : header.tracks) {
    Track& track = tracks_.emplace_back();
    track.name = row.name;
    track.uuid = uuids.Track(tracks_.size() - 1);
    PbfWriter end(track.end_event);
    AddTypeAndTrack(end, EventType::kSliceEnd, track.uuid);
  }
  for (size_t i = 0; i < header.counters.size(); ++i) counters_.push_back({uuids.Counter(i), Time()});
}

// An instant at time 0 whose arguments are the metadata.
void PerfettoWriter::WriteMetadata(const TraceHeader& header, uint64_t uuid) {
  PbfWriter event(event_);
  AddTypeAndTrack(event, EventType::kInstant, uuid);
  event.add_uint64(TrackEvent::kCategoryIids, categories_.Number("metadata", interned_));
  event.add_uint64(TrackEvent::kNameIid, names_.Number(header.title, interned_));
  for (const auto& [key, value] : header.metadata) {
    AddAnnotation(event, annotation_names_.Number(key, interned_), {nullptr, absl::string_view(value)});
  }
  packets_.AddInternedEvent(Time(), event_, interned_);
}

void PerfettoWriter::AddAnnotation(PbfWriter& event, uint64_t name_iid, const TraceArg& arg) {
  PbfWriter annotation(event, TrackEvent::kDebugAnnotations);
  annotation.add_uint64(DebugAnnotation::kNameIid, name_iid);
  if (const auto* whole = std::get_if<int64_t>(&arg.value)) {
    annotation.add_int64(DebugAnnotation::kInt, *whole);
  } else if (const auto* decimal = std::get_if<double>(&arg.value)) {
    annotation.add_double(DebugAnnotation::kDouble, *decimal);
  } else {
    const absl::string_view text = std::get<absl::string_view>(arg.value);
    annotation.add_uint64(DebugAnnotation::kStringValueIid, annotation_texts_.Number(text, interned_));
  }
}

void PerfettoWriter::CloseUntil(Track& track, Time now) {
  while (!track.open.empty() && track.open.InnermostEnd() <= now) {
    packets_.AddEvent(track.open.InnermostEnd(), track.end_event);
    track.open.Pop();
  }
}

void PerfettoWriter::Slice(const SliceRecord& slice) {
  SIM_CHECK(!finished_) << "a slice after Finish()";
  SIM_CHECK(slice.track.valid() && static_cast<size_t>(slice.track.value()) < tracks_.size())
      << "slice on track " << slice.track.value() << " of " << tracks_.size();
  Track& track = tracks_[static_cast<size_t>(slice.track.value())];
  CloseUntil(track, slice.begin);
  track.open.Push(slice.begin, slice.end, track.name.c_str());

  event_.Clear();
  interned_.Clear();
  PbfWriter event(event_);
  AddTypeAndTrack(event, EventType::kSliceBegin, track.uuid);
  if (slice.category[0] != '\0') {
    event.add_uint64(TrackEvent::kCategoryIids, categories_.NumberOfStatic(slice.category, interned_));
  }
  event.add_uint64(TrackEvent::kNameIid, names_.Number(slice.name, interned_));
  for (const TraceArg& arg : slice.args) {
    AddAnnotation(event, annotation_names_.NumberOfStatic(arg.name, interned_), arg);
  }
  for (uint64_t flow : slice.flows_out) event.add_fixed64(TrackEvent::kFlowIds, flow);
  for (uint64_t flow : slice.flows_end) event.add_fixed64(TrackEvent::kTerminatingFlowIds, flow);
  packets_.AddInternedEvent(slice.begin, event_, interned_);
}

void PerfettoWriter::Counter(const CounterRecord& counter) {
  SIM_CHECK(!finished_) << "a counter value after Finish()";
  SIM_CHECK(counter.counter.valid() && static_cast<size_t>(counter.counter.value()) < counters_.size())
      << "value of counter " << counter.counter.value() << " of " << counters_.size();
  CounterTrack& track = counters_[static_cast<size_t>(counter.counter.value())];
  SIM_CHECK(counter.at >= track.last) << "counter " << counter.counter.value() << " goes back in time";
  SIM_CHECK(std::isfinite(counter.value)) << "counter " << counter.counter.value() << " is not finite";
  track.last = counter.at;

  event_.Clear();
  PbfWriter event(event_);
  AddTypeAndTrack(event, EventType::kCounter, track.uuid);
  if (std::trunc(counter.value) == counter.value && std::fabs(counter.value) < kExactIntegers) {
    event.add_int64(TrackEvent::kCounterValue, static_cast<int64_t>(counter.value));
  } else {
    event.add_double(TrackEvent::kDoubleCounterValue, counter.value);
  }
  packets_.AddEvent(counter.at, event_);
}

absl::Status PerfettoWriter::Finish() {
  if (finished_) return status_;
  finished_ = true;
  for (Track& track : tracks_) CloseUntil(track, Time::Infinite());
  status_ = packets_.Finish();
  return status_;
}

}  // namespace stepsim::sim
