// The checker must find what it is there to find: each test breaks one rule.
#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/trace/perfetto_decoder.h"
#include "tests/trace/perfetto_test.pb.h"

namespace stepsim::sim {
namespace {

using perfetto_test::TracePacket;
using testing::HasSubstr;

// One process with one track, two slices in one another, a flow between them and a counter: all rules kept.
std::vector<TracePacket> GoodPackets() {
  std::vector<TracePacket> packets(8);
  for (TracePacket& packet : packets) packet.set_trusted_packet_sequence_id(1);
  packets[0].set_sequence_flags(1);
  packets[0].mutable_track_descriptor()->set_uuid(9);
  packets[0].mutable_track_descriptor()->mutable_process()->set_pid(1);
  packets[1].mutable_track_descriptor()->set_uuid(1);
  packets[1].mutable_track_descriptor()->mutable_thread()->set_pid(1);
  packets[1].mutable_track_descriptor()->mutable_thread()->set_tid(7);
  packets[2].mutable_track_descriptor()->set_uuid(2);
  packets[2].mutable_track_descriptor()->set_parent_uuid(9);
  packets[2].mutable_track_descriptor()->mutable_counter()->set_unit(2);
  const uint64_t times[] = {10, 12, 14, 20, 5};
  const int types[] = {1, 1, 2, 2, 4};
  for (size_t i = 0; i < 5; ++i) {
    TracePacket& packet = packets[3 + i];
    packet.set_timestamp(times[i]);
    packet.mutable_track_event()->set_type(types[i]);
    packet.mutable_track_event()->set_track_uuid(types[i] == 4 ? 2 : 1);
    if (types[i] != 1) continue;
    packet.set_sequence_flags(2);
    packet.mutable_track_event()->set_name_iid(1);
  }
  auto* name = packets[3].mutable_interned_data()->add_event_names();
  name->set_iid(1);
  name->set_text("gemm");
  packets[3].mutable_track_event()->add_flow_ids(77);
  packets[4].mutable_track_event()->add_terminating_flow_ids(77);
  packets[7].mutable_track_event()->set_counter_value(3);
  return packets;
}

absl::Status RulesOf(const std::vector<TracePacket>& packets) {
  std::string bytes;
  for (const TracePacket& packet : packets) {
    const std::string one = packet.SerializeAsString();
    bytes.push_back('\x0a');
    for (size_t size = one.size();; size >>= 7) {
      bytes.push_back(static_cast<char>(size < 0x80 ? size : (size & 0x7f) | 0x80));
      if (size < 0x80) break;
    }
    bytes += one;
  }
  const auto trace = DecodePerfetto(bytes);
  return trace.ok() ? CheckTraceRules(*trace) : trace.status();
}

TEST(TraceRulesTest, AGoodTraceKeepsThem) {
  const absl::Status status = RulesOf(GoodPackets());
  EXPECT_TRUE(status.ok()) << status;
}

struct Fault {
  const char* name;
  std::function<void(std::vector<TracePacket>&)> make;
  const char* message;
};

class TraceFaultTest : public testing::TestWithParam<Fault> {};

TEST_P(TraceFaultTest, IsFound) {
  std::vector<TracePacket> packets = GoodPackets();
  GetParam().make(packets);
  const absl::Status status = RulesOf(packets);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message().data(), status.message().size()), HasSubstr(GetParam().message));
}

using Packets = std::vector<TracePacket>;
INSTANTIATE_TEST_SUITE_P(
    Faults, TraceFaultTest,
    testing::Values(
        Fault{"NoClearedState", [](Packets& p) { p[0].set_sequence_flags(0); }, "clearing its state"},
        Fault{"NoFlag", [](Packets& p) { p[4].set_sequence_flags(0); }, "without the flag"},
        Fault{"UnknownText", [](Packets& p) { p[4].mutable_track_event()->set_name_iid(2); },
              "before it is defined"},
        Fault{"TextTwice",
              [](Packets& p) {
                *p[4].mutable_interned_data()->add_event_names() = p[3].interned_data().event_names(0);
              },
              "a second time"},
        Fault{"NumberZero",
              [](Packets& p) {
                p[4].mutable_interned_data()->add_event_names()->set_iid(0);
                p[4].mutable_interned_data()->mutable_event_names(0)->set_text("x");
              },
              "number 0"},
        Fault{"NoDescriptor", [](Packets& p) { p[3].mutable_track_event()->set_track_uuid(5); },
              "not described"},
        Fault{"LateDescriptor", [](Packets& p) { std::swap(p[1], p[3]); }, "not described"},
        Fault{"PidZero", [](Packets& p) { p[0].mutable_track_descriptor()->mutable_process()->set_pid(0); },
              "has pid 0"},
        Fault{"NoProcess", [](Packets& p) { p[1].mutable_track_descriptor()->mutable_thread()->set_pid(4); },
              "has no process"},
        Fault{"EndWithoutBegin", [](Packets& p) { p.push_back(p[6]); }, "an end without a begin"},
        Fault{"BeginWithoutEnd", [](Packets& p) { p.erase(p.begin() + 6); }, "never end"},
        Fault{"TimeGoesBack", [](Packets& p) { p[5].set_timestamp(11); }, "time goes back"},
        Fault{"CounterGoesBack",
              [](Packets& p) {
                p.push_back(p[7]);
                p.back().set_timestamp(4);
              },
              "goes back in time"},
        Fault{"FlowWithOneEnd", [](Packets& p) { p[3].mutable_track_event()->clear_flow_ids(); },
              "touches one slice only"},
        Fault{"FlowWithoutEnd",
              [](Packets& p) {
                p[4].mutable_track_event()->clear_terminating_flow_ids();
                p[4].mutable_track_event()->add_flow_ids(77);
              },
              "ends 0 times"},
        Fault{"FlowBackwards",
              [](Packets& p) {
                p[3].mutable_track_event()->clear_flow_ids();
                p[3].mutable_track_event()->add_terminating_flow_ids(77);
                p[4].mutable_track_event()->clear_terminating_flow_ids();
                p[4].mutable_track_event()->add_flow_ids(77);
              },
              "goes on after its end"}),
    [](const auto& entry) { return entry.param.name; });

TEST(TraceRulesTest, AChildThatOutlivesItsParentIsFound) {
  DecodedTrace trace;
  trace.processes = {{1, "rank 0", 0}};
  trace.tracks = {{"compute", 1, 7, "rank 0", 1, {}}};
  DecodedSlice parent;
  parent.end_ns = 10;
  DecodedSlice child;
  child.depth = 1;
  child.begin_ns = 5;
  child.end_ns = 11;
  trace.tracks[0].slices = {parent, child};
  EXPECT_EQ(CheckTraceRules(trace).code(), absl::StatusCode::kFailedPrecondition);
  trace.tracks[0].slices[1].end_ns = 10;
  EXPECT_TRUE(CheckTraceRules(trace).ok());
}

TEST(TraceRulesTest, BytesThatAreNoTraceAreAnError) {
  EXPECT_EQ(DecodePerfetto("{\"traceEvents\": []}").status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(DecodePerfetto(absl::string_view("\x0a\x10\x08", 3)).status().code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace stepsim::sim
