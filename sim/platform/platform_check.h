// Consistency of platform data: what Platform's queries rely on.
#pragma once

#include "absl/status/status.h"
#include "sim/platform/platform.h"

namespace stepsim::sim {

// FailedPrecondition with the first inconsistency.
absl::Status CheckPlatform(const PlatformData& data);

}  // namespace stepsim::sim
