// Words of a scenario that the field knows but that are not modelled yet: told apart from misspellings.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "sim/config/schema.h"

namespace stepsim::workloads {

// A reader for sim::Schema::Custom. `modelled` are the values; `known` the words that get "not modelled yet".
template <class T, class M, class E>
typename sim::Schema<T>::ReadFunction ModelledChoice(M T::*member, std::vector<std::pair<std::string, E>> modelled,
                                                     std::vector<std::string> known) {
  return [member, modelled, known](const sim::ConfigNode& node, T* out, sim::Diagnostics* problems) {
    std::vector<std::string> names;
    for (const auto& value : modelled) names.push_back(value.first);
    const std::string list = absl::StrJoin(names, ", ");
    names.insert(names.end(), known.begin(), known.end());
    const auto index = sim::internal::ReadChoice(node, names, problems);
    if (!index) return;
    const auto row = static_cast<size_t>(*index);
    if (row >= modelled.size()) {
      problems->Add(node.position(), absl::StrCat("\"", node.text(), "\" is not modelled yet; modelled: ", list));
    } else {
      out->*member = modelled[row].second;
    }
  };
}

// For a key of which only one value is modelled.
template <class T>
typename sim::Schema<T>::ReadFunction OnlyValue(std::string only, std::vector<std::string> known) {
  return [only, known](const sim::ConfigNode& node, T*, sim::Diagnostics* problems) {
    std::vector<std::string> names = {only};
    names.insert(names.end(), known.begin(), known.end());
    const auto index = sim::internal::ReadChoice(node, names, problems);
    if (index && *index > 0) {
      problems->Add(node.position(), absl::StrCat("\"", node.text(), "\" is not modelled yet; modelled: ", only));
    }
  };
}

}  // namespace stepsim::workloads
