#include "sim/trace/packet_stream.h"

#include "absl/strings/str_cat.h"
#include "sim/trace/perfetto_fields.h"

namespace stepsim::sim {
namespace {

using perfetto::SequenceFlags;
using perfetto::TracePacket;

constexpr uint32_t kSequence = 1;
constexpr size_t kBlockBytes = size_t{1} << 20;

void AddMessage(PbfWriter& writer, uint32_t field, const ByteBuffer& message) {
  writer.add_bytes(field, message.data(), message.size());
}

}  // namespace

void PacketStream::AddPacket() {
  PbfWriter trace(block_);
  AddMessage(trace, perfetto::Trace::kPacket, packet_);
  packet_.Clear();
  if (block_.size() >= kBlockBytes) Flush();
}

void PacketStream::AddUnsequenced(uint32_t field, const ByteBuffer& message) {
  PbfWriter packet(packet_);
  AddMessage(packet, field, message);
  AddPacket();
}

void PacketStream::BeginSequence(uint32_t field, const ByteBuffer& message) {
  PbfWriter packet(packet_);
  packet.add_uint32(TracePacket::kSequenceId, kSequence);
  packet.add_uint32(TracePacket::kSequenceFlags, SequenceFlags::kIncrementalStateCleared);
  AddMessage(packet, field, message);
  AddPacket();
}

void PacketStream::AddDescriptor(const ByteBuffer& descriptor) {
  PbfWriter packet(packet_);
  packet.add_uint32(TracePacket::kSequenceId, kSequence);
  AddMessage(packet, TracePacket::kTrackDescriptor, descriptor);
  AddPacket();
}

void PacketStream::AddEvent(Time at, const ByteBuffer& event) {
  PbfWriter packet(packet_);
  packet.add_uint64(TracePacket::kTimestamp, TraceNanoseconds(at));
  packet.add_uint32(TracePacket::kSequenceId, kSequence);
  AddMessage(packet, TracePacket::kTrackEvent, event);
  AddPacket();
}

void PacketStream::AddInternedEvent(Time at, const ByteBuffer& event, const ByteBuffer& interned_data) {
  PbfWriter packet(packet_);
  packet.add_uint64(TracePacket::kTimestamp, TraceNanoseconds(at));
  packet.add_uint32(TracePacket::kSequenceId, kSequence);
  packet.add_uint32(TracePacket::kSequenceFlags, SequenceFlags::kNeedsIncrementalState);
  if (!interned_data.empty()) AddMessage(packet, TracePacket::kInternedData, interned_data);
  AddMessage(packet, TracePacket::kTrackEvent, event);
  AddPacket();
}

void PacketStream::Flush() {
  if (out_.good()) {
    out_.write(block_.data(), static_cast<std::streamsize>(block_.size()));
    if (out_.good()) written_ += static_cast<int64_t>(block_.size());
  }
  block_.Clear();
}

absl::Status PacketStream::Finish() {
  Flush();
  if (out_.good()) out_.flush();
  if (out_.good()) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("cannot write the trace: the output failed after ", written_, " bytes (disk full?)"));
}

}  // namespace stepsim::sim
