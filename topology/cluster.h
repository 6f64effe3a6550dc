// From a cluster description to the platform that is simulated: the entry to the topology folder.
#pragma once

#include <memory>
#include <string>

#include "nlohmann/json.hpp"
#include "sim/config/catalogue.h"
#include "sim/platform/platform.h"
#include "topology/cluster_spec.h"

namespace stepsim::topology {

struct Cluster {
  std::string name;
  std::shared_ptr<const sim::Platform> platform;  // null if there were problems
  ClusterSpec spec;
};

// cluster_value: the value of a scenario's `cluster`: a name in configs/clusters, a path, or a mapping, each possibly with
// `base`. All problems are added with position; the number of ranks is the caller's to compare with the GPUs.
Cluster BuildCluster(const sim::Catalogue& catalogue, const sim::ConfigNode& cluster_value, sim::Diagnostics* problems);

// JSON Schema of a cluster mapping, for editors.
nlohmann::json ClusterJsonSchema();

}  // namespace stepsim::topology
