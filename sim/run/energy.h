// Power of a GPU over a step, from what it does (docs/models/energy.md).
#pragma once

#include "sim/run/result.h"
#include "sim/run/world.h"

namespace stepsim::sim {

// Fills watts_per_gpu and joules_per_token. GPUs only: no CPU, NIC, switch or cooling.
void MeasureEnergy(const World& world, Result* result);

}  // namespace stepsim::sim
