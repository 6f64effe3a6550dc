#include "sim/base/random.h"

#include <cmath>

namespace stepsim::sim {

uint64_t StableHash(absl::string_view text, uint64_t seed) {
  uint64_t hash = 14695981039346656037ULL ^ (seed * 0x9E3779B97F4A7C15ULL);
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  return hash;
}

RandomStream::RandomStream(uint64_t seed, absl::string_view name) : state_(StableHash(name, seed)) {}

uint64_t RandomStream::NextBits() {
  state_ += 0x9E3779B97F4A7C15ULL;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

double RandomStream::Uniform() { return static_cast<double>(NextBits() >> 11) * 0x1.0p-53; }

uint64_t RandomStream::Below(uint64_t n) {
  // Multiply-shift; the bias of at most n / 2^64 does not matter for simulation.
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>((static_cast<Wide>(NextBits()) * n) >> 64);
}

double RandomStream::Normal() {
  const double u = 1.0 - Uniform();
  const double v = Uniform();
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * 3.14159265358979323846 * v);
}

}  // namespace stepsim::sim
