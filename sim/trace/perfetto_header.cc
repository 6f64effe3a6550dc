#include "sim/trace/perfetto_header.h"

#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "sim/base/check.h"
#include "sim/base/random.h"
#include "sim/trace/perfetto_fields.h"

namespace stepsim::sim {
namespace {

using perfetto::TrackDescriptor;

// 128 bits from what the run is called, so that the same run gives the same bytes.
void WriteTraceUuid(const TraceHeader& header, PacketStream& packets) {
  std::string text = header.title;
  for (const auto& [key, value] : header.metadata) absl::StrAppend(&text, "\n", key, "=", value);
  for (const TraceProcess& process : header.processes)
    absl::StrAppend(&text, "\n", process.pid, ":", process.name);
  ByteBuffer message;
  PbfWriter uuid(message);
  uuid.add_int64(perfetto::TraceUuid::kMsb, static_cast<int64_t>(StableHash(text, 1)));
  uuid.add_int64(perfetto::TraceUuid::kLsb, static_cast<int64_t>(StableHash(text, 2)));
  packets.AddUnsequenced(perfetto::TracePacket::kTraceUuid, message);
}

void WriteRoot(PacketStream& packets) {
  ByteBuffer message;
  PbfWriter root(message);
  root.add_uint64(TrackDescriptor::kUuid, 0);
  root.add_enum(TrackDescriptor::kChildOrdering, perfetto::kChildOrderingExplicit);
  root.add_enum(TrackDescriptor::kProcessOrdering, perfetto::kProcessOrderingExplicit);
  root.add_enum(TrackDescriptor::kThreadOrdering, perfetto::kThreadOrderingExplicit);
  packets.BeginSequence(perfetto::TracePacket::kTrackDescriptor, message);
}

void WriteRunTrack(uint64_t uuid, PacketStream& packets) {
  ByteBuffer message;
  PbfWriter track(message);
  track.add_uint64(TrackDescriptor::kUuid, uuid);
  track.add_string(TrackDescriptor::kName, "run");
  track.add_int32(TrackDescriptor::kSiblingOrderRank, 0);
  packets.AddDescriptor(message);
}

void WriteProcess(const TraceProcess& process, uint64_t uuid, int32_t rank, PacketStream& packets) {
  ByteBuffer message;
  PbfWriter track(message);
  track.add_uint64(TrackDescriptor::kUuid, uuid);
  {
    PbfWriter descriptor(track, TrackDescriptor::kProcess);
    descriptor.add_int32(perfetto::ProcessDescriptor::kPid, process.pid);
    descriptor.add_string(perfetto::ProcessDescriptor::kProcessName, process.name);
  }
  track.add_int32(TrackDescriptor::kSiblingOrderRank, rank);
  packets.AddDescriptor(message);
}

int32_t TrackRank(const TraceTrack& track, size_t row) {
  if (track.name == "host") return 0;
  if (track.name == "compute") return 1;
  return 2 + static_cast<int32_t>(row);
}

void WriteTrack(const TraceTrack& row, int32_t pid, uint64_t uuid, int32_t rank, PacketStream& packets) {
  ByteBuffer message;
  PbfWriter track(message);
  track.add_uint64(TrackDescriptor::kUuid, uuid);
  {
    PbfWriter thread(track, TrackDescriptor::kThread);
    thread.add_int32(perfetto::ThreadDescriptor::kPid, pid);
    thread.add_int32(perfetto::ThreadDescriptor::kTid, row.tid);
    thread.add_string(perfetto::ThreadDescriptor::kThreadName, row.name);
  }
  track.add_int32(TrackDescriptor::kSiblingOrderRank, rank);
  packets.AddDescriptor(message);
}

void WriteCounter(const TraceCounter& row, uint64_t uuid, uint64_t process, PacketStream& packets) {
  ByteBuffer message;
  PbfWriter track(message);
  track.add_uint64(TrackDescriptor::kUuid, uuid);
  track.add_string(TrackDescriptor::kName, row.name);
  track.add_uint64(TrackDescriptor::kParentUuid, process);
  PbfWriter counter(track, TrackDescriptor::kCounter);
  const bool bytes = row.unit == "bytes";
  const bool count = row.unit == "count";
  if (bytes || count) {
    counter.add_enum(perfetto::CounterDescriptor::kUnit, bytes ? perfetto::kUnitBytes : perfetto::kUnitCount);
  }
  counter.add_string(perfetto::CounterDescriptor::kUnitName, row.unit);
  counter.commit();
  packets.AddDescriptor(message);
}

// Perfetto tells rows apart by pid and tid; two with the same numbers would be drawn as one.
void CheckRows(const TraceHeader& header) {
  std::set<int32_t> pids;
  for (const TraceProcess& process : header.processes) {
    SIM_CHECK(process.pid >= 1) << "process " << process.name << " has pid " << process.pid
                                << "; Perfetto keeps 0 for the idle task";
    SIM_CHECK(pids.insert(process.pid).second) << "two processes have pid " << process.pid;
  }
  const auto check_process = [&](int32_t row, const std::string& child) {
    SIM_CHECK(row >= 0 && static_cast<size_t>(row) < header.processes.size())
        << child << " belongs to process " << row << " of " << header.processes.size();
  };
  std::set<std::pair<int32_t, int32_t>> tids;
  for (const TraceTrack& track : header.tracks) {
    check_process(track.process, track.name);
    SIM_CHECK(tids.insert({track.process, track.tid}).second)
        << "two tracks of process " << track.process << " have tid " << track.tid;
  }
  for (const TraceCounter& counter : header.counters) check_process(counter.process, counter.name);
}

}  // namespace

void WritePerfettoHeader(const TraceHeader& header, const PerfettoUuids& uuids, PacketStream& packets) {
  CheckRows(header);
  WriteTraceUuid(header, packets);
  WriteRoot(packets);
  WriteRunTrack(uuids.Run(), packets);
  for (size_t i = 0; i < header.processes.size(); ++i) {
    WriteProcess(header.processes[i], uuids.Process(i), static_cast<int32_t>(i), packets);
  }
  for (size_t i = 0; i < header.tracks.size(); ++i) {
    const TraceTrack& track = header.tracks[i];
    const int32_t pid = header.processes[static_cast<size_t>(track.process)].pid;
    WriteTrack(track, pid, uuids.Track(i), TrackRank(track, i), packets);
  }
  for (size_t i = 0; i < header.counters.size(); ++i) {
    const TraceCounter& counter = header.counters[i];
    WriteCounter(counter, uuids.Counter(i), uuids.Process(static_cast<size_t>(counter.process)), packets);
  }
}

}  // namespace stepsim::sim
