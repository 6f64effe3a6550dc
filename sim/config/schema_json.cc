// The JSON Schema of scalars, for editors.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "sim/config/number.h"
#include "sim/config/schema.h"
#include "sim/config/units_table.h"

namespace stepsim::sim::internal {
namespace {

// A regular expression for numbers with the units that the example's unit stands for.
std::string QuantityPattern(absl::string_view example) {
  const Numeral numeral = ScanNumeral(example);
  absl::string_view unit_name = example.substr(numeral.length);
  while (!unit_name.empty() && unit_name[0] == ' ') unit_name.remove_prefix(1);
  const Unit* unit = FindUnit(unit_name);
  if (unit == nullptr) return ".*";
  return absl::StrCat("^\\+?[0-9_.]+([eE][-+]?[0-9]+)? *(", absl::StrJoin(UnitNames(unit->dimension), "|"), ")$");
}

}  // namespace

nlohmann::json ScalarSchema(const char* type, const Field& field, const char* unit_example) {
  nlohmann::json json = {{"type", type}};
  if (!field.help.empty()) json["description"] = field.help;
  if (unit_example != nullptr) {
    json["pattern"] = QuantityPattern(unit_example);
    json["examples"] = {unit_example};
    return json;
  }
  const bool is_integer = json["type"] == "integer";
  if (is_integer) {
    // 2Mi is text to an editor; the pattern binds text alone, the bounds numbers alone.
    json["type"] = {"integer", "string"};
    json["pattern"] = "^[-+]?[0-9_]+([kKMGT]|[KMGT]i)?$";
  }
  const auto bound = [is_integer](double value) {
    return is_integer ? nlohmann::json(static_cast<int64_t>(value)) : nlohmann::json(value);
  };
  if (field.min) json["minimum"] = bound(*field.min);
  if (field.max) json["maximum"] = bound(*field.max);
  if (field.positive) json["exclusiveMinimum"] = 0;
  return json;
}

}  // namespace stepsim::sim::internal
