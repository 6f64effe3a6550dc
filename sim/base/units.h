// Strong types for the quantities of the simulation. Only operators with a meaning exist: Bytes / BytesPerSecond is
// a Duration, Bytes + Duration does not compile, and no bare number converts by itself.
//
// Time is int64 picoseconds (range ± 106 days): ties are exact, and 1 ns at 400 GB/s (400 bytes) would be too coarse.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>

namespace stepsim::sim {

// A length of time, in picoseconds.
class Duration {
 public:
  constexpr Duration() = default;
  static constexpr Duration Picoseconds(int64_t ps) { return Duration(ps); }
  static constexpr Duration Nanoseconds(int64_t ns) { return Duration(ns * 1000); }
  static constexpr Duration Microseconds(int64_t us) { return Duration(us * 1000 * 1000); }
  // From a modelled value: rounded to whole nanoseconds, so that last-bit differences between maths libraries do
  // not reach the engine (DESIGN: determinism). Values beyond the range saturate at Infinite().
  static Duration FromSeconds(double s) {
    const double ns = std::nearbyint(s * 1e9);
    return ns >= 9.2e15 ? Infinite() : Duration(static_cast<int64_t>(ns) * 1000);
  }
  static Duration FromMicroseconds(double us) { return FromSeconds(us * 1e-6); }
  static constexpr Duration Infinite() { return Duration(INT64_MAX); }

  constexpr int64_t picoseconds() const { return ps_; }
  constexpr double seconds() const { return static_cast<double>(ps_) * 1e-12; }
  constexpr double microseconds() const { return static_cast<double>(ps_) * 1e-6; }

  constexpr auto operator<=>(const Duration&) const = default;
  constexpr Duration operator+(Duration o) const { return Duration(ps_ + o.ps_); }
  constexpr Duration operator-(Duration o) const { return Duration(ps_ - o.ps_); }
  constexpr Duration operator-() const { return Duration(-ps_); }
  constexpr Duration& operator+=(Duration o) { ps_ += o.ps_; return *this; }
  constexpr Duration& operator-=(Duration o) { ps_ -= o.ps_; return *this; }
  constexpr Duration operator*(int64_t n) const { return Duration(ps_ * n); }
  constexpr int64_t operator/(Duration o) const { return ps_ / o.ps_; }
  constexpr Duration operator/(int64_t n) const { return Duration(ps_ / n); }

 private:
  explicit constexpr Duration(int64_t ps) : ps_(ps) {}
  int64_t ps_ = 0;
};

// A point on the simulated clock, in picoseconds since the run began.
class Time {
 public:
  constexpr Time() = default;
  static constexpr Time Picoseconds(int64_t ps) { return Time(ps); }
  static constexpr Time Infinite() { return Time(INT64_MAX); }

  constexpr int64_t picoseconds() const { return ps_; }
  constexpr Duration since_start() const { return Duration::Picoseconds(ps_); }
  constexpr double seconds() const { return static_cast<double>(ps_) * 1e-12; }

  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time operator+(Duration d) const { return Time(ps_ + d.picoseconds()); }
  constexpr Time operator-(Duration d) const { return Time(ps_ - d.picoseconds()); }
  constexpr Duration operator-(Time o) const { return Duration::Picoseconds(ps_ - o.ps_); }
  constexpr Time& operator+=(Duration d) { ps_ += d.picoseconds(); return *this; }

 private:
  explicit constexpr Time(int64_t ps) : ps_(ps) {}
  int64_t ps_ = 0;
};

// A counted quantity (integer) and its rate per second (double), told apart by a tag.
template <class Tag>
class Amount {
 public:
  constexpr Amount() = default;
  explicit constexpr Amount(int64_t count) : count_(count) {}
  constexpr int64_t count() const { return count_; }
  constexpr double value() const { return static_cast<double>(count_); }
  constexpr auto operator<=>(const Amount&) const = default;
  constexpr Amount operator+(Amount o) const { return Amount(count_ + o.count_); }
  constexpr Amount operator-(Amount o) const { return Amount(count_ - o.count_); }
  constexpr Amount& operator+=(Amount o) { count_ += o.count_; return *this; }
  constexpr Amount& operator-=(Amount o) { count_ -= o.count_; return *this; }
  constexpr Amount operator*(int64_t n) const { return Amount(count_ * n); }
  constexpr Amount operator/(int64_t n) const { return Amount(count_ / n); }

 private:
  int64_t count_ = 0;
};

template <class Tag>
class Rate {
 public:
  constexpr Rate() = default;
  explicit constexpr Rate(double per_second) : per_second_(per_second) {}
  constexpr double per_second() const { return per_second_; }
  constexpr auto operator<=>(const Rate&) const = default;
  constexpr Rate operator+(Rate o) const { return Rate(per_second_ + o.per_second_); }
  constexpr Rate operator*(double f) const { return Rate(per_second_ * f); }
  constexpr Rate operator/(double f) const { return Rate(per_second_ / f); }
  constexpr double operator/(Rate o) const { return per_second_ / o.per_second_; }

 private:
  double per_second_ = 0;
};

using Bytes = Amount<struct BytesTag>;
using Flops = Amount<struct FlopsTag>;
using BytesPerSecond = Rate<struct BytesTag>;
using FlopsPerSecond = Rate<struct FlopsTag>;

// Time to move or compute an amount at a rate: rounded up to whole nanoseconds; infinite at rate 0.
template <class Tag>
Duration operator/(Amount<Tag> amount, Rate<Tag> rate) {
  if (amount.count() <= 0) return Duration();
  if (rate.per_second() <= 0) return Duration::Infinite();
  const double ns = std::ceil(amount.value() / rate.per_second() * 1e9);
  return ns >= 9.2e15 ? Duration::Infinite() : Duration::Nanoseconds(static_cast<int64_t>(ns));
}

namespace literals {
constexpr Duration operator""_ns(unsigned long long n) { return Duration::Nanoseconds(static_cast<int64_t>(n)); }
constexpr Duration operator""_us(unsigned long long n) { return Duration::Microseconds(static_cast<int64_t>(n)); }
constexpr Duration operator""_ms(unsigned long long n) { return Duration::Microseconds(static_cast<int64_t>(n) * 1000); }
constexpr Bytes operator""_B(unsigned long long n) { return Bytes(static_cast<int64_t>(n)); }
constexpr Bytes operator""_KiB(unsigned long long n) { return Bytes(static_cast<int64_t>(n) << 10); }
constexpr Bytes operator""_MiB(unsigned long long n) { return Bytes(static_cast<int64_t>(n) << 20); }
constexpr Bytes operator""_GiB(unsigned long long n) { return Bytes(static_cast<int64_t>(n) << 30); }
constexpr BytesPerSecond operator""_GBps(unsigned long long n) { return BytesPerSecond(static_cast<double>(n) * 1e9); }
constexpr FlopsPerSecond operator""_TFLOPS(unsigned long long n) { return FlopsPerSecond(static_cast<double>(n) * 1e12); }
}  // namespace literals

}  // namespace stepsim::sim
