// A study: scenarios side by side, with variants, and the question they answer (configs/studies/*.yaml). The first scenario
// is the baseline that the others are compared to.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"
#include "sim/config/catalogue.h"
#include "sim/config/node.h"

namespace stepsim::app {

struct StudyEntry {
  sim::ConfigNode scenario;  // root of the scenario, variant and overrides applied
};

struct Study {
  std::string name;
  std::string question;
  double target_ratio = 0;  // of tokens/s against the baseline; 0: none
  std::vector<StudyEntry> entries;
};

// One study file, or two or more scenario files. Overrides apply to every scenario.
absl::StatusOr<Study> LoadStudy(const sim::Catalogue& catalogue, const std::vector<std::string>& paths,
                                const std::vector<std::string>& overrides);

nlohmann::json StudyJsonSchema();

}  // namespace stepsim::app
