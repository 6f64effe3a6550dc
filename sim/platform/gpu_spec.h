// What a GPU's data sheet says. Rates are dense (no sparsity); tensor rates accumulate in FP32 unless named otherwise.
// Absent values (a card without FP8) are zero.
#pragma once

#include <string>

#include "sim/base/units.h"

namespace stepsim::sim {

struct GpuSpec {
  std::string name;          // catalogue name, e.g. "a800-sxm4-80gb"
  std::string display_name;  // e.g. "A800-SXM4-80GB"
  std::string vendor;        // "NVIDIA", "AMD"
  std::string architecture;  // key of configs/calibration, e.g. "ampere-ga100"
  double compute_capability = 0;  // 8.9; 0 for AMD
  int64_t sms = 0;                // streaming multiprocessors (compute units on AMD)
  double boost_mhz = 0;
  FlopsPerSecond bf16;             // FP32 accumulate: what training uses, the peak of MFU
  FlopsPerSecond fp16;             // FP32 accumulate
  FlopsPerSecond fp16_fp16_accumulate;
  FlopsPerSecond fp8;
  FlopsPerSecond tf32;
  FlopsPerSecond fp32;             // vector units
  FlopsPerSecond fp4;
  Bytes memory;                    // what CUDA reports as total: usable by the job, its context included
  std::string memory_type;         // "HBM2e", "GDDR6 ECC"
  BytesPerSecond memory_rate;
  Bytes l2;
  double tdp_watts = 0;
  int64_t nvlink_generation = 0;   // 0: none; Infinity Fabric generation on AMD
  std::string nvlink_link;         // row of configs/links with the rate and payload of one link, e.g. "nvlink-3"
  int64_t nvlink_links = 0;
  BytesPerSecond nvlink_rate;      // all links together, one direction
  int64_t pcie_generation = 0;
  int64_t pcie_lanes = 0;
  bool pcie_peer_to_peer = false;  // whether the driver lets two cards copy directly over PCIe
  double price_usd = 0;            // 0: unknown
};

}  // namespace stepsim::sim
