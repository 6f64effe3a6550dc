// What a kernel costs on a GPU when it runs alone: time at the clock of the mix it runs in, and what it holds meanwhile.
#pragma once

#include "sim/base/units.h"

namespace stepsim::sim {

// What bounds a kernel's time.
enum class Bound : uint8_t { kTensor, kFp32, kMemory, kL2, kLaunch, kPcie };
const char* Name(Bound bound);

struct KernelCost {
  Duration time;            // alone
  Bound bound = Bound::kLaunch;
  double waves = 1;         // CTAs over the slots of the GPU: rounds of thread blocks (≥ 1)
  double sm_share = 1;      // share of the SMs it occupies while it runs, 0 … 1
  Bytes memory_traffic;     // bytes that reach HBM/GDDR
};

}  // namespace stepsim::sim
