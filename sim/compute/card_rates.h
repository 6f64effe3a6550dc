// What one card reaches: its sheet scaled by its architecture's rules. Units of this folder's equations: microseconds, bytes
// and FLOP, so rates are FLOP/us and B/us (models in docs/models/kernels.md use the same).
#pragma once

#include <map>
#include <string>

#include "sim/compute/architecture.h"
#include "sim/platform/dtype.h"
#include "sim/platform/gpu_spec.h"

namespace stepsim::sim {

struct MemoryClassRate {
  double hbm = 0;     // B/us from HBM
  double l2 = 0;      // B/us from L2
  double launch = 0;  // us
  double floor = 0;   // us
};

struct CardRates {
  double sms = 0;
  double clocks_per_us = 0;      // the clock reached, in MHz
  double tensor_16bit = 0;       // FLOP/us at that clock
  double tf32 = 0;
  double fp8 = 0;
  double fp32 = 0;               // sheet
  bool has_bf16 = false;
  bool has_fp16 = false;
  bool half_rate = false;        // sold with a reduced tensor rate
  double copy_efficiency = 0;    // of the sheet's memory rate
  double memory = 0;             // B/us by the sheet
  double l2_bytes = 0;
  double power_alone = 0;        // demand of tensor work at full rate over the power limit, random data
  double power_in_step = 0;      // the same with training's data
  double pcie = 0;               // B/us, raw rate of the link, one direction
  std::map<std::string, MemoryClassRate> classes;

  double Tensor(DType dtype) const;  // FLOP/us; 0: the card has no such tensor rate
};

CardRates MakeCardRates(const GpuSpec& spec, const Architecture& architecture);

}  // namespace stepsim::sim
