#include "topology/fabric/clos.h"

#include <algorithm>
#include <cmath>

#include "topology/position.h"

namespace stepsim::topology {
namespace {

using sim::Diagnostics;

int64_t CeilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

sim::BytesPerSecond UplinkRate(const FabricRequest& request) {
  return request.spec->uplink_rate.per_second() > 0 ? request.spec->uplink_rate : request.nic_rate;
}

GraphEdge Cable(const FabricRequest& request) {
  return GraphEdge{sim::LinkKind::kFabric, UplinkRate(request), request.payload,
                   request.switches.hop_latency + request.spec->cable_latency};
}

// Smallest divisor of n that is at least `least`; 0 if there is none.
int64_t DivisorFrom(int64_t n, int64_t least) {
  for (int64_t d = std::max<int64_t>(least, 1); d <= n; ++d) {
    if (n % d == 0) return d;
  }
  return 0;
}

int64_t AddSwitches(const char* name, int64_t count, Graph* graph) {
  const int64_t first = graph->num_vertices();
  for (int64_t i = 0; i < count; ++i) graph->AddVertex({sim::VertexKind::kSwitch, absl::StrCat(name, i), -1});
  return first;
}

void AddCables(int64_t a, int64_t b, int64_t count, const GraphEdge& cable, Graph* graph) {
  for (int64_t i = 0; i < count; ++i) graph->AddEdge(static_cast<int>(a), static_cast<int>(b), cable);
}

// Spines of a two-tier fabric; 0: no number of them carries the uplinks.
int64_t SpineCount(const FabricRequest& request, int64_t leaves, int64_t uplinks) {
  return DivisorFrom(uplinks, CeilDivide(leaves * uplinks, request.switches.ports));
}

void WireTwoTiers(const FabricRequest& request, int64_t uplinks, FabricDesign* design, Diagnostics* problems) {
  const int64_t leaves = design->num_leaves;
  const auto where = PositionOf(request.spec->config, {"spines"});
  const int64_t spines = request.spec->spines >= 0 ? request.spec->spines : SpineCount(request, leaves, uplinks);
  if (spines == 0) {
    if (request.spec->spines == 0) return;  // leaves stay apart: reported as disconnected
    problems->Add(where, absl::StrCat(leaves, " leaves with ", uplinks, " uplinks each do not fit on one tier of spines with ",
                                      request.switches.ports, " ports; expected fabric kind fat-tree"));
    return;
  }
  if (uplinks % spines != 0) {
    problems->Add(where, absl::StrCat(spines, " spines do not share the ", uplinks, " uplinks of a leaf evenly"));
    return;
  }
  if (leaves * (uplinks / spines) > request.switches.ports) {
    problems->Add(where, absl::StrCat(leaves, " leaves with ", uplinks / spines, " cables to each spine need ",
                                      leaves * (uplinks / spines), " ports; a spine has ", request.switches.ports));
    return;
  }
  const int64_t first = AddSwitches("spine", spines, &design->graph);
  for (int64_t leaf = 0; leaf < leaves; ++leaf) {
    for (int64_t spine = 0; spine < spines; ++spine) {
      AddCables(leaf, first + spine, uplinks / spines, Cable(request), &design->graph);
    }
  }
}

void WireThreeTiers(const FabricRequest& request, int64_t uplinks, FabricDesign* design, Diagnostics* problems) {
  const int64_t ports = request.switches.ports;
  const int64_t leaves = design->num_leaves;
  const double core = request.spec->core_oversubscription;
  const auto where = request.spec->config.position();
  // Leaves of a pod: what leaves a spine room for their share of uplinks to the cores.
  const auto pod = static_cast<int64_t>(std::floor(static_cast<double>(ports) * core / (core + 1.0)));
  const int64_t pods = CeilDivide(leaves, pod);
  const int64_t down = std::min(pod, leaves);
  const int64_t up = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(static_cast<double>(down) / core - 1e-9)));
  const int64_t cores = DivisorFrom(up, CeilDivide(pods * up, ports));  // of a group
  if (down + up > ports || cores == 0 || pods * (up / cores) > ports) {
    problems->Add(where, absl::StrCat(leaves, " leaves do not fit on three tiers of switches with ", ports, " ports"));
    return;
  }
  const int64_t first_spine = AddSwitches("spine", pods * uplinks, &design->graph);
  const int64_t first_core = AddSwitches("core", uplinks * cores, &design->graph);
  for (int64_t leaf = 0; leaf < leaves; ++leaf) {
    const int64_t spines = first_spine + leaf / pod * uplinks;
    for (int64_t j = 0; j < uplinks; ++j) AddCables(leaf, spines + j, 1, Cable(request), &design->graph);
  }
  for (int64_t p = 0; p < pods; ++p) {
    for (int64_t j = 0; j < uplinks; ++j) {
      for (int64_t c = 0; c < cores; ++c) {
        AddCables(first_spine + p * uplinks + j, first_core + j * cores + c, up / cores, Cable(request), &design->graph);
      }
    }
  }
}

}  // namespace

void AddLeaves(int64_t count, FabricDesign* design) {
  AddSwitches("leaf", count, &design->graph);
  design->num_leaves = static_cast<int>(count);
}

int64_t Uplinks(const FabricRequest& request, int64_t down) {
  const double towards_nodes = static_cast<double>(down) * (request.nic_rate / UplinkRate(request));
  return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(towards_nodes / request.spec->oversubscription - 1e-9)));
}

int64_t NodesPerLeaf(const FabricRequest& request, int64_t nics_per_leaf_node, Diagnostics* problems) {
  const int64_t ports = request.switches.ports;
  const auto needed = [&](int64_t nodes) {
    const int64_t down = nodes * nics_per_leaf_node;
    return down + Uplinks(request, down);
  };
  const int64_t asked = request.spec->nodes_per_leaf;
  if (asked > 0) {
    // A leaf that holds all nodes needs no uplinks.
    const bool alone = asked >= request.nodes && request.nics_per_node == nics_per_leaf_node;
    const int64_t ports_needed = alone ? request.nodes * nics_per_leaf_node : needed(asked);
    if (ports_needed <= ports) return asked;
    problems->Add(PositionOf(request.spec->config, {"nodes_per_leaf"}),
                  absl::StrCat("a leaf with ", asked * nics_per_leaf_node, " NICs and ", ports_needed - asked * nics_per_leaf_node,
                               " uplinks needs ", ports_needed, " ports; the switch has ", ports));
    return 0;
  }
  int64_t most = ports / nics_per_leaf_node;
  while (most > 0 && needed(most) > ports) --most;
  if (most == 0) {
    problems->Add(PositionOf(request.spec->config, {"switch"}),
                  absl::StrCat("a leaf with the ", nics_per_leaf_node, " NICs of one node and their uplinks needs ", needed(1),
                               " ports; the switch has ", ports));
  }
  return most;
}

void WireClos(const FabricRequest& request, int64_t uplinks, Tiers tiers, FabricDesign* design, Diagnostics* problems) {
  if (design->num_leaves <= 1) return;
  const bool two_fit = SpineCount(request, design->num_leaves, uplinks) > 0;
  const bool three = tiers == Tiers::kThree || (tiers == Tiers::kAsNeeded && !two_fit && request.spec->spines < 0);
  if (!three) {
    WireTwoTiers(request, uplinks, design, problems);
  } else if (request.spec->spines >= 0) {
    problems->Add(PositionOf(request.spec->config, {"spines"}), "the number of spines of a three-tier fabric follows from its leaves");
  } else {
    WireThreeTiers(request, uplinks, design, problems);
  }
}

}  // namespace stepsim::topology
