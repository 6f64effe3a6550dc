#include "sim/config/quantity.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "sim/base/near_match.h"
#include "sim/base/status.h"
#include "sim/config/diagnostics.h"
#include "sim/config/number.h"
#include "sim/config/units_table.h"

namespace stepsim::sim {
namespace {

using internal::Dimension;

absl::Status Expected(absl::string_view what, absl::string_view found) {
  return absl::InvalidArgumentError(absl::StrCat("expected ", what, "; ", found));
}

// Why `text` is not a number, for people who know other notations.
std::string NotANumber(absl::string_view text) {
  if (text.empty()) return "found nothing";
  const std::string lower = absl::AsciiStrToLower(text.substr(0, 8));
  if (lower == ".inf" || lower == "-.inf" || lower == "+.inf" || lower == ".nan" || lower == "inf" || lower == "nan" ||
      lower == "infinity") {
    return absl::StrCat(Shown(text), " is not finite");
  }
  const bool based = lower.size() > 1 && lower[0] == '0' && (lower[1] == 'x' || lower[1] == 'o' || lower[1] == 'b');
  if (based) return absl::StrCat(Shown(text), " is not decimal");
  return absl::StrCat(Shown(text), " is none");
}

std::string LeadingZero(absl::string_view text) {
  return absl::StrCat(Shown(text), " has a leading zero, which other readers take for octal");
}

// The multiplier of an integer's suffix; 0 if it is none.
int64_t CountMultiplier(absl::string_view suffix) {
  static constexpr struct { const char* name; int64_t factor; } kSuffixes[] = {
      {"", 1}, {"k", 1000}, {"K", 1000}, {"M", 1000000}, {"G", 1000000000}, {"T", 1000000000000},
      {"Ki", int64_t{1} << 10}, {"Mi", int64_t{1} << 20}, {"Gi", int64_t{1} << 30}, {"Ti", int64_t{1} << 40}};
  for (const auto& entry : kSuffixes) {
    if (suffix == entry.name) return entry.factor;
  }
  return 0;
}

// Near matches ignore case, but b is not B: among equally near units the one that begins alike.
std::string NearestUnit(absl::string_view name, const std::vector<std::string>& units, std::string nearest) {
  const auto alike = [name](const std::string& unit) {
    const size_t length = std::min(name.size(), unit.size());
    return std::mismatch(name.begin(), name.begin() + length, unit.begin()).first - name.begin();
  };
  for (const std::string& unit : units) {
    if (EditDistance(name, unit) == EditDistance(name, nearest) && alike(unit) > alike(nearest)) nearest = unit;
  }
  return nearest;
}

std::string UnknownUnit(absl::string_view text, absl::string_view unit, Dimension dimension) {
  if (unit.empty()) return absl::StrCat(Shown(text), " has no unit");
  std::string message = absl::StrCat("unknown unit ", Shown(unit));
  const std::vector<std::string> units = internal::UnitNames(dimension);
  if (const auto near = NearestMatch(unit, units)) {
    absl::StrAppend(&message, ", did you mean \"", NearestUnit(unit, units, *near), "\"?");
  }
  return message;
}

// The value of `text` in the base unit of the dimension.
absl::StatusOr<double> ParseQuantity(absl::string_view text, Dimension dimension) {
  const absl::string_view trimmed = absl::StripAsciiWhitespace(text);
  const char* example = internal::DimensionExample(dimension);
  const internal::Numeral numeral = internal::ScanNumeral(trimmed);
  if (numeral.length == 0) return Expected(example, NotANumber(trimmed));
  if (numeral.has_leading_zero) return Expected(example, LeadingZero(trimmed));
  const absl::string_view unit_text = absl::StripAsciiWhitespace(trimmed.substr(numeral.length));
  const internal::Unit* unit = internal::FindUnit(unit_text);
  if (unit == nullptr) return Expected(example, UnknownUnit(trimmed, unit_text, dimension));
  if (unit->dimension != dimension) {
    const char* word = dimension != Dimension::kSize && unit->dimension == Dimension::kBits
                           ? "a size" : internal::DimensionWord(unit->dimension);
    return Expected(example, absl::StrCat(Shown(trimmed), " is ", word));
  }
  const double value = internal::NumeralValue(trimmed.substr(0, numeral.length)) * unit->factor;
  if (numeral.is_negative && value != 0) return Expected(example, absl::StrCat(Shown(trimmed), " is negative"));
  if (!std::isfinite(value)) return Expected(example, absl::StrCat(Shown(trimmed), " is too large"));
  return std::fabs(value);
}

// Likewise, rounded to a whole number below 2^63.
absl::StatusOr<int64_t> ParseWholeQuantity(absl::string_view text, Dimension dimension) {
  SIM_ASSIGN_OR_RETURN(const double value, ParseQuantity(text, dimension));
  if (value >= 0x1p63) {
    return Expected(internal::DimensionExample(dimension), absl::StrCat(Shown(text), " is too large"));
  }
  const double whole = std::nearbyint(value);
  if (whole == 0 && value > 0) {
    const char* least = dimension == Dimension::kTime ? "a picosecond" : "a byte";
    return Expected(internal::DimensionExample(dimension), absl::StrCat(Shown(text), " is less than half ", least));
  }
  return static_cast<int64_t>(whole);
}

}  // namespace

absl::StatusOr<int64_t> ParseInteger(absl::string_view text) {
  constexpr absl::string_view kWhat = "an integer such as 8 or 2Mi";
  const absl::string_view trimmed = absl::StripAsciiWhitespace(text);
  const internal::Numeral numeral = internal::ScanNumeral(trimmed);
  if (numeral.length == 0) return Expected(kWhat, NotANumber(trimmed));
  const absl::string_view suffix = trimmed.substr(numeral.length);
  const int64_t multiplier = CountMultiplier(suffix);
  if (numeral.has_leading_zero) return Expected(kWhat, LeadingZero(trimmed));
  if (multiplier == 0) return Expected(kWhat, NotANumber(trimmed));
  if (!numeral.is_whole) return Expected(kWhat, absl::StrCat(Shown(trimmed), " has a fraction or an exponent"));
  const std::string digits = absl::StrReplaceAll(trimmed.substr(0, numeral.length), {{"_", ""}});
  int64_t value = 0;
  if (!absl::SimpleAtoi(digits, &value) || __builtin_mul_overflow(value, multiplier, &value)) {
    return Expected(kWhat, absl::StrCat(Shown(trimmed), " is too large"));
  }
  return value;
}

absl::StatusOr<double> ParseNumber(absl::string_view text) {
  constexpr absl::string_view kWhat = "a number such as 0.5 or 1e9";
  const absl::string_view trimmed = absl::StripAsciiWhitespace(text);
  const internal::Numeral numeral = internal::ScanNumeral(trimmed);
  if (numeral.length == 0 || numeral.length != trimmed.size()) return Expected(kWhat, NotANumber(trimmed));
  if (numeral.has_leading_zero) return Expected(kWhat, LeadingZero(trimmed));
  const double value = internal::NumeralValue(trimmed);
  if (!std::isfinite(value)) return Expected(kWhat, absl::StrCat(Shown(trimmed), " is too large"));
  return value;
}

absl::StatusOr<bool> ParseBoolean(absl::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return Expected("true or false", text.empty() ? "found nothing" : absl::StrCat("found ", Shown(text)));
}

absl::StatusOr<Bytes> ParseBytes(absl::string_view text) {
  SIM_ASSIGN_OR_RETURN(const int64_t bytes, ParseWholeQuantity(text, Dimension::kSize));
  return Bytes(bytes);
}

absl::StatusOr<BytesPerSecond> ParseByteRate(absl::string_view text) {
  SIM_ASSIGN_OR_RETURN(const double rate, ParseQuantity(text, Dimension::kRate));
  return BytesPerSecond(rate);
}

absl::StatusOr<FlopsPerSecond> ParseFlopRate(absl::string_view text) {
  SIM_ASSIGN_OR_RETURN(const double rate, ParseQuantity(text, Dimension::kFlopRate));
  return FlopsPerSecond(rate);
}

absl::StatusOr<Duration> ParseDuration(absl::string_view text) {
  SIM_ASSIGN_OR_RETURN(const int64_t picoseconds, ParseWholeQuantity(text, Dimension::kTime));
  return Duration::Picoseconds(picoseconds);
}

}  // namespace stepsim::sim
