// A few cards by data sheet, for tests that need no catalogue.
#pragma once

#include "sim/platform/gpu_spec.h"

namespace stepsim::testing {

sim::GpuSpec A100();     // A100-SXM4-80GB
sim::GpuSpec A800();     // A800-SXM4-80GB: 8 NVLinks instead of 12
sim::GpuSpec H100();     // H100-SXM5-80GB
sim::GpuSpec H800();     // H800-SXM5-80GB: 8 NVLinks instead of 18
sim::GpuSpec H200();     // H200-SXM5-141GB
sim::GpuSpec L40();      // PCIe 4.0 x16, no NVLink, no peer-to-peer limit of its own
sim::GpuSpec Rtx5090();  // PCIe 5.0 x16, the driver refuses peer-to-peer

}  // namespace stepsim::testing
