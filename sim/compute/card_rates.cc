#include "sim/compute/card_rates.h"

#include <algorithm>
#include <cmath>

namespace stepsim::sim {
namespace {

constexpr double kPerMicrosecond = 1e-6;
// A part whose sheet rate is below this share of (SMs × full rate × clock) was sold with a reduced tensor rate: GeForce, L40
// and L20 0.5, H20 0.23; the lowest of the others is H100 NVL, 0.87 (its sheet quotes a lower clock).
constexpr double kReducedRate = 0.75;
// Payload of one PCIe lane in GB/s and direction by generation (8b/10b up to 2, 128b/130b up to 5, flits of 6).
constexpr double kPcieLane[] = {0, 0.25, 0.5, 0.985, 1.969, 3.938, 7.563};
// Issue and HBM limits of a memory-bound kernel join as those of a GEMM do (KERNELS.md §2: exponent 3).
constexpr double kJoin = 3;

BoardRule RuleOf(const GpuSpec& spec, const Architecture& architecture) {
  for (const BoardRule& rule : architecture.boards) {
    if (spec.name.find(rule.name_contains) != std::string::npos) return rule;
  }
  return BoardRule();
}

double CopyEfficiency(const GpuSpec& spec, const MemoryParameters& memory) {
  const auto found = memory.copy_efficiency.find(spec.memory_type);
  if (found != memory.copy_efficiency.end()) return found->second;
  double lowest = 1;  // memory nobody measured: as the least efficient known
  for (const auto& [type, share] : memory.copy_efficiency) lowest = std::min(lowest, share);
  return lowest;
}

// Bytes a clock that one SM issues in kernels of the class: what joins with the copy rate of the reference card to the rate
// measured there. Infinite for classes that are as fast as a copy.
double IssueRate(double share, const MemoryParameters& m) {
  const double relative = share / m.reference_copy_efficiency;
  if (relative >= 1) return HUGE_VAL;
  const double issue = share * m.reference_rate.per_second() * std::pow(1 - std::pow(relative, kJoin), -1 / kJoin);
  return issue / (static_cast<double>(m.reference_sms) * m.reference_clock_mhz * 1e6);
}

MemoryClassRate ClassRate(const MemoryClass& c, const MemoryParameters& m, const CardRates& card) {
  const double relative = c.share / m.reference_copy_efficiency;
  const double copy = card.copy_efficiency * card.memory;
  const double issue = IssueRate(c.share, m) * card.sms * card.clocks_per_us;
  MemoryClassRate rate;
  rate.hbm = relative >= 1 ? relative * copy : std::pow(std::pow(copy, -kJoin) + std::pow(issue, -kJoin), -1 / kJoin);
  rate.l2 = std::max(rate.hbm, relative * m.l2_feed * card.sms * card.clocks_per_us);
  rate.launch = c.launch.microseconds();
  rate.floor = c.floor.microseconds();
  return rate;
}

double PcieRate(const GpuSpec& spec) {
  const auto generation = static_cast<size_t>(std::clamp<int64_t>(spec.pcie_generation, 0, 6));
  return kPcieLane[generation] * static_cast<double>(spec.pcie_lanes) * 1e3;
}

}  // namespace

double CardRates::Tensor(DType dtype) const {
  switch (dtype) {
    case DType::kBf16: return has_bf16 ? tensor_16bit : 0;
    case DType::kFp16: return has_fp16 ? tensor_16bit : 0;
    case DType::kTf32: return tf32;
    case DType::kFp8: return fp8;
    case DType::kFp32:
    case DType::kInt64:
    case DType::kInt8: return 0;
  }
  return 0;
}

CardRates MakeCardRates(const GpuSpec& spec, const Architecture& architecture) {
  const BoardRule rule = RuleOf(spec, architecture);
  const double sheet = std::max(spec.bf16.per_second(), spec.fp16.per_second()) * kPerMicrosecond;
  const double full_rate_per_mhz = static_cast<double>(spec.sms) * architecture.gemm.flops_per_clock;
  CardRates card;
  card.sms = static_cast<double>(spec.sms);
  // A sheet without a clock: the one at which its tensor rate is the full rate.
  const double boost = spec.boost_mhz > 0 ? spec.boost_mhz : sheet / full_rate_per_mhz;
  card.half_rate = sheet < kReducedRate * full_rate_per_mhz * boost;
  card.clocks_per_us = boost * rule.clock_factor;
  card.tensor_16bit = sheet * rule.rate_factor;
  card.tf32 = spec.tf32.per_second() * kPerMicrosecond * rule.rate_factor;
  card.fp8 = spec.fp8.per_second() * kPerMicrosecond * rule.rate_factor;
  card.fp32 = spec.fp32.per_second() * kPerMicrosecond;
  card.has_bf16 = spec.bf16.per_second() > 0;
  card.has_fp16 = spec.fp16.per_second() > 0;
  card.copy_efficiency = CopyEfficiency(spec, architecture.memory);
  card.memory = spec.memory_rate.per_second() * kPerMicrosecond;
  card.l2_bytes = spec.l2.value();
  card.pcie = PcieRate(spec);
  // W = W_reference · e · (R / TDP) / (R_reference / TDP_reference): KERNELS.md §5.
  const PowerParameters& power = architecture.power;
  const double watts = spec.tdp_watts > 0 ? spec.tdp_watts : power.reference_watts;
  const double density = card.tensor_16bit / watts / (power.reference_rate.per_second() * kPerMicrosecond / power.reference_watts);
  card.power_alone = power.alone * power.energy_per_flop * density;
  card.power_in_step = power.in_step * power.energy_per_flop * density;
  for (const auto& [name, c] : architecture.memory.classes) card.classes[name] = ClassRate(c, architecture.memory, card);
  return card;
}

}  // namespace stepsim::sim
