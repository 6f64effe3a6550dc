#include "topology/fabric_spec.h"

#include "topology/fabric/fabric_builder.h"

namespace stepsim::topology {

using sim::ConfigNode;
using sim::Diagnostics;
using sim::Schema;

const Schema<FabricSpec>& FabricSchema() {
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const std::string& name : FabricBuilders().Names()) kinds.emplace_back(name, name);
  static const auto* schema = new Schema<FabricSpec>(
      Schema<FabricSpec>("fabric")
          .Choice("kind", &FabricSpec::kind, kinds, {.help = "shape", .required = true})
          .Choice("protocol", &FabricSpec::protocol,
                  {{"roce", "roce"}, {"infiniband", "infiniband"}, {"ethernet", "ethernet"}},
                  {.help = "ethernet is TCP, without GPUDirect; default roce"})
          .Custom(
              "switch",
              [](const ConfigNode& node, FabricSpec* fabric, Diagnostics*) { fabric->switch_config = node; },
              {{"anyOf", {{{"type", "string"}}, SwitchSchema().ToJson()}}}, {.help = "name in configs/switches, or inline"})
          .Integer("nodes_per_leaf", &FabricSpec::nodes_per_leaf, {.help = "nodes that share a leaf, or a group of rails", .min = 1})
          .Number("oversubscription", &FabricSpec::oversubscription, {.help = "down : up of a leaf, default 1", .positive = true})
          .Number("core_oversubscription", &FabricSpec::core_oversubscription,
                  {.help = "down : up of a spine below a core, default 1", .positive = true})
          .Integer("spines", &FabricSpec::spines, {.help = "default: the fewest that carry the uplinks", .min = 0})
          .ByteRate("uplink_rate", &FabricSpec::uplink_rate, {.help = "default: the NICs' rate", .positive = true})
          .Time("cable_latency", &FabricSpec::cable_latency, {.help = "default 50 ns, 10 m of fibre", .min = 0}));
  return *schema;
}

}  // namespace stepsim::topology
