// How kernel tables are measured: one kernel repeated in a CUDA graph. The loop adds a gap between kernels, and a short load
// does not give the clock time to fall to its limit (KERNELS.md §2, "the benchmark's own terms").
#pragma once

#include "sim/compute/compute_model.h"

namespace stepsim::sim {

struct BenchmarkLoop {
  Duration gap = Duration::Nanoseconds(800);  // between kernels of a graph, H200
  // A graph holds as many kernels as fill a third of `target`, at least min and at most max; the third replay is timed.
  Duration target = Duration::Microseconds(25000);
  int min_repetitions = 2;
  int max_repetitions = 50;
  Duration settling = Duration::Microseconds(14330);  // time constant of the clock under load (fitted)
};

// Time per kernel that the loop reports.
Duration TimeInBenchmark(const ComputeModel& model, const Kernel& kernel, const BenchmarkLoop& loop = {});

}  // namespace stepsim::sim
