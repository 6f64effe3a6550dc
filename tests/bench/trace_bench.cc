// Cost of writing a trace: slices per second and bytes per slice, for kernels (three arguments), collectives
// (five arguments and arrows) and counters. The stream throws its bytes away.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "sim/trace/writer.h"

namespace stepsim::sim {
namespace {

class CountingStream : public std::streambuf, public std::ostream {
 public:
  CountingStream() : std::ostream(static_cast<std::streambuf*>(this)) {}
  double bytes() const { return bytes_; }

 protected:
  int overflow(int c) override {
    bytes_ += 1;
    return std::char_traits<char>::not_eof(c);
  }
  std::streamsize xsputn(const char*, std::streamsize n) override {
    bytes_ += static_cast<double>(n);
    return n;
  }

 private:
  double bytes_ = 0;
};

constexpr int kRanks = 16;
constexpr int kStreams = 4;

TraceHeader Header() {
  TraceHeader header;
  header.title = "trace benchmark";
  for (int rank = 0; rank < kRanks; ++rank) {
    header.processes.push_back({rank + 1, absl::StrCat("rank ", rank)});
    for (int stream = 0; stream < kStreams; ++stream) {
      header.tracks.push_back({rank, 7 + stream, absl::StrCat("stream ", stream)});
    }
    header.counters.push_back({rank, "memory allocated", "bytes"});
  }
  return header;
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (int i = 0; i < 400; ++i)
    names.push_back(absl::StrCat("layers.", i / 12, " gemm 2048x4096x", 128 * (i % 12)));
  return names;
}

void Report(benchmark::State& state, const CountingStream& out, double header_bytes) {
  const double records = static_cast<double>(state.iterations());
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
  state.counters["bytes_per_record"] = (out.bytes() - header_bytes) / records;
}

void BM_KernelSlices(benchmark::State& state) {
  CountingStream out;
  const auto writer = (*TraceWriters().Find(".pftrace"))(Header(), out);
  const double header_bytes = out.bytes();
  const std::vector<std::string> names = Names();
  SliceRecord slice;
  slice.category = "kernel";
  slice.args = {{"bytes", int64_t{0}}, {"flops", int64_t{0}}, {"phase", absl::string_view("backward")}};
  int64_t i = 0;
  for (auto _ : state) {
    slice.track = TrackId(static_cast<int32_t>(i % (kRanks * kStreams)));
    slice.begin = Time::Picoseconds(i * 40'000);
    slice.end = slice.begin + Duration::Nanoseconds(1800);
    slice.name = names[static_cast<size_t>(i) % names.size()];
    slice.args[0].value = int64_t{1} << (i % 32);
    slice.args[1].value = int64_t{1} << (i % 40);
    writer->Slice(slice);
    ++i;
  }
  benchmark::DoNotOptimize(writer->Finish());
  Report(state, out, header_bytes);
}
BENCHMARK(BM_KernelSlices);

void BM_CollectiveSlices(benchmark::State& state) {
  CountingStream out;
  const auto writer = (*TraceWriters().Find(".pftrace"))(Header(), out);
  const double header_bytes = out.bytes();
  SliceRecord slice;
  slice.category = "collective";
  slice.args = {{"bytes", int64_t{404766720}},
                {"algorithm", absl::string_view("ring")},
                {"protocol", absl::string_view("Simple")},
                {"channels", int64_t{16}},
                {"wait_us", 12.345},
                {"transfer_us", 2345.678}};
  slice.flows_out = {0};
  slice.flows_end = {0};
  int64_t i = 0;
  for (auto _ : state) {
    slice.track = TrackId(static_cast<int32_t>(i % (kRanks * kStreams)));
    slice.begin = Time::Picoseconds(i * 40'000);
    slice.end = slice.begin + Duration::Nanoseconds(1800);
    slice.name = "all_gather layers.3";
    slice.flows_out[0] = static_cast<uint64_t>(i) + 1;
    slice.flows_end[0] = static_cast<uint64_t>(i);
    writer->Slice(slice);
    ++i;
  }
  benchmark::DoNotOptimize(writer->Finish());
  Report(state, out, header_bytes);
}
BENCHMARK(BM_CollectiveSlices);

void BM_Counters(benchmark::State& state) {
  CountingStream out;
  const auto writer = (*TraceWriters().Find(".pftrace"))(Header(), out);
  const double header_bytes = out.bytes();
  int64_t i = 0;
  for (auto _ : state) {
    writer->Counter({CounterId(static_cast<int32_t>(i % kRanks)), Time::Picoseconds(i * 40'000),
                     static_cast<double>((i % 977) << 26)});
    ++i;
  }
  benchmark::DoNotOptimize(writer->Finish());
  Report(state, out, header_bytes);
}
BENCHMARK(BM_Counters);

}  // namespace
}  // namespace stepsim::sim
