// The top level of a scenario file as it stands in YAML: its parts are read by the folders they belong to.
#pragma once

#include "sim/config/schema.h"
#include "tools/app/scenario.h"

namespace stepsim::app {

struct ScenarioFields {
  std::string name;
  sim::ConfigNode cluster;
  sim::ConfigNode model;
  workloads::TrainingSpec training;
  workloads::ParallelismSpec parallelism;
  SimulationSpec simulation;
  PriceSpec prices;
};

const sim::Schema<ScenarioFields>& ScenarioSchema();

}  // namespace stepsim::app
