// Declares once how a struct is written in YAML: name, type and unit, range, help. Reading, error messages and the JSON
// Schema for editors all come from that declaration. A field that is absent keeps the struct's default.
//
//   const Schema<TrainingSpec>& TrainingSchema() {
//     static const auto* schema = new Schema<TrainingSpec>(Schema<TrainingSpec>("training")
//         .Integer("sequence_length", &TrainingSpec::sequence_length, {.help = "tokens", .required = true, .min = 1}));
//     return *schema;
//   }
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"
#include "sim/base/near_match.h"
#include "sim/config/diagnostics.h"
#include "sim/config/node.h"
#include "sim/config/quantity.h"

namespace stepsim::sim {

struct Field {
  std::string help = {};
  bool required = false;
  std::optional<double> min = std::nullopt;  // inclusive, in the base unit (bytes, bytes/s, flop/s, seconds)
  std::optional<double> max = std::nullopt;
  bool positive = false;      // > 0
};

namespace internal {
// Each reports on `problems` and returns nothing when the node is not what is expected.
std::optional<int64_t> ReadInteger(const ConfigNode& node, const Field& field, Diagnostics* problems);
std::optional<double> ReadNumber(const ConfigNode& node, const Field& field, Diagnostics* problems);
std::optional<bool> ReadBoolean(const ConfigNode& node, const Field& field, Diagnostics* problems);
std::optional<std::string> ReadText(const ConfigNode& node, const Field& field, Diagnostics* problems);
std::optional<Bytes> ReadBytes(const ConfigNode& node, const Field& field, Diagnostics* problems);
std::optional<BytesPerSecond> ReadByteRate(const ConfigNode& node, const Field& field, Diagnostics* problems);
std::optional<FlopsPerSecond> ReadFlopRate(const ConfigNode& node, const Field& field, Diagnostics* problems);
std::optional<Duration> ReadDuration(const ConfigNode& node, const Field& field, Diagnostics* problems);
std::optional<int> ReadChoice(const ConfigNode& node, const std::vector<std::string>& names, Diagnostics* problems);
bool ExpectMapping(const ConfigNode& node, Diagnostics* problems);
bool ExpectSequence(const ConfigNode& node, Diagnostics* problems);
void ReportUnknownKeys(const ConfigNode& node, const std::vector<std::string>& known, Diagnostics* problems);
void ReportMissingKey(const ConfigNode& node, const std::string& key, Diagnostics* problems);
// {"type": …, "description": …, minimum/maximum…}; pattern is for quantities with units.
nlohmann::json ScalarSchema(const char* type, const Field& field, const char* unit_example);
}  // namespace internal

template <class T>
class Schema {
 public:
  explicit Schema(std::string title) : title_(std::move(title)) {}

  Schema& Integer(const std::string& name, int64_t T::*member, Field field = {}) {
    return Scalar(name, member, std::move(field), internal::ReadInteger, "integer", nullptr);
  }
  Schema& Number(const std::string& name, double T::*member, Field field = {}) {
    return Scalar(name, member, std::move(field), internal::ReadNumber, "number", nullptr);
  }
  Schema& Boolean(const std::string& name, bool T::*member, Field field = {}) {
    return Scalar(name, member, std::move(field), internal::ReadBoolean, "boolean", nullptr);
  }
  Schema& Text(const std::string& name, std::string T::*member, Field field = {}) {
    return Scalar(name, member, std::move(field), internal::ReadText, "string", nullptr);
  }
  Schema& Size(const std::string& name, Bytes T::*member, Field field = {}) {
    return Scalar(name, member, std::move(field), internal::ReadBytes, "string", "80 GiB");
  }
  Schema& ByteRate(const std::string& name, BytesPerSecond T::*member, Field field = {}) {
    return Scalar(name, member, std::move(field), internal::ReadByteRate, "string", "400 Gb/s");
  }
  Schema& FlopRate(const std::string& name, FlopsPerSecond T::*member, Field field = {}) {
    return Scalar(name, member, std::move(field), internal::ReadFlopRate, "string", "312 TFLOPS");
  }
  Schema& Time(const std::string& name, Duration T::*member, Field field = {}) {
    return Scalar(name, member, std::move(field), internal::ReadDuration, "string", "5 us");
  }

