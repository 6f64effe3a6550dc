// Results as tables for people.
#pragma once

#include <string>
#include <vector>

#include "sim/run/result.h"

namespace stepsim::app {

// Columns padded to the widest cell; the first column is left-aligned, the others right-aligned.
std::string AlignedTable(const std::vector<std::vector<std::string>>& rows);

// One column a result; with two or more, ratios to the first follow where they say something.
std::string ResultTable(const std::vector<sim::Result>& results);

// "node0/cpu0→node0/cpu1 …" etc.: bottleneck, collectives, warnings of one result, below its table.
std::string ResultDetails(const sim::Result& result);

}  // namespace stepsim::app
