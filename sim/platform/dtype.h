// Number formats of tensors.
#pragma once

#include <cstdint>

namespace stepsim::sim {

enum class DType : uint8_t { kFp32, kTf32, kBf16, kFp16, kFp8, kInt64, kInt8 };

// Bytes per element (TF32 is stored as FP32).
constexpr int64_t ElementSize(DType type) {
  switch (type) {
    case DType::kInt64: return 8;
    case DType::kFp32:
    case DType::kTf32: return 4;
    case DType::kBf16:
    case DType::kFp16: return 2;
    case DType::kFp8:
    case DType::kInt8: return 1;
  }
  return 0;
}

constexpr const char* Name(DType type) {
  switch (type) {
    case DType::kFp32: return "fp32";
    case DType::kTf32: return "tf32";
    case DType::kBf16: return "bf16";
    case DType::kFp16: return "fp16";
    case DType::kFp8: return "fp8";
    case DType::kInt64: return "int64";
    case DType::kInt8: return "int8";
  }
  return "?";
}

}  // namespace stepsim::sim
