#include "sim/config/number.h"

#include <cstdlib>
#include <string>

#include "absl/strings/ascii.h"

namespace stepsim::sim::internal {
namespace {

bool IsDigit(absl::string_view text, size_t at) {
  return at < text.size() && absl::ascii_isdigit(static_cast<unsigned char>(text[at]));
}

// End of the digits at `at`; a single _ may stand between two digits.
size_t SkipDigits(absl::string_view text, size_t at) {
  while (IsDigit(text, at)) at += at + 1 < text.size() && text[at + 1] == '_' && IsDigit(text, at + 2) ? 2 : 1;
  return at;
}

}  // namespace

Numeral ScanNumeral(absl::string_view text) {
  Numeral numeral;
  size_t at = 0;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) numeral.is_negative = text[at++] == '-';
  const size_t whole = at;
  at = SkipDigits(text, at);
  numeral.has_leading_zero = at > whole + 1 && text[whole] == '0';
  bool any = at > whole;
  if (at < text.size() && text[at] == '.' && IsDigit(text, at + 1)) {
    at = SkipDigits(text, at + 1);
    numeral.is_whole = false;
    any = true;
  }
  if (!any) return Numeral();
  // "1e9" has an exponent, "1 EB" and "1e" have none.
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const size_t sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+') ? 1 : 0;
    if (IsDigit(text, at + 1 + sign)) {
      at = SkipDigits(text, at + 1 + sign);
      numeral.is_whole = false;
    }
  }
  numeral.length = at;
  return numeral;
}

double NumeralValue(absl::string_view numeral) {
  std::string digits;
  for (const char c : numeral) {
    if (c != '_') digits += c;
  }
  return std::strtod(digits.c_str(), nullptr);
}

}  // namespace stepsim::sim::internal
