// Frames Perfetto packets and hands them to the stream in blocks of 1 MiB. All packets form one sequence; a
// packet whose event refers to interned texts carries the entries of those that are new.
#pragma once

#include <ostream>

#include "absl/status/status.h"
#include "sim/base/units.h"
#include "sim/trace/byte_buffer.h"

namespace stepsim::sim {

class PacketStream {
 public:
  explicit PacketStream(std::ostream& out) : out_(out) {}

  // A packet outside the sequence with one message.
  void AddUnsequenced(uint32_t field, const ByteBuffer& message);
  // The first packet of the sequence: from here on nothing interned is known.
  void BeginSequence(uint32_t field, const ByteBuffer& message);
  void AddDescriptor(const ByteBuffer& descriptor);
  // An event without interned texts.
  void AddEvent(Time at, const ByteBuffer& event);
  // An event with them; interned_data: new entries, empty when there are none.
  void AddInternedEvent(Time at, const ByteBuffer& event, const ByteBuffer& interned_data);

  void Flush();
  // Unavailable once the stream has refused bytes.
  absl::Status Finish();

 private:
  void AddPacket();  // packet_ → block_

  std::ostream& out_;
  ByteBuffer packet_;
  ByteBuffer block_;
  int64_t written_ = 0;  // bytes that the stream took
};

// Perfetto counts nanoseconds. Rounding is monotone, so nesting and order survive; what is shorter than a
// nanosecond is lost.
inline uint64_t TraceNanoseconds(Time at) {
  const uint64_t ps = static_cast<uint64_t>(at.picoseconds());
  return ps / 1000 + (ps % 1000 >= 500 ? 1 : 0);
}

}  // namespace stepsim::sim
