#include "sim/run/trace_emitter.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace stepsim::sim {
namespace {

constexpr int kHostThread = 1;
constexpr int kComputeStream = 7;      // as PyTorch's profiler numbers the default stream
constexpr int kFirstOtherStream = 20;

uint64_t LaunchFlow(int32_t rank, int32_t op) { return (uint64_t{1} << 40) * static_cast<uint64_t>(rank + 1) + static_cast<uint64_t>(op); }
uint64_t MeetingFlow(int32_t communicator, int32_t sequence) {
  return (uint64_t{1} << 63) | (static_cast<uint64_t>(communicator) << 32) | static_cast<uint64_t>(sequence);
}

}  // namespace

TraceEmitter::TraceEmitter(const World& world, const Platform& platform, const Job& job)
    : world_(world), platform_(platform), job_(job) {
  int32_t track = 0, counter = 0;
  for (size_t rank = 0; rank < world.traces().size(); ++rank) {
    const TraceBuffer* buffer = world.traces()[rank].get();
    if (buffer == nullptr) continue;
    const Role& role = world.roles()[static_cast<size_t>(world.ranks()[rank].role)];
    traced_.push_back({static_cast<int32_t>(rank), buffer, &role, TrackId(track), CounterId(counter)});
    track += 1 + role.plan.num_streams;
    counter += 3 + kNumLinkKinds;
    for (const TraceBuffer::CollectiveSpan& span : buffer->collectives()) ++meetings_[{span.communicator, span.sequence}].first;
  }
}

TraceHeader TraceEmitter::Header() const {
  TraceHeader header;
  for (const TracedRank& traced : traced_) {
    const auto process = static_cast<int32_t>(header.processes.size());
    const GpuId gpu = job_.gpu[static_cast<size_t>(traced.rank)];
    header.processes.push_back(
        {traced.rank + 1, absl::StrCat("rank ", traced.rank, " (", platform_.VertexName(platform_.gpu(gpu).vertex), ")")});
    header.tracks.push_back({process, kHostThread, "host"});
    const std::vector<Stream>& streams = traced.role->program->streams;
    for (size_t i = 0; i < streams.size(); ++i) {
      header.tracks.push_back({process, i == 0 ? kComputeStream : kFirstOtherStream + static_cast<int>(i) - 1, streams[i].name});
    }
    header.counters.push_back({process, "memory allocated", "bytes"});
    header.counters.push_back({process, "SMs busy", "%"});
    header.counters.push_back({process, "memory bandwidth", "%"});
    for (int kind = 0; kind < kNumLinkKinds; ++kind) {
      header.counters.push_back({process, absl::StrCat(Name(static_cast<LinkKind>(kind)), " sent"), "GB/s"});
    }
  }
  return header;
}

void TraceEmitter::Send(const SliceRecord& slice) {
  for (const auto& writer : *writers_) writer->Slice(slice);
}
void TraceEmitter::Send(const CounterRecord& counter) {
  for (const auto& writer : *writers_) writer->Counter(counter);
}

void TraceEmitter::Emit(const std::vector<std::unique_ptr<TraceWriter>>& writers) {
  writers_ = &writers;
  for (const TracedRank& traced : traced_) {
    EmitHost(traced);
    for (int stream = 0; stream < traced.role->plan.num_streams; ++stream) EmitStream(traced, stream);
    EmitMemory(traced);
    EmitRates(traced);
  }
}

void TraceEmitter::EmitStream(const TracedRank& traced, int stream) {
  const auto& kernels = traced.buffer->kernels();
  const auto& collectives = traced.buffer->collectives();
  size_t k = 0, c = 0;
  while (true) {
    while (k < kernels.size() && kernels[k].stream != stream) ++k;
    while (c < collectives.size() && collectives[c].stream != stream) ++c;
    if (k == kernels.size() && c == collectives.size()) return;
    const bool kernel_first = c == collectives.size() || (k < kernels.size() && kernels[k].begin_ps <= collectives[c].begin_ps);
    if (kernel_first) {
      EmitKernel(traced, kernels[k++]);
    } else {
      EmitCollective(traced, collectives[c++]);
    }
  }
}

void TraceEmitter::EmitKernel(const TracedRank& traced, const TraceBuffer::KernelSpan& span) {
  const Kernel& kernel = traced.role->program->kernels[KernelId(span.kernel)];
  const KernelCost& cost = traced.role->plan.costs[static_cast<size_t>(span.kernel)];
  SliceRecord slice;
  slice.track = TrackId(traced.host.value() + 1 + span.stream);
  slice.begin = Time::Picoseconds(span.begin_ps);
  slice.end = Time::Picoseconds(span.end_ps);
  slice.name = kernel.name;
  slice.category = kernel.kind == KernelKind::kCopy ? "gpu_memcpy" : kernel.kind == KernelKind::kMemset ? "gpu_memset" : "kernel";
  slice.args.push_back({"bytes", kernel.bytes().count()});
  if (kernel.flops.count() > 0) slice.args.push_back({"flops", kernel.flops.count()});
  slice.args.push_back({"bound", absl::string_view(Name(cost.bound))});
  slice.args.push_back({"alone_us", cost.time.microseconds()});
  slice.flows_end.push_back(LaunchFlow(traced.rank, span.op));
  Send(slice);
}

void TraceEmitter::EmitCollective(const TracedRank& traced, const TraceBuffer::CollectiveSpan& span) {
  const Program& program = *traced.role->program;
  const Op& op = program.ops[static_cast<size_t>(span.op)];
  const Collective& collective = program.collectives[CollectiveId(op.index)];
  const CollectivePlan& plan = world_.plans()[static_cast<size_t>(span.plan)];
  SliceRecord slice;
  slice.track = TrackId(traced.host.value() + 1 + span.stream);
  slice.begin = Time::Picoseconds(span.begin_ps);
  slice.end = Time::Picoseconds(span.end_ps);
  slice.name = program.labels[collective.label];
  slice.category = "collective";
  slice.args.push_back({"bytes", collective.bytes.count()});
  slice.args.push_back({"algorithm", absl::string_view(plan.algorithm)});
  slice.args.push_back({"protocol", absl::string_view(plan.protocol)});
  slice.args.push_back({"channels", int64_t{plan.channels}});
  slice.args.push_back({"wait_us", static_cast<double>(span.transfer_ps - span.begin_ps) * 1e-6});
  slice.args.push_back({"transfer_us", static_cast<double>(span.end_ps - span.transfer_ps) * 1e-6});
  slice.flows_end.push_back(LaunchFlow(traced.rank, span.op));
  auto& [members, emitted] = meetings_[{span.communicator, span.sequence}];
  if (members > 1) {
    const uint64_t flow = MeetingFlow(span.communicator, span.sequence);
    if (++emitted == members) {
      slice.flows_end.push_back(flow);
    } else {
      slice.flows_out.push_back(flow);
    }
  }
  Send(slice);
}

std::vector<int64_t> TraceEmitter::IssueTimes(const TracedRank& traced) const {
  const Program& program = *traced.role->program;
  std::vector<int64_t> times(program.ops.size(), -1);
  for (const TraceBuffer::Segment& known : traced.buffer->segments()) {
    const HostSegment& segment = traced.role->plan.segments[static_cast<size_t>(known.segment)];
    int64_t now = known.start_ps;
    for (int32_t op = segment.first_op; op < segment.end_op; ++op) {
      now += int64_t{program.ops[static_cast<size_t>(op)].host_ns} * 1000;
      times[static_cast<size_t>(op)] = now;
    }
  }
  return times;
}

}  // namespace stepsim::sim
