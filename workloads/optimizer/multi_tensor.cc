#include "workloads/optimizer/multi_tensor.h"

#include "sim/base/check.h"

namespace stepsim::workloads {
namespace {

// depth_to_max_tensors; fused Adam passes a step counter per tensor as well, which leaves room for 36.
int64_t MaxTensors(int lists) {
  switch (lists) {
    case 1: return 110;
    case 2: return 64;
    case 4: return 36;
    default: break;
  }
  SIM_CHECK(false) << "no launch takes " << lists << " lists";
  return 0;
}

}  // namespace

int64_t MultiTensorLaunches(const std::vector<int64_t>& sizes, int lists) {
  constexpr int64_t kChunk = 65536;
  constexpr int64_t kMaxChunks = 320;
  const int64_t max_tensors = MaxTensors(lists);
  int64_t launches = 0, tensors = 0, blocks = 0;
  for (const int64_t size : sizes) {
    if (size == 0) continue;
    ++tensors;
    const int64_t chunks = (size + kChunk - 1) / kChunk;
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      ++blocks;
      const bool is_last = chunk == chunks - 1;
      if (blocks != kMaxChunks && !(tensors == max_tensors && is_last)) continue;
      ++launches;
      blocks = 0;
      tensors = is_last ? 0 : 1;  // the tensor goes on in the next launch
    }
  }
  return launches + (blocks > 0 ? 1 : 0);
}

}  // namespace stepsim::workloads
