// Static checks of a job before it runs: faults that would otherwise show as a hang or a wrong number.
#pragma once

#include "absl/status/status.h"
#include "sim/program/program.h"

namespace stepsim::sim {

// Indices are within their tables, every wait has an earlier record and every slot one record, ranges nest, and memory
// ends where it began without any part ever going below zero. Internal with the first fault and the op it is at.
absl::Status CheckProgram(const Program& program);

// CheckProgram of each role; tables by rank have a row per rank; placements are distinct; a rank's groups map to
// communicators that contain it; and the members of a communicator issue the same collectives on it in the same order.
absl::Status CheckJob(const Job& job);

}  // namespace stepsim::sim
