#include "sim/base/units.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "gtest/gtest.h"

namespace stepsim::sim {
namespace {

using namespace literals;  // NOLINT: literals are made for this

template <class A, class B>
concept Addable = requires(A a, B b) { a + b; };
template <class A, class B>
concept Divisible = requires(A a, B b) { a / b; };
template <class A, class B>
concept Comparable = requires(A a, B b) { a < b; };

TEST(UnitsTest, OnlyMeaningfulOperatorsCompile) {
  static_assert(Addable<Bytes, Bytes> && Addable<Duration, Duration> && Addable<Time, Duration>);
  static_assert(!Addable<Bytes, Duration> && !Addable<Time, Time> && !Addable<Bytes, Flops> && !Addable<Bytes, int>);
  static_assert(Divisible<Bytes, BytesPerSecond> && Divisible<Flops, FlopsPerSecond>);
  static_assert(!Divisible<Bytes, FlopsPerSecond> && !Divisible<Flops, BytesPerSecond>);
  static_assert(!Comparable<Time, Duration> && !Comparable<Bytes, Flops>);
  static_assert(!std::is_convertible_v<int64_t, Bytes> && !std::is_convertible_v<double, BytesPerSecond>);
}

TEST(UnitsTest, LiteralsHaveDecimalAndBinaryPrefixes) {
  EXPECT_EQ((3_us).picoseconds(), 3000000);
  EXPECT_EQ((2_KiB).count(), 2048);
  EXPECT_EQ((1_GiB).count(), 1073741824);
  EXPECT_DOUBLE_EQ((400_GBps).per_second(), 4e11);
}

TEST(UnitsTest, TransferTimeIsExactWhereItIsWhole) {
  // 400 bytes at 400 GB/s take 1 ns.
  EXPECT_EQ(Bytes(400) / 400_GBps, 1_ns);
  EXPECT_EQ(Bytes(25'000'000'000) / 25_GBps, Duration::Microseconds(1'000'000));
}

TEST(UnitsTest, TransferTimeRoundsUpToWholeNanoseconds) {
  EXPECT_EQ(Bytes(401) / 400_GBps, 2_ns);
  EXPECT_EQ(Bytes(1) / 400_GBps, 1_ns);
  EXPECT_EQ(Bytes(0) / 400_GBps, Duration());
}

TEST(UnitsTest, NothingMovesAtRateZero) {
  EXPECT_EQ(Bytes(1) / BytesPerSecond(0), Duration::Infinite());
  EXPECT_EQ(Bytes(1) / BytesPerSecond(-1), Duration::Infinite());
  EXPECT_EQ(Bytes(0) / BytesPerSecond(0), Duration());
}

TEST(UnitsTest, TransferBeyondTheClockIsInfinite) {
  EXPECT_EQ(Bytes(std::numeric_limits<int64_t>::max()) / BytesPerSecond(1), Duration::Infinite());
}

TEST(UnitsTest, ModelledDurationsRoundToNanoseconds) {
  EXPECT_EQ(Duration::FromSeconds(1.4e-9), 1_ns);
  EXPECT_EQ(Duration::FromSeconds(1.6e-9), 2_ns);
  EXPECT_EQ(Duration::FromMicroseconds(2.5), Duration::Nanoseconds(2500));
  // One part in 10^16 more does not show.
  EXPECT_EQ(Duration::FromSeconds(0.1), Duration::FromSeconds(std::nextafter(0.1, 1.0)));
}

TEST(UnitsTest, ModelledDurationsSaturate) {
  EXPECT_EQ(Duration::FromSeconds(1e9), Duration::Infinite());
  EXPECT_EQ(Duration::FromSeconds(std::numeric_limits<double>::infinity()), Duration::Infinite());
}

TEST(UnitsTest, TimesAndDurationsCombine) {
  const Time start = Time::Picoseconds(5);
  EXPECT_EQ((start + 1_ns) - start, 1_ns);
  EXPECT_EQ(10_us / 3_us, 3);
  EXPECT_EQ(-(1_ns), Duration::Nanoseconds(-1));
  EXPECT_LT(start, Time::Infinite());
}

}  // namespace
}  // namespace stepsim::sim
