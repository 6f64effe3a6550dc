#include "tools/app/scenario.h"

#include <optional>

#include "absl/strings/str_format.h"
#include "sim/base/random.h"
#include "sim/base/status.h"
#include "tools/app/scenario_schema.h"

namespace stepsim::app {
namespace {

std::string Hash(const sim::ConfigNode& root, const std::vector<sim::ConfigNode>& parts) {
  uint64_t hash = sim::StableHash(sim::CanonicalText(root));
  for (const sim::ConfigNode& part : parts) hash = sim::StableHash(sim::CanonicalText(part), hash);
  return absl::StrFormat("%016x", hash);
}

absl::StatusOr<std::vector<sim::Architecture>> LoadArchitectures(const sim::Catalogue& catalogue, const sim::Platform& platform) {
  std::vector<sim::Architecture> architectures;
  for (const sim::GpuSpec& gpu : platform.data().specs) {
    absl::StatusOr<sim::Architecture> architecture = sim::LoadArchitecture(catalogue, gpu.architecture);
    if (!architecture.ok()) return sim::Annotate(architecture.status(), absl::StrCat("GPU ", gpu.name));
    architectures.push_back(*std::move(architecture));
  }
  return architectures;
}

}  // namespace

absl::StatusOr<Scenario> ReadScenario(const sim::Catalogue& catalogue, const sim::ConfigNode& root) {
  sim::Diagnostics problems;
  ScenarioFields fields;
  ScenarioSchema().Read(root, &fields, &problems);
  Scenario scenario;
  scenario.name = fields.name;
  scenario.training = fields.training;
  scenario.parallelism = fields.parallelism;
  scenario.simulation = fields.simulation;
  scenario.prices = fields.prices;
  std::optional<workloads::ModelSpec> model;
  if (!fields.cluster.is_missing()) scenario.cluster = topology::BuildCluster(catalogue, fields.cluster, &problems);
  if (!fields.model.is_missing()) model = workloads::ReadModel(catalogue, fields.model, &problems);
  if (!problems.empty()) return problems.ToStatus();
  scenario.model = *std::move(model);
  SIM_ASSIGN_OR_RETURN(scenario.framework, workloads::LoadFramework(catalogue));
  workloads::CheckWorkload(scenario.model, scenario.training, scenario.parallelism, scenario.cluster.platform->num_gpus(), root,
                           &problems);
  if (!problems.empty()) return problems.ToStatus();
  scenario.warnings = workloads::WorkloadWarnings(scenario.model, scenario.training);
  SIM_ASSIGN_OR_RETURN(scenario.architectures, LoadArchitectures(catalogue, *scenario.cluster.platform));
  scenario.hash = Hash(root, {catalogue.Resolve("clusters", fields.cluster, &problems).node,
                              catalogue.Resolve("models", fields.model, &problems).node});
  return scenario;
}

absl::StatusOr<sim::ConfigNode> LoadScenarioFile(const std::string& path, const std::vector<std::string>& overrides) {
  SIM_ASSIGN_OR_RETURN(sim::ConfigNode root, sim::LoadConfig(path));
  for (const std::string& text : overrides) {
    SIM_ASSIGN_OR_RETURN(root, sim::WithOverride(root, text));
  }
  return root;
}

}  // namespace stepsim::app
