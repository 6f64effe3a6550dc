#include "sim/compute/cost.h"

namespace stepsim::sim {

const char* Name(Bound bound) {
  switch (bound) {
    case Bound::kTensor: return "tensor";
    case Bound::kFp32: return "fp32";
    case Bound::kMemory: return "memory";
    case Bound::kL2: return "l2";
    case Bound::kLaunch: return "launch";
    case Bound::kPcie: return "pcie";
  }
  return "?";
}

}  // namespace stepsim::sim
