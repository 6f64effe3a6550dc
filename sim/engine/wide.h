// 128-bit integers for exact products of 64-bit quantities (unit·picosecond, capacity·weight).
#pragma once

#include <cstdint>

namespace stepsim::sim {

__extension__ using Int128 = __int128;

constexpr Int128 Product(int64_t a, int64_t b) { return static_cast<Int128>(a) * b; }

}  // namespace stepsim::sim
