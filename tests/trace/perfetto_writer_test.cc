#include "sim/trace/perfetto_writer.h"

#include <limits>
#include <sstream>

#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "tests/trace/perfetto_decoder.h"
#include "tests/trace/sample_trace.h"

namespace stepsim::sim {
namespace {

class PerfettoWriterTest : public testing::Test {
 protected:
  // Finishes the trace, checks its rules and gives it back.
  DecodedTrace Decode() {
    EXPECT_TRUE(writer_.Finish().ok());
    const auto trace = DecodePerfetto(out_.str());
    EXPECT_TRUE(trace.ok()) << trace.status();
    const absl::Status rules = CheckTraceRules(*trace);
    EXPECT_TRUE(rules.ok()) << rules;
    return *trace;
  }

  std::ostringstream out_;
  PerfettoWriter writer_{TwoRankHeader(), out_};
};
using PerfettoWriterDeathTest = PerfettoWriterTest;

TEST_F(PerfettoWriterTest, ProcessesAreRanksInTheirOrder) {
  const DecodedTrace trace = Decode();
  ASSERT_EQ(trace.processes.size(), 2u);
  EXPECT_EQ(trace.processes[0].pid, 1);
  EXPECT_EQ(trace.processes[0].name, "rank 0");
  EXPECT_EQ(trace.processes[1].name, "rank 1");
  EXPECT_LT(trace.processes[0].order, trace.processes[1].order);
}

TEST_F(PerfettoWriterTest, HostComesFirstThenComputeThenTheOthers) {
  const DecodedTrace trace = Decode();
  const DecodedTrack* host = trace.Track(1, "host");
  const DecodedTrack* compute = trace.Track(1, "compute");
  const DecodedTrack* gather = trace.Track(1, "all-gather");
  ASSERT_TRUE(host && compute && gather);
  EXPECT_LT(host->order, compute->order);
  EXPECT_LT(compute->order, gather->order);
  EXPECT_EQ(compute->tid, 7);
  EXPECT_EQ(compute->process, "rank 0");
}

TEST_F(PerfettoWriterTest, TitleAndMetadataAreInTheTrace) {
  const DecodedTrace trace = Decode();
  EXPECT_EQ(trace.title, "llama on two ranks");
  ASSERT_EQ(trace.metadata.size(), 2u);
  EXPECT_EQ(trace.metadata[1].name, "seed");
  EXPECT_EQ(std::get<std::string>(trace.metadata[1].value), "42");
}

TEST_F(PerfettoWriterTest, SlicesNestAsRecorded) {
  writer_.Slice(MakeSlice(kHost0, 0, 10'000, "step"));
  writer_.Slice(MakeSlice(kHost0, 1'000, 4'000, "forward"));
  writer_.Slice(MakeSlice(kHost0, 2'000, 4'000, "launch"));
  writer_.Slice(MakeSlice(kHost0, 4'000, 10'000, "backward"));
  writer_.Slice(MakeSlice(kHost0, 10'000, 12'000, "next step"));
  const DecodedTrace trace = Decode();
  const auto& slices = trace.Track(1, "host")->slices;
  ASSERT_EQ(slices.size(), 5u);
  const int depths[] = {0, 1, 2, 1, 0};
  const uint64_t ends[] = {10, 4, 4, 10, 12};
  for (size_t i = 0; i < slices.size(); ++i) {
    EXPECT_EQ(slices[i].depth, depths[i]) << slices[i].name;
    EXPECT_EQ(slices[i].end_ns, ends[i]) << slices[i].name;
  }
}

TEST_F(PerfettoWriterTest, SlicesWithoutLengthSurvive) {
  writer_.Slice(MakeSlice(kCompute0, 5'000, 5'000, "first"));
  writer_.Slice(MakeSlice(kCompute0, 5'000, 5'000, "second"));
  writer_.Slice(MakeSlice(kCompute0, 5'000, 9'000, "third"));
  const DecodedTrace trace = Decode();
  const auto& slices = trace.Track(1, "compute")->slices;
  ASSERT_EQ(slices.size(), 3u);
  EXPECT_EQ(slices[0].begin_ns, 5u);
  EXPECT_EQ(slices[1].end_ns, 5u);
  EXPECT_EQ(slices[2].end_ns, 9u);
}

TEST_F(PerfettoWriterTest, TracksMayBeRecordedOneAfterTheOther) {
  writer_.Slice(MakeSlice(kCompute0, 9'000, 10'000, "late"));
  writer_.Slice(MakeSlice(kCompute1, 1'000, 2'000, "early"));
  const DecodedTrace trace = Decode();
  EXPECT_EQ(trace.Track(1, "compute")->slices.size(), 1u);
  EXPECT_EQ(trace.Track(2, "compute")->slices.at(0).begin_ns, 1u);
}

// Random trees of slices with picosecond bounds: after rounding to nanoseconds they still nest, and each
// bound is the nearest nanosecond.
TEST_F(PerfettoWriterTest, RoundingToNanosecondsKeepsNesting) {
  RandomStream random(1, "slices");
  std::vector<std::pair<int64_t, int64_t>> recorded;
  const auto add = [&](auto&& self, int64_t begin, int64_t end, int depth) -> void {
    recorded.emplace_back(begin, end);
    writer_.Slice(MakeSlice(kCompute0, begin, end, "slice"));
    int64_t at = begin;
    while (depth < 5 && at < end && random.Below(4) != 0) {
      const int64_t child = at + static_cast<int64_t>(random.Below(static_cast<uint64_t>(end - at) + 1));
      const int64_t child_end =
          child + static_cast<int64_t>(random.Below(static_cast<uint64_t>(end - child) + 1));
      self(self, child, child_end, depth + 1);
      at = child_end;
    }
  };
  for (int64_t i = 0; i < 2000; ++i) {
    add(add, i * 7'777, i * 7'777 + static_cast<int64_t>(random.Below(7'777)), 0);
  }
  const DecodedTrace trace = Decode();
  const auto& slices = trace.Track(1, "compute")->slices;
  ASSERT_EQ(slices.size(), recorded.size());
  for (size_t i = 0; i < slices.size(); ++i) {
    EXPECT_EQ(static_cast<int64_t>(slices[i].begin_ns), (recorded[i].first + 500) / 1000);
    EXPECT_EQ(static_cast<int64_t>(slices[i].end_ns), (recorded[i].second + 500) / 1000);
  }
}

TEST_F(PerfettoWriterTest, ArgumentsKeepTypeAndValue) {
  SliceRecord slice = MakeSlice(kCompute0, 0, 1'000, "gemm");
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  slice.args = {{"bytes", kMax},
                {"offset", kMin},
                {"wait_us", 1e-300},
                {"algorithm", absl::string_view("ring")},
                {"note", absl::string_view("")}};
  writer_.Slice(slice);
  const DecodedTrace trace = Decode();
  const DecodedSlice& decoded = trace.Track(1, "compute")->slices.at(0);
  EXPECT_EQ(decoded.category, "kernel");
  EXPECT_EQ(std::get<int64_t>(decoded.Arg("bytes")->value), kMax);
  EXPECT_EQ(std::get<int64_t>(decoded.Arg("offset")->value), kMin);
  EXPECT_EQ(std::get<double>(decoded.Arg("wait_us")->value), 1e-300);
  EXPECT_EQ(std::get<std::string>(decoded.Arg("algorithm")->value), "ring");
  EXPECT_EQ(std::get<std::string>(decoded.Arg("note")->value), "");
}

TEST_F(PerfettoWriterTest, TextsAreWrittenOnce) {
  for (int i = 0; i < 100; ++i) {
    SliceRecord slice = MakeSlice(kCompute0, i * 1'000, i * 1'000 + 500, "a_name_that_repeats");
    slice.args = {{"an_argument", absl::string_view("a_text_that_repeats")}};
    writer_.Slice(slice);
  }
  Decode();
  const std::string bytes = out_.str();
  for (const std::string text : {"a_name_that_repeats", "an_argument", "a_text_that_repeats", "kernel"}) {
    const size_t first = bytes.find(text);
    ASSERT_NE(first, std::string::npos) << text;
    EXPECT_EQ(bytes.find(text, first + 1), std::string::npos) << text;
  }
}

TEST_F(PerfettoWriterTest, EqualTextsAtDifferentAddressesShareOneNumber) {
  static const char kOne[] = "bytes";
  static const char kTwo[] = "bytes";
  for (const char* name : {kOne, kTwo}) {
    SliceRecord slice = MakeSlice(kCompute0, 0, 0, "gemm");
    slice.args = {{name, int64_t{1}}};
    writer_.Slice(slice);
  }
  Decode();  // the rules refuse a text that is interned twice
}

TEST_F(PerfettoWriterTest, Utf8NamesAndLongNamesSurvive) {
  const std::string utf8 = "层 attention ×2 → μ";
  const std::string long_name(100'000, 'n');
  writer_.Slice(MakeSlice(kCompute0, 0, 1'000, utf8));
  writer_.Slice(MakeSlice(kCompute0, 1'000, 2'000, long_name));
  const DecodedTrace trace = Decode();
  EXPECT_EQ(trace.Track(1, "compute")->slices.at(0).name, utf8);
  EXPECT_EQ(trace.Track(1, "compute")->slices.at(1).name, long_name);
}

TEST_F(PerfettoWriterTest, FlowsPassThroughAndEnd) {
  constexpr uint64_t kLaunch = 1;
  constexpr uint64_t kCollective = 0xffff'ffff'ffff'fff0;
  SliceRecord launch = MakeSlice(kHost0, 0, 500, "launch");
  launch.flows_out = {kLaunch};
  SliceRecord rank0 = MakeSlice(kAllGather0, 1'000, 9'000, "all_gather");
  rank0.flows_end = {kLaunch};
  rank0.flows_out = {kCollective};
  SliceRecord rank1 = MakeSlice(kAllGather1, 2'000, 9'000, "all_gather");
  rank1.flows_end = {kCollective};
  for (const SliceRecord& slice : {rank1, launch, rank0}) writer_.Slice(slice);
  const DecodedTrace trace = Decode();
  const DecodedSlice& decoded = trace.Track(1, "all-gather")->slices.at(0);
  EXPECT_EQ(decoded.flows_out, std::vector<uint64_t>{kCollective});
  EXPECT_EQ(decoded.flows_end, std::vector<uint64_t>{kLaunch});
  EXPECT_EQ(trace.Track(2, "all-gather")->slices.at(0).flows_end, std::vector<uint64_t>{kCollective});
}

TEST_F(PerfettoWriterTest, CountersKeepUnitAndExactValues) {
  const double values[] = {0, 80.0 * (1 << 30), -3, 0.1, 9007199254740991.0, 1.8e19, 1e300};
  for (size_t i = 0; i < std::size(values); ++i) {
    writer_.Counter({CounterId(1), AtNs(static_cast<int64_t>(i)), values[i]});
  }
  const DecodedTrace trace = Decode();
  const DecodedCounter* counter = trace.Counter(2, "memory allocated");
  ASSERT_NE(counter, nullptr);
  EXPECT_EQ(counter->unit, "bytes");
  ASSERT_EQ(counter->values.size(), std::size(values));
  for (size_t i = 0; i < std::size(values); ++i) {
    EXPECT_EQ(counter->values[i].first, i);
    EXPECT_EQ(counter->values[i].second, values[i]);
  }
}

TEST_F(PerfettoWriterTest, TheLongestRunThatTimeCanHoldSurvives) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  writer_.Slice(MakeSlice(kCompute0, kMax - 1, kMax, "last"));
  const DecodedTrace trace = Decode();
  EXPECT_EQ(trace.Track(1, "compute")->slices.at(0).end_ns,
            9223372036854776u);  // 2^63 - 1 ps, to the nearest ns
}

TEST_F(PerfettoWriterTest, BytesReachTheStreamBeforeTheEnd) {
  const size_t header_bytes = out_.str().size();
  EXPECT_GT(header_bytes, 0u);
  for (int64_t i = 0; i < 50'000; ++i)
    writer_.Slice(MakeSlice(kCompute0, i * 1'000, i * 1'000 + 900, "kernel"));
  EXPECT_GT(out_.str().size(), header_bytes + (1 << 20));
}

TEST(PerfettoUuidTest, TheSameRunHasTheSameUuidAndAnotherRunAnother) {
  const auto uuid = [](const TraceHeader& header) {
    std::ostringstream out;
    PerfettoWriter writer(header, out);
    EXPECT_TRUE(writer.Finish().ok());
    return DecodePerfetto(out.str())->uuid;
  };
  TraceHeader other = TwoRankHeader();
  other.metadata[1].second = "43";
  EXPECT_EQ(uuid(TwoRankHeader()), uuid(TwoRankHeader()));
  EXPECT_NE(uuid(TwoRankHeader()), uuid(other));
}

TEST_F(PerfettoWriterDeathTest, BrokenPromisesOfTheRecorderAbort) {
  writer_.Slice(MakeSlice(kCompute0, 1'000, 5'000, "a"));
  EXPECT_DEATH(writer_.Slice(MakeSlice(kCompute0, 2'000, 6'000, "crosses")), "reaches beyond");
  EXPECT_DEATH(writer_.Slice(MakeSlice(kCompute0, 500, 600, "earlier")), "recorded earlier");
  EXPECT_DEATH(writer_.Slice(MakeSlice(kCompute0, 7'000, 6'000, "backwards")), "track compute");
  EXPECT_DEATH(writer_.Slice(MakeSlice(TrackId(99), 0, 1, "nowhere")), "track 99 of 6");
  writer_.Counter({CounterId(0), AtNs(5), 1});
  EXPECT_DEATH(writer_.Counter({CounterId(0), AtNs(4), 1}), "goes back in time");
  EXPECT_DEATH(writer_.Counter({CounterId(0), AtNs(6), std::numeric_limits<double>::quiet_NaN()}),
               "not finite");
}

TEST(PerfettoHeaderDeathTest, RowsThatPerfettoWouldMixUpAbort) {
  std::ostringstream out;
  TraceHeader pid_zero = TwoRankHeader();
  pid_zero.processes[0].pid = 0;
  EXPECT_DEATH(PerfettoWriter(pid_zero, out), "pid 0");
  TraceHeader same_tid = TwoRankHeader();
  same_tid.tracks[1].tid = 7;
  EXPECT_DEATH(PerfettoWriter(same_tid, out), "tid 7");
  TraceHeader no_process = TwoRankHeader();
  no_process.counters[0].process = 2;
  EXPECT_DEATH(PerfettoWriter(no_process, out), "process 2 of 2");
}

}  // namespace
}  // namespace stepsim::sim
