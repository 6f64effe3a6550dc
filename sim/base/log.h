// Messages for people go to stderr through spdlog; results go to stdout by the command line alone.
#pragma once

#include "spdlog/spdlog.h"

namespace stepsim::sim {

// Colour on a terminal, plain text in a pipe; level from STEPSIM_LOG (trace, debug, info, warn, error), default warn.
void InitLogging();

}  // namespace stepsim::sim
