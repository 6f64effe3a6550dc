// A scenario: where (cluster), what (model) and how (training, parallelism), read from YAML with every problem of every file
// reported at once.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"
#include "sim/compute/architecture.h"
#include "sim/config/catalogue.h"
#include "sim/config/node.h"
#include "sim/run/options.h"
#include "topology/cluster.h"
#include "workloads/build.h"
#include "workloads/framework_spec.h"
#include "workloads/model/model_spec.h"
#include "workloads/parallelism_spec.h"
#include "workloads/training_spec.h"

namespace stepsim::app {

// The `simulation:` mapping.
struct SimulationSpec {
  int64_t warmup_steps = 1;
  int64_t seed = 0;
  std::string algorithm = "auto";
  std::string protocol = "auto";
};

// The `prices:` mapping.
struct PriceSpec {
  double gpu_hour_usd = 0;
};

struct Scenario {
  std::string name;
  topology::Cluster cluster;
  workloads::ModelSpec model;
  workloads::TrainingSpec training;
  workloads::ParallelismSpec parallelism;
  workloads::FrameworkSpec framework;
  SimulationSpec simulation;
  PriceSpec prices;
  std::vector<sim::Architecture> architectures;  // by row of the platform's specs
  std::vector<std::string> warnings;
  std::string hash;  // of everything that was read
};

// root: the scenario's mapping, overrides applied. Errors of all its parts come together.
absl::StatusOr<Scenario> ReadScenario(const sim::Catalogue& catalogue, const sim::ConfigNode& root);

// Reads the file and applies `path=value` overrides.
absl::StatusOr<sim::ConfigNode> LoadScenarioFile(const std::string& path, const std::vector<std::string>& overrides);

// JSON Schema of a scenario file, for editors.
nlohmann::json ScenarioJsonSchema();

}  // namespace stepsim::app
