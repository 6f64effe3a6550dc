#include "sim/config/node.h"

#include "absl/strings/str_cat.h"
#include "sim/base/status.h"
#include "sim/config/node_data.h"
#include "sim/config/quantity.h"

namespace stepsim::sim {
namespace {

const ConfigNode::Data& MissingData() {
  static const auto* missing = new ConfigNode::Data();
  return *missing;
}

}  // namespace

ConfigNode::Kind ConfigNode::kind() const { return data_ == nullptr ? Kind::kMissing : data_->kind; }
const std::string& ConfigNode::text() const { return data_ == nullptr ? MissingData().text : data_->text; }
bool ConfigNode::quoted() const { return data_ != nullptr && data_->quoted; }
const std::string& ConfigNode::path() const { return data_ == nullptr ? MissingData().path : data_->path; }

const SourcePosition& ConfigNode::position() const {
  return data_ == nullptr ? MissingData().position : data_->position;
}

std::vector<ConfigNode> ConfigNode::items() const {
  return data_ == nullptr ? std::vector<ConfigNode>() : data_->items;
}

std::vector<std::pair<std::string, ConfigNode>> ConfigNode::fields() const {
  std::vector<std::pair<std::string, ConfigNode>> fields;
  if (data_ == nullptr) return fields;
  fields.reserve(data_->entries.size());
  for (const Data::Entry& entry : data_->entries) fields.emplace_back(entry.key.text(), entry.value);
  return fields;
}

ConfigNode ConfigNode::key_node(const std::string& key) const {
  if (data_ == nullptr) return ConfigNode();
  for (const Data::Entry& entry : data_->entries) {
    if (entry.key.text() == key) return entry.key;
  }
  return ConfigNode();
}

ConfigNode ConfigNode::operator[](const std::string& key) const {
  if (data_ == nullptr) return ConfigNode();
  for (const Data::Entry& entry : data_->entries) {
    if (entry.key.text() == key) return entry.value;
  }
  return ConfigNode();
}

namespace internal {

ConfigNode MakeNull(SourcePosition position, std::string path) {
  return ConfigNode(std::make_shared<const ConfigNode::Data>(
      ConfigNode::Data{ConfigNode::Kind::kNull, "", false, std::move(position), std::move(path), {}, {}}));
}

ConfigNode MakeScalar(std::string text, bool quoted, SourcePosition position, std::string path) {
  return ConfigNode(std::make_shared<const ConfigNode::Data>(ConfigNode::Data{
      ConfigNode::Kind::kScalar, std::move(text), quoted, std::move(position), std::move(path), {}, {}}));
}

ConfigNode MakeMapping(std::vector<ConfigNode::Data::Entry> entries, SourcePosition position, std::string path) {
  return ConfigNode(std::make_shared<const ConfigNode::Data>(ConfigNode::Data{
      ConfigNode::Kind::kMapping, "", false, std::move(position), std::move(path), {}, std::move(entries)}));
}

ConfigNode MakeSequence(std::vector<ConfigNode> items, SourcePosition position, std::string path) {
  return ConfigNode(std::make_shared<const ConfigNode::Data>(ConfigNode::Data{
      ConfigNode::Kind::kSequence, "", false, std::move(position), std::move(path), std::move(items), {}}));
}

std::string ChildPath(const std::string& parent, const std::string& key) {
  return parent.empty() ? key : absl::StrCat(parent, ".", key);
}

std::string ItemPath(const std::string& parent, size_t index) { return absl::StrCat(parent, "[", index, "]"); }

bool IsName(const ConfigNode& node) {
  return node.is_scalar() && (node.quoted() || (!ParseNumber(node.text()).ok() && !ParseBoolean(node.text()).ok()));
}

}  // namespace internal
}  // namespace stepsim::sim
