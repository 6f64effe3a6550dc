#include "tools/app/scenario_schema.h"

namespace stepsim::app {
namespace {

const sim::Schema<SimulationSpec>& SimulationSchema() {
  static const auto* schema = new sim::Schema<SimulationSpec>(
      sim::Schema<SimulationSpec>("simulation")
          .Integer("warmup_steps", &SimulationSpec::warmup_steps,
                   {.help = "steps before the measured one; 1 reaches the steady state", .min = 1, .max = 100})
          .Integer("seed", &SimulationSpec::seed, {.help = "of the random streams", .min = 0})
          .Text("algorithm", &SimulationSpec::algorithm, {.help = "collective algorithm by name, or auto"})
          .Text("protocol", &SimulationSpec::protocol, {.help = "NCCL protocol LL, LL128, Simple, or auto"}));
  return *schema;
}

const sim::Schema<PriceSpec>& PriceSchema() {
  static const auto* schema = new sim::Schema<PriceSpec>(sim::Schema<PriceSpec>("prices").Number(
      "gpu_hour_usd", &PriceSpec::gpu_hour_usd, {.help = "US dollars a GPU and hour, all in", .min = 0}));
  return *schema;
}

// A name of the catalogue, a path, or a mapping: kept as it stands.
sim::Schema<ScenarioFields>::ReadFunction Keep(sim::ConfigNode ScenarioFields::*member) {
  return [member](const sim::ConfigNode& node, ScenarioFields* out, sim::Diagnostics*) { out->*member = node; };
}

}  // namespace

const sim::Schema<ScenarioFields>& ScenarioSchema() {
  const nlohmann::json name_or_mapping = {{"type", {"string", "object"}}};
  static const auto* schema = new sim::Schema<ScenarioFields>(
      sim::Schema<ScenarioFields>("scenario")
          .Text("name", &ScenarioFields::name, {.help = "shown in tables and traces", .required = true})
          .Custom("cluster", Keep(&ScenarioFields::cluster), topology::ClusterJsonSchema(),
                  {.help = "where: name in configs/clusters, path, or mapping", .required = true})
          .Custom("model", Keep(&ScenarioFields::model), name_or_mapping,
                  {.help = "what: name in configs/models, path (ours or a Hugging Face config.json), or mapping", .required = true})
          .Struct("training", &ScenarioFields::training, workloads::TrainingSchema(), {.help = "how", .required = true})
          .Struct("parallelism", &ScenarioFields::parallelism, workloads::ParallelismSchema(), {.help = "how it is spread"})
          .Struct("simulation", &ScenarioFields::simulation, SimulationSchema(), {.help = "how it is simulated"})
          .Struct("prices", &ScenarioFields::prices, PriceSchema(), {.help = "what it costs"}));
  return *schema;
}

nlohmann::json ScenarioJsonSchema() {
  nlohmann::json json = ScenarioSchema().ToJson();
  json["$schema"] = "http://json-schema.org/draft-07/schema#";
  return json;
}

}  // namespace stepsim::app
