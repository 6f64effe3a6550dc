// Seeded random streams by name: (seed, "stragglers") gives the same numbers on every machine and in every order of
// use. Own generator and distributions, since those of <random> differ between libraries.
#pragma once

#include <cstdint>

#include "absl/strings/string_view.h"

namespace stepsim::sim {

// FNV-1a over the bytes of the text: stable across machines, unlike absl::Hash.
uint64_t StableHash(absl::string_view text, uint64_t seed = 0);

// SplitMix64 (Steele, Lea, Flood 2014): 64 bits of state, period 2^64.
class RandomStream {
 public:
  RandomStream(uint64_t seed, absl::string_view name);
  uint64_t NextBits();
  // Uniform in [0, 1).
  double Uniform();
  // Uniform in [0, n); n > 0.
  uint64_t Below(uint64_t n);
  // Standard normal (Box-Muller).
  double Normal();

 private:
  uint64_t state_;
};

}  // namespace stepsim::sim
