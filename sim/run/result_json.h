// The machine form of a result (docs/result.md). Numbers are written with as many digits as round-trip; keys in fixed order.
#pragma once

#include "nlohmann/json.hpp"
#include "sim/run/result.h"

namespace stepsim::sim {

nlohmann::ordered_json ToJson(const Result& result, const std::string& version);

}  // namespace stepsim::sim
