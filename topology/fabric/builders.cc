#include "sim/base/check.h"
#include "sim/config/quantity.h"
#include "topology/fabric/fabric_builder.h"
#include "topology/position.h"

namespace stepsim::topology {
namespace {

void CheckRates(const FabricRequest& request, sim::Diagnostics* problems) {
  const sim::BytesPerSecond port = request.switches.port_rate;
  if (port.per_second() <= 0) return;
  const auto check = [&](sim::BytesPerSecond rate, const char* what, const char* key) {
    if (rate <= port) return;
    problems->Add(PositionOf(request.spec->config, {key}),
                  absl::StrCat(what, " of ", sim::FormatByteRate(rate), " on a switch with ports of ", sim::FormatByteRate(port)));
  };
  check(request.nic_rate, "NIC ports", "switch");
  check(request.spec->uplink_rate, "uplinks", "uplink_rate");
}

// Every NIC must reach every other: names the first pair of leaves that cannot.
void CheckConnected(const FabricRequest& request, const FabricDesign& design, sim::Diagnostics* problems) {
  const std::vector<int> component = design.graph.Components();
  for (int leaf = 1; leaf < design.num_leaves; ++leaf) {
    if (component[static_cast<size_t>(leaf)] == component[0]) continue;
    problems->Add(PositionOf(request.spec->config, {"spines"}),
                  absl::StrCat("disconnected fabric: no path from ", design.graph.vertex(0).name, " to ",
                               design.graph.vertex(leaf).name, " (", design.num_leaves, " leaves)"));
    return;
  }
}

}  // namespace

const sim::Registry<FabricBuilder>& FabricBuilders() {
  static const auto* registry = new sim::Registry<FabricBuilder>(
      "fabric", {
                    {"none", "one node", BuildNoFabric},
                    {"single-switch", "every NIC on one switch", BuildSingleSwitch},
                    {"leaf-spine", "the NICs of a node on one leaf, leaves joined by spines", BuildLeafSpine},
                    {"rail-optimised", "NIC k of every node of a group on leaf k of the group, then spines (and cores)",
                     BuildRailOptimised},
                    {"fat-tree", "leaf, spine and core: three tiers", BuildFatTree},
                });
  return *registry;
}

void BuildFabric(const FabricRequest& request, FabricDesign* design, sim::Diagnostics* problems) {
  const sim::ConfigNode& config = request.spec->config;
  const size_t before = problems->size();
  if (request.nodes > 1 && request.nics_per_node == 0) {
    problems->Add(config.position(), absl::StrCat(request.nodes, " nodes cannot be joined: the node has no NIC (nics)"));
  }
  if (request.spec->kind != "none") CheckRates(request, problems);
  if (problems->size() != before) return;
  const auto builder = FabricBuilders().Find(request.spec->kind);
  SIM_CHECK(builder.ok()) << "the schema admits kinds of the registry only";
  (*builder)(request, design, problems);
  if (problems->size() == before) CheckConnected(request, *design, problems);
}

}  // namespace stepsim::topology
