#include "tests/trace/sequence_texts.h"

#include "absl/strings/str_cat.h"

namespace stepsim::sim {

void SequenceTexts::Begin() {
  begun_ = true;
  for (auto& table : by_iid_) table.clear();
  for (auto& table : texts_) table.clear();
}

void SequenceTexts::Add(const perfetto_test::InternedData& data, std::vector<std::string>& problems) {
  for (const auto& entry : data.event_categories()) Add(kCategory, entry, problems);
  for (const auto& entry : data.event_names()) Add(kName, entry, problems);
  for (const auto& entry : data.debug_annotation_names()) Add(kArgName, entry, problems);
  for (const auto& entry : data.debug_annotation_string_values()) Add(kText, entry, problems);
}

void SequenceTexts::Add(Kind kind, const perfetto_test::Interned& entry, std::vector<std::string>& problems) {
  if (entry.iid() == 0) problems.push_back(absl::StrCat("'", entry.text(), "' is interned under number 0"));
  if (!by_iid_[kind].emplace(entry.iid(), entry.text()).second) {
    problems.push_back(
        absl::StrCat("number ", entry.iid(), " is given a second time, to '", entry.text(), "'"));
  }
  if (!texts_[kind].insert(entry.text()).second) {
    problems.push_back(absl::StrCat("'", entry.text(), "' is interned a second time"));
  }
}

std::string SequenceTexts::Find(Kind kind, uint64_t iid, std::vector<std::string>& problems) const {
  const auto found = by_iid_[kind].find(iid);
  if (found != by_iid_[kind].end()) return found->second;
  problems.push_back(absl::StrCat("interned text ", iid, " is used before it is defined"));
  return "";
}

}  // namespace stepsim::sim
