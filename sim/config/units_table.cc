#include "sim/config/units_table.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace stepsim::sim::internal {
namespace {

std::vector<Unit> MakeUnits() {
  const std::pair<const char*, double> decimal[] = {{"", 1}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}};
  const std::pair<const char*, double> binary[] = {{"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"Ti", 0x1p40}, {"Pi", 0x1p50}};
  std::vector<Unit> units;
  const auto add_sizes = [&units](const char* prefix, double factor) {
    units.push_back({absl::StrCat(prefix, "B"), Dimension::kSize, factor});
    units.push_back({absl::StrCat(prefix, "b"), Dimension::kBits, factor / 8});
    units.push_back({absl::StrCat(prefix, "B/s"), Dimension::kRate, factor});
    units.push_back({absl::StrCat(prefix, "b/s"), Dimension::kRate, factor / 8});
  };
  for (const auto& [prefix, factor] : decimal) add_sizes(prefix, factor);
  for (const auto& [prefix, factor] : binary) add_sizes(prefix, factor);
  for (const auto& [prefix, factor] : decimal) {
    units.push_back({absl::StrCat(prefix, "FLOPS"), Dimension::kFlopRate, factor});
    units.push_back({absl::StrCat(prefix, "FLOP/s"), Dimension::kFlopRate, factor});
  }
  const std::pair<const char*, double> times[] = {{"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}, {"min", 60e12}, {"h", 3600e12}};
  for (const auto& [name, factor] : times) units.push_back({name, Dimension::kTime, factor});
  return units;
}

}  // namespace

const std::vector<Unit>& Units() {
  static const auto* units = new std::vector<Unit>(MakeUnits());
  return *units;
}

const Unit* FindUnit(absl::string_view name) {
  for (const Unit& unit : Units()) {
    if (absl::string_view(unit.name) == name) return &unit;
  }
  return nullptr;
}

const char* DimensionWord(Dimension dimension) {
  switch (dimension) {
    case Dimension::kSize: return "a size";
    case Dimension::kBits: return "a size in bits";
    case Dimension::kRate: return "a rate";
    case Dimension::kFlopRate: return "a compute rate";
    case Dimension::kTime: return "a time";
  }
  return "";
}

const char* DimensionExample(Dimension dimension) {
  switch (dimension) {
    case Dimension::kSize:
    case Dimension::kBits: return "a size in bytes such as \"80 GiB\" or \"24 GB\"";
    case Dimension::kRate: return "a rate such as \"400 Gb/s\" (bits) or \"50 GB/s\" (bytes)";
    case Dimension::kFlopRate: return "a compute rate such as \"312 TFLOPS\"";
    case Dimension::kTime: return "a time such as \"5 us\" or \"1.5 ms\"";
  }
  return "";
}

std::vector<std::string> UnitNames(Dimension dimension) {
  std::vector<std::string> names;
  for (const Unit& unit : Units()) {
    if (unit.dimension == dimension) names.push_back(unit.name);
  }
  return names;
}

}  // namespace stepsim::sim::internal
