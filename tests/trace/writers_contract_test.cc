// What every trace format must do; a new row of TraceWriters() is tested here the moment it is listed.
#include <algorithm>
#include <sstream>

#include "gtest/gtest.h"
#include "tests/trace/sample_trace.h"

namespace stepsim::sim {
namespace {

// Takes `room` bytes and then fails, as a full disk does.
class FullDisk : public std::stringbuf {
 public:
  explicit FullDisk(std::streamsize room) : room_(room) {}

 protected:
  int overflow(int c) override {
    return --room_ < 0 ? std::char_traits<char>::eof() : std::char_traits<char>::not_eof(c);
  }
  std::streamsize xsputn(const char*, std::streamsize n) override {
    const std::streamsize taken = std::min(n, room_);
    room_ -= taken;
    return taken;
  }

 private:
  std::streamsize room_;
};

void WriteSomething(TraceWriter& writer) {
  for (int64_t i = 0; i < 100; ++i) {
    SliceRecord slice = MakeSlice(i % 2 ? kCompute0 : kAllGather1, i * 1'000, i * 1'000 + 1'500, "slice");
    slice.args = {{"bytes", i}, {"wait_us", 0.5}, {"algorithm", absl::string_view("ring")}};
    slice.flows_out = {static_cast<uint64_t>(i) + 1};
    writer.Slice(slice);
    writer.Counter({CounterId(0), AtNs(i), static_cast<double>(i) / 3});
  }
}

class TraceWriterContractTest : public testing::TestWithParam<Registry<TraceWriterFactory>::Entry> {
 protected:
  std::string Write(const TraceHeader& header, void (*records)(TraceWriter&)) {
    std::ostringstream out;
    const auto writer = GetParam().factory(header, out);
    records(*writer);
    EXPECT_TRUE(writer->Finish().ok());
    return out.str();
  }
};

TEST_P(TraceWriterContractTest, NameIsASuffixAndHasHelp) {
  EXPECT_EQ(GetParam().name.front(), '.');
  EXPECT_FALSE(GetParam().help.empty());
}

TEST_P(TraceWriterContractTest, AnEmptyRunIsAFile) {
  EXPECT_FALSE(Write(TraceHeader(), [](TraceWriter&) {}).empty());
}

TEST_P(TraceWriterContractTest, AHeaderWithoutRecordsIsAFile) {
  EXPECT_FALSE(Write(TwoRankHeader(), [](TraceWriter&) {}).empty());
}

TEST_P(TraceWriterContractTest, TheHeaderIsWrittenAtOnce) {
  std::ostringstream out;
  const auto writer = GetParam().factory(TwoRankHeader(), out);
  EXPECT_FALSE(out.str().empty());
}

TEST_P(TraceWriterContractTest, TheSameRecordsGiveTheSameBytes) {
  EXPECT_EQ(Write(TwoRankHeader(), WriteSomething), Write(TwoRankHeader(), WriteSomething));
}

TEST_P(TraceWriterContractTest, FinishingTwiceAddsNothing) {
  std::ostringstream out;
  const auto writer = GetParam().factory(TwoRankHeader(), out);
  WriteSomething(*writer);
  EXPECT_TRUE(writer->Finish().ok());
  const std::string once = out.str();
  EXPECT_TRUE(writer->Finish().ok());
  EXPECT_EQ(out.str(), once);
}

TEST_P(TraceWriterContractTest, AStreamThatFailsAtOnceOrLaterIsReportedAtFinish) {
  const auto whole = static_cast<std::streamsize>(Write(TwoRankHeader(), WriteSomething).size());
  for (const std::streamsize room : {std::streamsize{0}, std::streamsize{10}, whole / 2, whole - 1}) {
    FullDisk disk(room);
    std::ostream out(&disk);
    const auto writer = GetParam().factory(TwoRankHeader(), out);
    WriteSomething(*writer);
    EXPECT_EQ(writer->Finish().code(), absl::StatusCode::kUnavailable) << room;
    EXPECT_EQ(writer->Finish().code(), absl::StatusCode::kUnavailable) << room;
  }
  FullDisk disk(whole);
  std::ostream out(&disk);
  const auto writer = GetParam().factory(TwoRankHeader(), out);
  WriteSomething(*writer);
  EXPECT_TRUE(writer->Finish().ok());
}

TEST_P(TraceWriterContractTest, RecordsAfterTheEndAbort) {
  std::ostringstream out;
  const auto writer = GetParam().factory(TwoRankHeader(), out);
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_DEATH(writer->Slice(MakeSlice(kCompute0, 0, 1, "late")), "after Finish");
  EXPECT_DEATH(writer->Counter({CounterId(0), Time(), 1}), "after Finish");
}

INSTANTIATE_TEST_SUITE_P(Formats, TraceWriterContractTest, testing::ValuesIn(TraceWriters().entries()),
                         [](const auto& entry) { return entry.param.name.substr(1); });

TEST(TraceWritersTest, AnUnknownSuffixNamesTheNearest) {
  const auto found = TraceWriters().Find(".pftrac");
  ASSERT_EQ(found.status().code(), absl::StatusCode::kNotFound);
  EXPECT_NE(found.status().message().find(".pftrace"), absl::string_view::npos);
}

}  // namespace
}  // namespace stepsim::sim
