// The units that quantities may be written in. Internal to sim/config.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace stepsim::sim::internal {

enum class Dimension { kSize, kBits, kRate, kFlopRate, kTime };

struct Unit {
  std::string name;
  Dimension dimension;
  double factor;  // to bytes, bytes/s, flop/s; for times to picoseconds
};

const std::vector<Unit>& Units();

// Null if there is no such unit.
const Unit* FindUnit(absl::string_view name);

// "a rate": as messages say what a quantity of the dimension is.
const char* DimensionWord(Dimension dimension);

// `a rate such as "400 Gb/s" (bits) or "50 GB/s" (bytes)`: as messages say what is expected.
const char* DimensionExample(Dimension dimension);

std::vector<std::string> UnitNames(Dimension dimension);

}  // namespace stepsim::sim::internal
