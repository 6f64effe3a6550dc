// NCCL's three wire protocols (src/include/nccl_common.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace stepsim::sim {

enum class Protocol : uint8_t {
  kLl,      // 8-byte stores, half of them flags
  kLl128,   // 128-byte lines, 8 bytes of flags; NVLink only
  kSimple,  // whole chunks, then a flag
};
constexpr int kNumProtocols = 3;
const char* Name(Protocol protocol);

// InvalidArgument with the nearest match.
absl::StatusOr<Protocol> ParseProtocol(const std::string& name);

// Wire bytes per payload byte: 2, 128/120 (NCCL takes 1 / 0.92: src/graph/tuning.cc), 1.
double WireFactor(Protocol protocol);

}  // namespace stepsim::sim
