// Launch count of ATen's multi_tensor_apply (ATen/native/cuda/MultiTensorApply.cuh): a launch takes at most 320 chunks of
// 65536 elements, and as many tensors as fit its argument block.
#pragma once

#include <cstdint>
#include <vector>

namespace stepsim::workloads {

// sizes: elements per tensor. lists: tensor lists read together (1: norm, 2: copy, 4: fused Adam with its step counters).
int64_t MultiTensorLaunches(const std::vector<int64_t>& sizes, int lists);

}  // namespace stepsim::workloads
