#include "topology/cluster.h"

#include "sim/base/check.h"
#include "topology/lower.h"
#include "topology/position.h"

namespace stepsim::topology {
namespace {

void BuildNode(const ClusterSpec& spec, const NodeParts& parts, NodeDesign* design, sim::Diagnostics* problems) {
  const auto builder = NodeBuilders().Find(spec.node.layout);
  SIM_CHECK(builder.ok()) << "the schema admits layouts of the registry only";
  (*builder)(spec.node, parts, design, problems);
}

// Payload share of the fabric's protocol.
double NetworkPayload(const sim::Catalogue& catalogue, const FabricSpec& fabric, sim::Diagnostics* problems) {
  LinkSpec link;
  const auto node = catalogue.Load("links", fabric.protocol);
  if (!node.ok()) {
    problems->AddStatus(PositionOf(fabric.config, {"protocol"}), node.status());
    return 1.0;
  }
  LinkSchema().Read(*node, &link, problems);
  return link.rate.per_second() > 0 ? link.payload_share() : 1.0;
}

}  // namespace

Cluster BuildCluster(const sim::Catalogue& catalogue, const sim::ConfigNode& cluster_value, sim::Diagnostics* problems) {
  const size_t before = problems->size();
  Cluster cluster;
  cluster.spec = ReadCluster(catalogue, cluster_value, problems);
  cluster.name = cluster.spec.name;
  if (problems->size() != before) return cluster;
  const NodeParts parts = LoadNodeParts(catalogue, cluster.spec.node, problems);
  const double payload = NetworkPayload(catalogue, cluster.spec.fabric, problems);
  if (problems->size() != before) return cluster;
  NodeDesign node;
  BuildNode(cluster.spec, parts, &node, problems);
  FabricRequest request;
  request.spec = &cluster.spec.fabric;
  request.switches = cluster.spec.fabric_switch;
  request.nodes = cluster.spec.nodes;
  request.nics_per_node = cluster.spec.node.num_nics();
  request.nic_rate = parts.nic.rate;
  request.payload = payload;
  FabricDesign fabric;
  BuildFabric(request, &fabric, problems);
  if (problems->size() != before) return cluster;
  auto platform = sim::Platform::Create(Lower(cluster.spec, parts, node, fabric, payload));
  SIM_CHECK(platform.ok()) << platform.status().ToString();
  cluster.platform = *std::move(platform);
  return cluster;
}

nlohmann::json ClusterJsonSchema() { return ClusterSchema().ToJson(); }

}  // namespace stepsim::topology
