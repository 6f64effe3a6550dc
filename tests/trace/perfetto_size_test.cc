#include <sstream>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "sim/trace/perfetto_writer.h"
#include "tests/trace/perfetto_decoder.h"
#include "tests/trace/sample_trace.h"

namespace stepsim::sim {
namespace {

constexpr int64_t kSlices = 200'000;

// A step's worth of kernels on 16 ranks with three arguments each, as a trace of a real run has them.
std::string ManyKernels() {
  std::ostringstream out;
  TraceHeader header;
  header.title = "200,000 kernels";
  for (int rank = 0; rank < 16; ++rank) {
    header.processes.push_back({rank + 1, absl::StrCat("rank ", rank)});
    header.tracks.push_back({rank, 7, "compute"});
  }
  std::vector<std::string> names;
  for (int i = 0; i < 500; ++i) names.push_back(absl::StrCat("layers.", i / 10, ".kernel", i % 10));
  PerfettoWriter writer(header, out);
  for (int64_t i = 0; i < kSlices; ++i) {
    const int64_t begin = i / 16 * 80'000'000;  // one second in all
    SliceRecord slice = MakeSlice(TrackId(static_cast<int32_t>(i % 16)), begin, begin + 70'000'123,
                                  names[static_cast<size_t>(i * 7) % names.size()]);
    slice.args = {{"bytes", i * 4096},
                  {"channels", i % 32},
                  {"phase", absl::string_view(i % 3 ? "forward" : "backward")}};
    writer.Slice(slice);
  }
  EXPECT_TRUE(writer.Finish().ok());
  return out.str();
}

// 70 bytes: what Perfetto's own encoding needs for a begin and an end packet with interned names (61 for
// three small arguments), and some room. Kineto's JSON needs about 270.
TEST(PerfettoSizeTest, ASliceWithThreeArgumentsTakesAtMostSeventyBytes) {
  const std::string bytes = ManyKernels();
  EXPECT_LE(static_cast<double>(bytes.size()) / kSlices, 70.0);
}

TEST(PerfettoSizeTest, TwoHundredThousandSlicesKeepTheRules) {
  const auto trace = DecodePerfetto(ManyKernels());
  ASSERT_TRUE(trace.ok()) << trace.status();
  const absl::Status rules = CheckTraceRules(*trace);
  EXPECT_TRUE(rules.ok()) << rules;
  size_t slices = 0;
  for (const DecodedTrack& track : trace->tracks) slices += track.slices.size();
  EXPECT_EQ(slices, static_cast<size_t>(kSlices));
}

TEST(PerfettoSizeTest, TheSameRecordsGiveTheSameBytes) {
  EXPECT_TRUE(ManyKernels() == ManyKernels());
}

}  // namespace
}  // namespace stepsim::sim
