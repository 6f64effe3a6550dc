// What a comparison says beyond its results: ratios to the baseline, and what explains the difference.
#pragma once

#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "sim/run/result.h"

namespace stepsim::app {

// Where the extra time of a step goes, in seconds for the same tokens (the baseline's): positive is slower.
struct Explanation {
  double compute_s = 0;                // kernels, beside collectives or not
  double exposed_communication_s = 0;
  double host_and_idle_s = 0;
};

Explanation Explain(const sim::Result& baseline, const sim::Result& other);

// Text for people: for each other result its ratio, the explanation, and whether it reaches the target (0: no target).
std::string ComparisonText(const std::vector<sim::Result>& results, double target_ratio);

nlohmann::ordered_json ComparisonJson(const std::vector<sim::Result>& results, double target_ratio);

}  // namespace stepsim::app
