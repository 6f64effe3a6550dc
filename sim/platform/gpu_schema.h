// How configs/gpus/<name>.yaml is written.
//
// `memory` is what a job can use, as CUDA reports it (torch.cuda total_memory): the marketed capacity less inline ECC
// (1/16 on GDDR6 boards) and firmware reservations. Where no such figure is known the marketed "GB" is taken as GiB; the
// file says which. Tensor rates are dense and accumulate in FP32; `rate` of nvlink is all links together in one direction
// (half of the marketed bidirectional figure).
#pragma once

#include "sim/config/catalogue.h"
#include "sim/config/schema.h"
#include "sim/platform/gpu_spec.h"

namespace stepsim::sim {

const Schema<GpuSpec>& GpuSchema();

// Reads configs/gpus/<name>.yaml. NotFound with a near match for an unknown name; InvalidArgument with positions.
absl::StatusOr<GpuSpec> LoadGpu(const Catalogue& catalogue, const std::string& name);

}  // namespace stepsim::sim
