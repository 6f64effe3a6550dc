#include "tests/trace/perfetto_decoder.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "tests/trace/sequence_texts.h"

namespace stepsim::sim {
namespace {

using perfetto_test::TracePacket;
using perfetto_test::TrackDescriptor;
using perfetto_test::TrackEvent;

enum EventType { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4 };

class Decoder {
 public:
  absl::Status Read(absl::string_view bytes);
  DecodedTrace Finish();

 private:
  void Packet(const TracePacket& packet);
  void CheckSequence(const TracePacket& packet, SequenceTexts& texts);
  void Descriptor(const TrackDescriptor& descriptor);
  void Event(const TracePacket& packet, const SequenceTexts& texts);
  void SliceBegin(DecodedTrack& track, std::vector<size_t>& open, const TracePacket& packet,
                  const SequenceTexts& texts);
  void SliceEnd(DecodedTrack& track, std::vector<size_t>& open, uint64_t ns);
  std::vector<DecodedArg> Args(const TrackEvent& event, const SequenceTexts& texts);
  std::string ProcessName(int32_t pid) const;
  void Problem(std::string text) {
    trace_.problems.push_back(absl::StrCat("packet ", trace_.packets, ": ", text));
  }

  DecodedTrace trace_;
  std::map<uint32_t, SequenceTexts> sequences_;
  std::map<uint64_t, size_t> process_row_;  // by uuid of the descriptor
  std::map<uint64_t, size_t> track_row_;
  std::map<uint64_t, size_t> counter_row_;
  std::map<uint64_t, uint64_t> plain_;            // tracks that are none of these → uuid
  std::map<uint64_t, std::vector<size_t>> open_;  // slices of a track that have not ended
  std::map<uint64_t, uint64_t> last_ns_;          // of a track
};

absl::Status Decoder::Read(absl::string_view bytes) {
  constexpr uint32_t kPacketTag = 1 << 3 | 2;  // field 1, length-delimited
  google::protobuf::io::CodedInputStream in(reinterpret_cast<const uint8_t*>(bytes.data()),
                                            static_cast<int>(bytes.size()));
  TracePacket packet;
  while (const uint32_t tag = in.ReadTag()) {
    uint32_t size = 0;
    if (tag != kPacketTag || !in.ReadVarint32(&size)) return absl::DataLossError("not a Perfetto trace");
    const auto limit = in.PushLimit(static_cast<int>(size));
    packet.Clear();
    if (!packet.MergeFromCodedStream(&in) || in.BytesUntilLimit() != 0) {
      return absl::DataLossError(absl::StrCat("packet ", trace_.packets, " does not parse"));
    }
    in.PopLimit(limit);
    Packet(packet);
    ++trace_.packets;
  }
  if (static_cast<size_t>(in.CurrentPosition()) != bytes.size())
    return absl::DataLossError("the trace is cut off");
  return absl::OkStatus();
}

void Decoder::Packet(const TracePacket& packet) {
  if (packet.has_trace_uuid()) trace_.uuid = {packet.trace_uuid().msb(), packet.trace_uuid().lsb()};
  if (!packet.has_trusted_packet_sequence_id()) {
    if (packet.has_track_event() || packet.has_interned_data()) Problem("an event outside any sequence");
    return;
  }
  SequenceTexts& texts = sequences_[packet.trusted_packet_sequence_id()];
  CheckSequence(packet, texts);
  texts.Add(packet.interned_data(), trace_.problems);
  if (packet.has_track_descriptor()) Descriptor(packet.track_descriptor());
  if (packet.has_track_event()) Event(packet, texts);
}

void Decoder::CheckSequence(const TracePacket& packet, SequenceTexts& texts) {
  const bool clears = (packet.sequence_flags() & 1) != 0;
  const bool needs = (packet.sequence_flags() & 2) != 0;
  if (!texts.begun() && !clears) Problem("the sequence does not begin by clearing its state");
  if (clears) texts.Begin();
  const TrackEvent& event = packet.track_event();
  const bool uses = packet.has_interned_data() || event.has_name_iid() || event.category_iids_size() > 0 ||
                    event.debug_annotations_size() > 0;
  if (uses && !needs) Problem("uses interned texts without the flag that says so");
  if (packet.has_track_event() && !packet.has_timestamp()) Problem("an event without a time");
}

void Decoder::Descriptor(const TrackDescriptor& d) {
  const bool known = process_row_.count(d.uuid()) + track_row_.count(d.uuid()) +
                         counter_row_.count(d.uuid()) + plain_.count(d.uuid()) >
                     0;
  if (known) Problem(absl::StrCat("track ", d.uuid(), " is described a second time"));
  if (d.has_process()) {
    process_row_[d.uuid()] = trace_.processes.size();
    trace_.processes.push_back({d.process().pid(), d.process().process_name(), d.sibling_order_rank()});
  } else if (d.has_thread()) {
    track_row_[d.uuid()] = trace_.tracks.size();
    trace_.tracks.push_back({d.thread().thread_name(),
                             d.thread().pid(),
                             d.thread().tid(),
                             ProcessName(d.thread().pid()),
                             d.sibling_order_rank(),
                             {}});
  } else if (d.has_counter()) {
    const auto parent = process_row_.find(d.parent_uuid());
    if (parent == process_row_.end()) return Problem(absl::StrCat("counter '", d.name(), "' has no process"));
    const DecodedProcess& process = trace_.processes[parent->second];
    counter_row_[d.uuid()] = trace_.counters.size();
    trace_.counters.push_back({d.name(), d.counter().unit_name(), process.pid, process.name, {}});
  } else {
    plain_[d.uuid()] = d.uuid();
  }
}

std::string Decoder::ProcessName(int32_t pid) const {
  for (const DecodedProcess& process : trace_.processes) {
    if (process.pid == pid) return process.name;
  }
  return "";
}

void Decoder::Event(const TracePacket& packet, const SequenceTexts& texts) {
  const TrackEvent& event = packet.track_event();
  const uint64_t uuid = event.track_uuid();
  uint64_t& last = last_ns_[uuid];
  if (packet.timestamp() < last) Problem(absl::StrCat("time goes back on track ", uuid));
  last = packet.timestamp();
  const auto track = track_row_.find(uuid);
  const auto counter = counter_row_.find(uuid);
  if (event.type() == kInstant && plain_.count(uuid) > 0) {
    trace_.title = texts.Find(SequenceTexts::kName, event.name_iid(), trace_.problems);
    trace_.metadata = Args(event, texts);
  } else if (event.type() == kCounter && counter != counter_row_.end()) {
    if (event.has_counter_value() == event.has_double_counter_value())
      Problem("a counter event needs one value");
    trace_.counters[counter->second].values.emplace_back(
        packet.timestamp(), event.has_counter_value() ? static_cast<double>(event.counter_value())
                                                      : event.double_counter_value());
  } else if (event.type() == kSliceBegin && track != track_row_.end()) {
    SliceBegin(trace_.tracks[track->second], open_[uuid], packet, texts);
  } else if (event.type() == kSliceEnd && track != track_row_.end()) {
    SliceEnd(trace_.tracks[track->second], open_[uuid], packet.timestamp());
  } else {
    Problem(absl::StrCat("event of type ", event.type(), " on track ", uuid,
                         ", which is not described as its kind"));
  }
}

void Decoder::SliceBegin(DecodedTrack& track, std::vector<size_t>& open, const TracePacket& packet,
                         const SequenceTexts& texts) {
  const TrackEvent& event = packet.track_event();
  DecodedSlice slice;
  slice.name = texts.Find(SequenceTexts::kName, event.name_iid(), trace_.problems);
  if (event.category_iids_size() > 0) {
    slice.category = texts.Find(SequenceTexts::kCategory, event.category_iids(0), trace_.problems);
  }
  slice.begin_ns = packet.timestamp();
  slice.depth = static_cast<int>(open.size());
  slice.begin_packet = trace_.packets;
  slice.args = Args(event, texts);
  slice.flows_out.assign(event.flow_ids().begin(), event.flow_ids().end());
  slice.flows_end.assign(event.terminating_flow_ids().begin(), event.terminating_flow_ids().end());
  open.push_back(track.slices.size());
  track.slices.push_back(std::move(slice));
}

void Decoder::SliceEnd(DecodedTrack& track, std::vector<size_t>& open, uint64_t ns) {
  if (open.empty()) return Problem(absl::StrCat("an end without a begin on '", track.name, "'"));
  track.slices[open.back()].end_ns = ns;
  open.pop_back();
}

std::vector<DecodedArg> Decoder::Args(const TrackEvent& event, const SequenceTexts& texts) {
  std::vector<DecodedArg> args;
  for (const auto& annotation : event.debug_annotations()) {
    DecodedArg& arg = args.emplace_back();
    arg.name = texts.Find(SequenceTexts::kArgName, annotation.name_iid(), trace_.problems);
    if (annotation.has_int_value()) {
      arg.value = annotation.int_value();
    } else if (annotation.has_double_value()) {
      arg.value = annotation.double_value();
    } else if (annotation.has_string_value_iid()) {
      arg.value = texts.Find(SequenceTexts::kText, annotation.string_value_iid(), trace_.problems);
    } else {
      Problem(absl::StrCat("argument '", arg.name, "' has no value"));
    }
  }
  return args;
}

DecodedTrace Decoder::Finish() {
  for (const auto& [uuid, open] : open_) {
    if (open.empty()) continue;
    const DecodedTrack& track = trace_.tracks[track_row_.at(uuid)];
    Problem(absl::StrCat(open.size(), " slices of '", track.name, "' never end"));
  }
  constexpr size_t kMaxProblems = 20;
  if (trace_.problems.size() > kMaxProblems) trace_.problems.resize(kMaxProblems);
  return std::move(trace_);
}

}  // namespace

const DecodedArg* DecodedSlice::Arg(absl::string_view arg_name) const {
  for (const DecodedArg& arg : args) {
    if (arg.name == arg_name) return &arg;
  }
  return nullptr;
}

const DecodedTrack* DecodedTrace::Track(int32_t pid, absl::string_view name) const {
  for (const DecodedTrack& track : tracks) {
    if (track.pid == pid && track.name == name) return &track;
  }
  return nullptr;
}

const DecodedCounter* DecodedTrace::Counter(int32_t pid, absl::string_view name) const {
  for (const DecodedCounter& counter : counters) {
    if (counter.pid == pid && counter.name == name) return &counter;
  }
  return nullptr;
}

absl::StatusOr<DecodedTrace> DecodePerfetto(absl::string_view bytes) {
  Decoder decoder;
  if (absl::Status status = decoder.Read(bytes); !status.ok()) return status;
  return decoder.Finish();
}

}  // namespace stepsim::sim
