// The host track and the counters of a traced rank.
#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "sim/run/trace_emitter.h"

namespace stepsim::sim {
namespace {

uint64_t LaunchFlow(int32_t rank, int32_t op) { return (uint64_t{1} << 40) * static_cast<uint64_t>(rank + 1) + static_cast<uint64_t>(op); }

// A quantity spread evenly over spans of time, read as a rate in equal bins.
class Bins {
 public:
  Bins(int64_t begin_ps, int64_t end_ps) : begin_(begin_ps), width_(std::max<int64_t>(1, (end_ps - begin_ps) / kBins + 1)), sums_(kBins + 1) {}

  void Add(int64_t from_ps, int64_t to_ps, double amount) {
    if (to_ps <= from_ps || amount == 0) return;
    const double per_ps = amount / static_cast<double>(to_ps - from_ps);
    for (int64_t at = std::max(from_ps, begin_); at < to_ps;) {
      const int64_t bin = (at - begin_) / width_;
      if (bin >= kBins) return;
      const int64_t next = std::min(to_ps, begin_ + (bin + 1) * width_);
      sums_[static_cast<size_t>(bin)] += per_ps * static_cast<double>(next - at);
      at = next;
    }
  }
  // per second
  double Rate(size_t bin) const { return sums_[bin] / (static_cast<double>(width_) * 1e-12); }
  Time At(size_t bin) const { return Time::Picoseconds(begin_ + static_cast<int64_t>(bin) * width_); }
  static constexpr int64_t kBins = 1000;

 private:
  int64_t begin_;
  int64_t width_;
  std::vector<double> sums_;
};

const char* HostName(const Program& program, const Op& op) {
  switch (op.kind) {
    case OpKind::kKernel: {
      const KernelKind kind = program.kernels[KernelId(op.index)].kind;
      return kind == KernelKind::kCopy ? "cudaMemcpyAsync" : kind == KernelKind::kMemset ? "cudaMemsetAsync" : "cudaLaunchKernel";
    }
    case OpKind::kCollective: return "ncclLaunch";
    case OpKind::kRecord: return "cudaEventRecord";
    case OpKind::kWait: return "cudaStreamWaitEvent";
    case OpKind::kHostSync: return "cudaStreamSynchronize";
    default: return "host work";
  }
}

}  // namespace

void TraceEmitter::EmitHost(const TracedRank& traced) {
  const Program& program = *traced.role->program;
  const std::vector<int64_t> issued = IssueTimes(traced);
  const auto& segments = traced.buffer->segments();
  std::vector<size_t> open;
  std::vector<int64_t> range_end(program.ops.size(), -1);  // of a kRangeBegin: when its kRangeEnd is passed
  for (size_t i = 0; i < program.ops.size(); ++i) {
    if (program.ops[i].kind == OpKind::kRangeBegin) open.push_back(i);
    if (program.ops[i].kind != OpKind::kRangeEnd || open.empty()) continue;
    range_end[open.back()] = issued[i];
    open.pop_back();
  }
  size_t segment = 0;
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    if (issued[i] < 0 || op.kind == OpKind::kRangeEnd) continue;
    SliceRecord slice;
    slice.track = traced.host;
    slice.begin = Time::Picoseconds(issued[i] - int64_t{op.host_ns} * 1000);
    slice.end = Time::Picoseconds(issued[i]);
    slice.name = HostName(program, op);
    slice.category = op.kind == OpKind::kHostWork ? "cpu_op" : "cuda_runtime";
    if (op.kind == OpKind::kRangeBegin) {
      if (range_end[i] < 0) continue;
      slice.end = Time::Picoseconds(range_end[i]);
      slice.name = program.labels[LabelId(op.index)];
      slice.category = "user_annotation";
    }
    if (op.kind == OpKind::kHostSync && ++segment < segments.size()) slice.end = Time::Picoseconds(segments[segment].start_ps);
    const bool launches = op.kind == OpKind::kKernel || op.kind == OpKind::kCollective;
    if (!launches && slice.end == slice.begin) continue;
    if (launches) slice.flows_out.push_back(LaunchFlow(traced.rank, static_cast<int32_t>(i)));
    Send(slice);
  }
}