  // One of a fixed list of words.
  template <class E>
  Schema& Choice(const std::string& name, E T::*member, std::vector<std::pair<std::string, E>> values, Field field = {}) {
    std::vector<std::string> names;
    for (const auto& value : values) names.push_back(value.first);
    nlohmann::json json = {{"enum", names}, {"description", field.help}};
    return Add(name, std::move(field), std::move(json),
               [member, names, values](const ConfigNode& node, T* out, Diagnostics* problems) {
                 if (const auto index = internal::ReadChoice(node, names, problems)) {
                   out->*member = values[static_cast<size_t>(*index)].second;
                 }
               });
  }

  template <class U>
  Schema& Struct(const std::string& name, U T::*member, const Schema<U>& schema, Field field = {}) {
    nlohmann::json json = schema.ToJson();
    return Add(name, std::move(field), std::move(json),
               [member, &schema](const ConfigNode& node, T* out, Diagnostics* problems) {
                 schema.Read(node, &(out->*member), problems);
               });
  }

  template <class U>
  Schema& List(const std::string& name, std::vector<U> T::*member, const Schema<U>& schema, Field field = {}) {
    nlohmann::json json = {{"type", "array"}, {"description", field.help}, {"items", schema.ToJson()}};
    return Add(name, std::move(field), std::move(json),
               [member, &schema](const ConfigNode& node, T* out, Diagnostics* problems) {
                 if (!internal::ExpectSequence(node, problems)) return;
                 for (const ConfigNode& item : node.items()) {
                   U value;
                   schema.Read(item, &value, problems);
                   (out->*member).push_back(std::move(value));
                 }
               });
  }

  // Anything else: `read` reports on the diagnostics itself; `json` describes it to editors.
  using ReadFunction = std::function<void(const ConfigNode&, T*, Diagnostics*)>;
  Schema& Custom(const std::string& name, ReadFunction read, nlohmann::json json, Field field = {}) {
    if (!field.help.empty()) json["description"] = field.help;
    return Add(name, std::move(field), std::move(json), std::move(read));
  }

  // Runs after all fields were read without a problem; `node` gives positions (node["heads"].position()).
  using CheckFunction = std::function<void(const ConfigNode& node, const T& value, Diagnostics*)>;
  Schema& Check(CheckFunction check) {
    checks_.push_back(std::move(check));
    return *this;
  }

  void Read(const ConfigNode& node, T* out, Diagnostics* problems) const {
    if (!internal::ExpectMapping(node, problems)) return;
    const size_t before = problems->size();
    std::vector<std::string> known;
    for (const Entry& entry : entries_) {
      known.push_back(entry.name);
      const ConfigNode value = node[entry.name];
      if (!value.is_missing()) entry.read(value, out, problems);
      if (value.is_missing() && entry.field.required) internal::ReportMissingKey(node, entry.name, problems);
    }
    internal::ReportUnknownKeys(node, known, problems);
    if (problems->size() != before) return;
    for (const CheckFunction& check : checks_) check(node, *out, problems);
  }

  nlohmann::json ToJson() const {
    nlohmann::json properties = nlohmann::json::object();
    nlohmann::json required = nlohmann::json::array();
    for (const Entry& entry : entries_) {
      properties[entry.name] = entry.json;
      if (entry.field.required) required.push_back(entry.name);
    }
    nlohmann::json json = {{"type", "object"}, {"title", title_}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty()) json["required"] = required;
    return json;
  }

 private:
  struct Entry {
    std::string name;
    Field field;
    nlohmann::json json;
    ReadFunction read;
  };

  Schema& Add(const std::string& name, Field field, nlohmann::json json, ReadFunction read) {
    entries_.push_back({name, std::move(field), std::move(json), std::move(read)});
    return *this;
  }

  template <class V, class Reader>
  Schema& Scalar(const std::string& name, V T::*member, Field field, Reader reader, const char* type, const char* unit) {
    nlohmann::json json = internal::ScalarSchema(type, field, unit);
    Field copy = field;
    return Add(name, std::move(field), std::move(json),
               [member, reader, copy](const ConfigNode& node, T* out, Diagnostics* problems) {
                 if (auto value = reader(node, copy, problems)) out->*member = *std::move(value);
               });
  }

  std::string title_;
  std::vector<Entry> entries_;
  std::vector<CheckFunction> checks_;
};

// Reads a whole document into a T.
template <class T>
absl::StatusOr<T> ReadWith(const Schema<T>& schema, const ConfigNode& node) {
  T value;
  Diagnostics problems;
  schema.Read(node, &value, &problems);
  if (!problems.empty()) return problems.ToStatus();
  return value;
}

}  // namespace stepsim::sim
