#include "topology/cluster_spec.h"

#include "topology/position.h"

namespace stepsim::topology {
namespace {

using sim::Catalogue;
using sim::ConfigNode;
using sim::Diagnostics;
using sim::Schema;

constexpr double kMaxNodes = 1 << 17;

const Schema<Prices>& PricesSchema() {
  static const auto* schema = new Schema<Prices>(Schema<Prices>("prices").Number(
      "gpu_hour_usd", &Prices::gpu_hour_usd, {.help = "of one GPU with its share of the cluster", .min = 0}));
  return *schema;
}

void ReadNodeOf(const Catalogue& catalogue, ClusterSpec* spec, Diagnostics* problems) {
  if (spec->node_config.is_missing()) return;
  const Catalogue::Resolved node = catalogue.Resolve("nodes", spec->node_config, problems);
  if (node.is_foreign) {
    problems->Add(spec->node_config.position(), "a node is described in YAML; topology files of other tools cannot be read here");
    return;
  }
  if (node.node.is_missing()) return;
  ReadNode(node.node, &spec->node, problems);
  if (spec->node.name.empty()) spec->node.name = node.name.empty() ? spec->name : node.name;
  if (!spec->gpu.empty()) {
    spec->node.gpus.model = spec->gpu;
    spec->node.gpu_model_position = PositionOf(spec->config, {"gpu"});
  }
  spec->node.used_gpus = spec->gpus_per_node;
  const int64_t described = spec->node.num_gpus();
  if (described > 0 && spec->gpus_per_node > described) {
    problems->Add(PositionOf(spec->config, {"gpus_per_node"}),
                  absl::StrCat("gpus_per_node is ", spec->gpus_per_node, " but the node has ", described));
  }
}

void ReadSwitchOf(const Catalogue& catalogue, ClusterSpec* spec, Diagnostics* problems) {
  const ConfigNode& config = spec->fabric.switch_config;
  if (config.is_missing()) {
    // 64 ports of 51.2 Tb/s chips; 0.5 us: Ethernet cut-through, 0.13 us: InfiniBand (configs/switches).
    const bool infiniband = spec->fabric.protocol == "infiniband";
    spec->fabric_switch.hop_latency = sim::Duration::Nanoseconds(infiniband ? 130 : 500);
    return;
  }
  const Catalogue::Resolved found = catalogue.Resolve("switches", config, problems);
  if (found.is_foreign) {
    problems->Add(config.position(), "expected a name in configs/switches or {ports: …, hop_latency: …}");
  } else if (!found.node.is_missing()) {
    SwitchSchema().Read(found.node, &spec->fabric_switch, problems);
  }
}

}  // namespace

const Schema<ClusterSpec>& ClusterSchema() {
  static const auto* schema = new Schema<ClusterSpec>(
      Schema<ClusterSpec>("cluster")
          .Text("name", &ClusterSpec::name, {.help = "default: the file's name"})
          .Integer("nodes", &ClusterSpec::nodes, {.help = "servers, default 1", .min = 1, .max = kMaxNodes})
          .Custom(
              "node", [](const ConfigNode& node, ClusterSpec* spec, Diagnostics*) { spec->node_config = node; },
              {{"anyOf", {{{"type", "string"}}, NodeSchema().ToJson()}}},
              {.help = "name in configs/nodes, a path, or inline", .required = true})
          .Text("gpu", &ClusterSpec::gpu, {.help = "another GPU model in the same node"})
          .Integer("gpus_per_node", &ClusterSpec::gpus_per_node, {.help = "only the first so many GPUs of each node", .min = 1})
          .Struct("fabric", &ClusterSpec::fabric, FabricSchema())
          .Struct("prices", &ClusterSpec::prices, PricesSchema()));
  return *schema;
}

ClusterSpec ReadCluster(const Catalogue& catalogue, const ConfigNode& value, Diagnostics* problems) {
  ClusterSpec spec;
  const Catalogue::Resolved found = catalogue.Resolve("clusters", value, problems);
  if (found.is_foreign) {
    problems->Add(value.position(), absl::StrCat("a cluster is described in YAML; ", found.path, " cannot be read here"));
    return spec;
  }
  if (found.node.is_missing()) return spec;
  spec.config = found.node;
  ClusterSchema().Read(found.node, &spec, problems);
  if (spec.name.empty()) spec.name = found.name.empty() ? "inline" : found.name;
  spec.fabric.config = found.node["fabric"].is_missing() ? found.node : found.node["fabric"];
  ReadNodeOf(catalogue, &spec, problems);
  ReadSwitchOf(catalogue, &spec, problems);
  return spec;
}

}  // namespace stepsim::topology