void TraceEmitter::EmitMemory(const TracedRank& traced) {
  const Program& program = *traced.role->program;
  const std::vector<int64_t> issued = IssueTimes(traced);
  int64_t bytes = 0;
  for (const Bytes part : program.memory.persistent) bytes += part.count();
  const auto& segments = traced.buffer->segments();
  if (segments.empty()) return;
  int64_t at = segments.front().start_ps;
  Send(CounterRecord{traced.memory, Time::Picoseconds(at), static_cast<double>(bytes)});
  const std::vector<MemoryEvent>& events = program.memory.events;
  for (size_t i = 0; i < events.size(); ++i) {
    bytes += events[i].delta;
    const bool more_at_this_op = i + 1 < events.size() && events[i + 1].op == events[i].op && (events[i + 1].delta < 0) == (events[i].delta < 0);
    if (more_at_this_op) continue;
    const auto op = static_cast<size_t>(std::clamp<int64_t>(events[i].op, 0, static_cast<int64_t>(issued.size()) - 1));
    at = std::max(at, issued[op]);
    Send(CounterRecord{traced.memory, Time::Picoseconds(at), static_cast<double>(bytes)});
  }
}

void TraceEmitter::EmitRates(const TracedRank& traced) {
  const RankSlot& slot = world_.ranks()[static_cast<size_t>(traced.rank)];
  const int64_t begin = slot.certain.window_begin_ps, end = slot.certain.end_ps;
  Bins sms(begin, end), memory(begin, end);
  std::vector<Bins> sent(kNumLinkKinds, Bins(begin, end));
  for (const TraceBuffer::KernelSpan& span : traced.buffer->kernels()) {
    const KernelCost& cost = traced.role->plan.costs[static_cast<size_t>(span.kernel)];
    sms.Add(span.begin_ps, span.end_ps, cost.sm_share * static_cast<double>(span.end_ps - span.begin_ps) * 1e-12);
    memory.Add(span.begin_ps, span.end_ps, cost.memory_traffic.value());
  }
  const VertexId here = platform_.gpu(job_.gpu[static_cast<size_t>(traced.rank)]).vertex;
  const NodeId node = platform_.gpu(job_.gpu[static_cast<size_t>(traced.rank)]).node;
  for (const TraceBuffer::CollectiveSpan& span : traced.buffer->collectives()) {
    const CollectivePlan& plan = world_.plans()[static_cast<size_t>(span.plan)];
    const double message = plan.message.value();
    memory.Add(span.transfer_ps, span.end_ps, plan.memory_traffic * message);
    std::array<double, kNumLinkKinds> bytes{};
    const int32_t first = platform_.node(node).first_link.value();
    const int32_t last = first + platform_.node_type(node).num_links;
    for (const LinkLoad& load : *plan.loads) {
      const Link& link = platform_.link(load.link);
      const bool of_gpu = link.from == here;
      const bool of_node = link.kind != LinkKind::kNvlink && link.kind != LinkKind::kPcie && load.link.value() >= first && load.link.value() < last;
      const bool of_nic = link.kind == LinkKind::kNic && platform_.data().vertices[link.from].node == node;
      if (of_gpu || of_node || of_nic) bytes[static_cast<size_t>(link.kind)] += message * static_cast<double>(load.weight) / kLoadUnit;
    }
    for (size_t kind = 0; kind < bytes.size(); ++kind) sent[kind].Add(span.transfer_ps, span.end_ps, bytes[kind]);
  }
  const double rate = traced.role->gpu->memory_rate.per_second();
  const auto emit = [this](CounterId counter, const Bins& bins, double scale) {
    double last = -1;
    for (size_t bin = 0; bin <= static_cast<size_t>(Bins::kBins); ++bin) {
      const double value = bins.Rate(bin) * scale;
      if (value == last) continue;
      Send(CounterRecord{counter, bins.At(bin), value});
      last = value;
    }
  };
  emit(CounterId(traced.memory.value() + 1), sms, 100);
  emit(CounterId(traced.memory.value() + 2), memory, 100 / rate);
  for (int kind = 0; kind < kNumLinkKinds; ++kind) {
    emit(CounterId(traced.memory.value() + 3 + kind), sent[static_cast<size_t>(kind)], 1e-9);
  }
}

}  // namespace stepsim::sim
