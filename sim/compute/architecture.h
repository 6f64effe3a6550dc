// Parameters of a GPU architecture that no data sheet has: how much of the peak its kernels reach. One file per architecture
// (configs/calibration/*.yaml), fitted on kernels; scaled to a card by its spec sheet. Meaning: docs/models/kernels.md.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/units.h"
#include "sim/config/schema.h"

namespace stepsim::sim {

struct Architecture;
const Schema<Architecture>& ArchitectureSchema();

// To be completed beside its model (GEMM, attention, memory classes, power).
struct Architecture {
  std::string name;         // "ada"
  std::string calibration;  // "calibrated" (fitted on this architecture's kernels) or "extrapolated"
};

}  // namespace stepsim::sim
