// Numbers with units as users write them: "400 Gb/s", "80 GiB", "5 us", "312 TFLOPS", "2Mi". A unit is never optional, b
// is bit and B is byte, k M G T are 10^3…, Ki Mi Gi Ti are 2^10…
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "sim/base/units.h"

namespace stepsim::sim {

// Errors name what was expected, e.g. `expected a rate such as "400 Gb/s" or "50 GB/s"; "432 Gb" is a size`.
absl::StatusOr<int64_t> ParseInteger(absl::string_view text);      // 5, -3, 1_000, 2Ki, 2Mi, 1k; no octal, no 1e9
absl::StatusOr<double> ParseNumber(absl::string_view text);        // finite; 1e9 allowed
absl::StatusOr<bool> ParseBoolean(absl::string_view text);         // true, false only
absl::StatusOr<Bytes> ParseBytes(absl::string_view text);
absl::StatusOr<BytesPerSecond> ParseByteRate(absl::string_view text);
absl::StatusOr<FlopsPerSecond> ParseFlopRate(absl::string_view text);
absl::StatusOr<Duration> ParseDuration(absl::string_view text);

// For people: "1.5 GiB", "23.8 GB/s", "312 TFLOPS", "812.3 ms".
std::string FormatBytes(Bytes bytes);
std::string FormatByteRate(BytesPerSecond rate);
std::string FormatFlopRate(FlopsPerSecond rate);
std::string FormatDuration(Duration duration);

}  // namespace stepsim::sim
