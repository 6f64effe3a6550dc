// The clock under a power limit. Dynamic power goes with f·V² ~ f³, so the clock that a budget allows goes with its cube
// root (KERNELS.md §2). The demand is counted in tensor work alone: that of other kernels came out as zero in the fit.
#pragma once

#include <vector>

#include "sim/compute/card_rates.h"
#include "sim/compute/cost.h"
#include "sim/program/program.h"

namespace stepsim::sim {

// Factor ≥ 1 on the time of tensor kernels in a step whose busy time is `tensor_share` tensor work.
double ClockFactorInStep(double tensor_share, const CardRates& card);

// Factor ≥ 1 on the time of a GEMM repeated alone. settled: how far the clock has fallen to its limit, 0 … 1.
double ClockFactorAlone(const Kernel& kernel, const KernelCost& at_full_clock, const CardRates& card, double settled = 1);

// Share of tensor work (GEMM, attention) in the busy time of the program's kernels, at the clock that follows from it.
double TensorShare(const Program& program, const std::vector<KernelCost>& at_full_clock, const CardRates& card);

}  // namespace stepsim::sim
