#include "sim/config/quantity.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/config/helpers.h"

namespace stepsim::sim {
namespace {

using ::testing::HasSubstr;

TEST(ParseIntegerTest, DecimalWithSignUnderscoresAndSuffix) {
  EXPECT_EQ(*ParseInteger("5"), 5);
  EXPECT_EQ(*ParseInteger("-3"), -3);
  EXPECT_EQ(*ParseInteger("+3"), 3);
  EXPECT_EQ(*ParseInteger("0"), 0);
  EXPECT_EQ(*ParseInteger("1_000"), 1000);
  EXPECT_EQ(*ParseInteger("1k"), 1000);
  EXPECT_EQ(*ParseInteger("2Ki"), 2048);
  EXPECT_EQ(*ParseInteger("2Mi"), 2097152);
  EXPECT_EQ(*ParseInteger("4G"), 4000000000);
  EXPECT_EQ(*ParseInteger("9223372036854775807"), std::numeric_limits<int64_t>::max());
}

TEST(ParseIntegerTest, OctalAndHexadecimalAreRefusedAndNotReadInSilence) {
  EXPECT_THAT(Message(ParseInteger("010").status()), HasSubstr("leading zero"));
  EXPECT_THAT(Message(ParseInteger("-010").status()), HasSubstr("leading zero"));
  EXPECT_THAT(Message(ParseInteger("0x10").status()), HasSubstr("not decimal"));
  EXPECT_THAT(Message(ParseInteger("0o10").status()), HasSubstr("not decimal"));
}

TEST(ParseIntegerTest, WhatIsNoIntegerIsRefused) {
  for (const char* text : {"", " ", "abc", "1e9", "1.5", "1.0", "1__0", "_1", "1_", "--1", "1 Ki", "5 GB", "1Mib", ".5",
                           "5.", "9223372036854775808", "99999999999Ti", "1,000", "\xff", "true", "٣"}) {
    EXPECT_EQ(ParseInteger(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(ParseNumberTest, DecimalWithExponent) {
  EXPECT_DOUBLE_EQ(*ParseNumber("0.5"), 0.5);
  EXPECT_DOUBLE_EQ(*ParseNumber("1e9"), 1e9);
  EXPECT_DOUBLE_EQ(*ParseNumber("-2.5E-3"), -2.5e-3);
  EXPECT_DOUBLE_EQ(*ParseNumber(".5"), 0.5);
  EXPECT_DOUBLE_EQ(*ParseNumber("1_000.25"), 1000.25);
}

TEST(ParseNumberTest, NumbersThatAreNotFiniteAreRefused) {
  for (const char* text : {".nan", ".NaN", ".inf", "-.inf", "inf", "nan", "Infinity"}) {
    EXPECT_THAT(Message(ParseNumber(text).status()), HasSubstr("not finite")) << text;
  }
  EXPECT_THAT(Message(ParseNumber("1e999").status()), HasSubstr("too large"));
  EXPECT_THAT(Message(ParseNumber("0x1p3").status()), HasSubstr("not decimal"));
  EXPECT_FALSE(ParseNumber("010.5").ok());
  EXPECT_FALSE(ParseNumber("5 %").ok());
}

TEST(ParseBooleanTest, TrueAndFalseAlone) {
  EXPECT_TRUE(*ParseBoolean("true"));
  EXPECT_FALSE(*ParseBoolean("false"));
  for (const char* text : {"yes", "no", "on", "off", "True", "1", "0", ""}) EXPECT_FALSE(ParseBoolean(text).ok()) << text;
  EXPECT_EQ(Message(ParseBoolean("yes").status()), "expected true or false; found \"yes\"");
}

TEST(ParseBytesTest, DecimalAndBinaryPrefixes) {
  EXPECT_EQ(*ParseBytes("80 GiB"), Bytes(int64_t{80} << 30));
  EXPECT_EQ(*ParseBytes("24GB"), Bytes(24'000'000'000));
  EXPECT_EQ(*ParseBytes("0.1 GB"), Bytes(100'000'000));
  EXPECT_EQ(*ParseBytes("1.5 KiB"), Bytes(1536));
  EXPECT_EQ(*ParseBytes("512 B"), Bytes(512));
  EXPECT_EQ(*ParseBytes("2e3 B"), Bytes(2000));
  EXPECT_EQ(*ParseBytes("0 B"), Bytes(0));
}

TEST(ParseBytesTest, UnitIsNeverOptional) {
  EXPECT_EQ(Message(ParseBytes("80").status()),
            "expected a size in bytes such as \"80 GiB\" or \"24 GB\"; \"80\" has no unit");
}

TEST(ParseBytesTest, BitsRatesAndNegativesAreRefused) {
  EXPECT_THAT(Message(ParseBytes("80 Gb").status()), HasSubstr("\"80 Gb\" is a size in bits"));
  EXPECT_THAT(Message(ParseBytes("80 GB/s").status()), HasSubstr("\"80 GB/s\" is a rate"));
  EXPECT_THAT(Message(ParseBytes("-5 GiB").status()), HasSubstr("negative"));
  EXPECT_THAT(Message(ParseBytes("1e30 GiB").status()), HasSubstr("too large"));
  EXPECT_THAT(Message(ParseBytes("9 b").status()), HasSubstr("bits"));
  EXPECT_THAT(Message(ParseBytes("0.1 B").status()), HasSubstr("less than half a byte"));
  EXPECT_THAT(Message(ParseBytes("5 GIB").status()), HasSubstr("did you mean \"GiB\"?"));
}

TEST(ParseByteRateTest, BitsAreAnEighthOfBytes) {
  EXPECT_DOUBLE_EQ(ParseByteRate("400 Gb/s")->per_second(), 50e9);
  EXPECT_DOUBLE_EQ(ParseByteRate("50 GB/s")->per_second(), 50e9);
  EXPECT_DOUBLE_EQ(ParseByteRate("8 b/s")->per_second(), 1);
  EXPECT_DOUBLE_EQ(ParseByteRate("1 GiB/s")->per_second(), 1073741824);
  EXPECT_DOUBLE_EQ(ParseByteRate("3.35 TB/s")->per_second(), 3.35e12);
  EXPECT_DOUBLE_EQ(ParseByteRate("5 Kb/s")->per_second(), 625);
  EXPECT_DOUBLE_EQ(ParseByteRate("5 B/s")->per_second(), 5);
}

TEST(ParseByteRateTest, SizeInPlaceOfARateIsNamed) {
  EXPECT_EQ(Message(ParseByteRate("432 Gb").status()),
            "expected a rate such as \"400 Gb/s\" (bits) or \"50 GB/s\" (bytes); \"432 Gb\" is a size");
  EXPECT_THAT(Message(ParseByteRate("432 GB").status()), HasSubstr("\"432 GB\" is a size"));
  EXPECT_THAT(Message(ParseByteRate("5 us").status()), HasSubstr("is a time"));
}

TEST(ParseByteRateTest, OtherSpellingsGetANearMatch) {
  EXPECT_THAT(Message(ParseByteRate("400 Gbps").status()), HasSubstr("unknown unit \"Gbps\", did you mean \"Gb/s\"?"));
  EXPECT_THAT(Message(ParseByteRate("16 GT/s").status()), HasSubstr("unknown unit \"GT/s\""));
  EXPECT_FALSE(ParseByteRate("400 gb/s").ok());
}

TEST(ParseFlopRateTest, PrefixesUpToPeta) {
  EXPECT_DOUBLE_EQ(ParseFlopRate("312 TFLOPS")->per_second(), 312e12);
  EXPECT_DOUBLE_EQ(ParseFlopRate("1.98 PFLOPS")->per_second(), 1.98e15);
  EXPECT_DOUBLE_EQ(ParseFlopRate("500 GFLOP/s")->per_second(), 5e11);
  EXPECT_THAT(Message(ParseFlopRate("312").status()), HasSubstr("no unit"));
  EXPECT_THAT(Message(ParseFlopRate("312 TB/s").status()), HasSubstr("is a rate"));
}

TEST(ParseDurationTest, EveryUnitToThePicosecond) {
  EXPECT_EQ(*ParseDuration("5 us"), Duration::Microseconds(5));
  EXPECT_EQ(*ParseDuration("0.5 ns"), Duration::Picoseconds(500));
  EXPECT_EQ(*ParseDuration("1.5 ms"), Duration::Microseconds(1500));
  EXPECT_EQ(*ParseDuration("2 s"), Duration::Microseconds(2'000'000));
  EXPECT_EQ(*ParseDuration("1 min"), *ParseDuration("60 s"));
  EXPECT_EQ(*ParseDuration("1 h"), *ParseDuration("60 min"));
}

TEST(ParseDurationTest, BeyondTheClockIsRefused) {
  // int64 picoseconds end after 106.75 days = 2562 h.
  EXPECT_TRUE(ParseDuration("2562 h").ok());
  EXPECT_THAT(Message(ParseDuration("2563 h").status()), HasSubstr("too large"));
  EXPECT_THAT(Message(ParseDuration("-1 us").status()), HasSubstr("negative"));
  EXPECT_THAT(Message(ParseDuration("5").status()), HasSubstr("no unit"));
}

TEST(QuantityTest, GarbageIsShownCutAndEscaped) {
  const std::string message = Message(ParseByteRate(std::string(100000, 'x') + "\x1b[31m").status());
  EXPECT_LT(message.size(), 400u);
  EXPECT_THAT(Message(ParseByteRate("\x1b[31m").status()), HasSubstr("\\x1b[31m"));
}

TEST(FormatTest, LargestUnitThatKeepsOneOrMore) {
  EXPECT_EQ(FormatBytes(Bytes(3) * (1 << 29)), "1.5 GiB");
  EXPECT_EQ(FormatBytes(Bytes(1023)), "1023 B");
  EXPECT_EQ(FormatBytes(Bytes(0)), "0 B");
  EXPECT_EQ(FormatByteRate(BytesPerSecond(23.8e9)), "23.8 GB/s");
  EXPECT_EQ(FormatFlopRate(FlopsPerSecond(312e12)), "312 TFLOPS");
  EXPECT_EQ(FormatDuration(Duration::Microseconds(812300)), "812.3 ms");
  EXPECT_EQ(FormatDuration(Duration::Microseconds(12'345'678'000)), "12346 s");
  EXPECT_EQ(FormatDuration(Duration::Infinite()), "infinite");
}

TEST(FormatTest, WhatIsWrittenReadsBack) {
  for (const double rate : {1.0, 999.0, 1e3, 2.5e10, 9e14}) {
    EXPECT_NEAR(ParseByteRate(FormatByteRate(BytesPerSecond(rate)))->per_second(), rate, rate * 1e-3);
    EXPECT_NEAR(ParseFlopRate(FormatFlopRate(FlopsPerSecond(rate)))->per_second(), rate, rate * 1e-3);
  }
}

}  // namespace
}  // namespace stepsim::sim
