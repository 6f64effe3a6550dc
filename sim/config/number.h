// The lexical form of numbers: decimal only, so that 010 is not 8 and 0x10 is not 16 in silence. Internal to sim/config.
#pragma once

#include <cstddef>

#include "absl/strings/string_view.h"

namespace stepsim::sim::internal {

struct Numeral {
  size_t length = 0;       // bytes of the text it takes; 0 if there is no number
  bool is_whole = true;    // no point, no exponent
  bool has_leading_zero = false;  // 010
  bool is_negative = false;
};

// The number that the text begins with: sign, digits (1_000 allowed), fraction, exponent.
Numeral ScanNumeral(absl::string_view text);

// Value of a scanned numeral's text; infinite beyond the range of double.
double NumeralValue(absl::string_view numeral);

}  // namespace stepsim::sim::internal
