#include "topology/node_spec.h"

#include "topology/node/node_builder.h"
#include "topology/position.h"

namespace stepsim::topology {
namespace {

using sim::ConfigNode;
using sim::Diagnostics;
using sim::Schema;

constexpr double kMaxDevices = 256;  // of a kind in a server

const Schema<Placement>& PlacementSchema() {
  static const auto* schema =
      new Schema<Placement>(Schema<Placement>("placement")
                                .Text("id", &Placement::id, {.help = "name of the device, e.g. nic0", .required = true})
                                .Text("parent", &Placement::parent, {.help = "sw0, cpu1, …", .required = true}));
  return *schema;
}

void ReadPlacements(const ConfigNode& node, std::vector<Placement>* placements, Diagnostics* problems) {
  if (!sim::internal::ExpectSequence(node, problems)) return;
  for (const ConfigNode& item : node.items()) {
    Placement placement;
    PlacementSchema().Read(item, &placement, problems);
    placement.where = item.is_mapping() ? PositionOf(item, {"parent"}) : item.position();
    placements->push_back(std::move(placement));
  }
  if (node.items().empty()) problems->Add(node.position(), "expected at least one {id: …, parent: …}");
}

nlohmann::json PlacementListJson() { return {{"type", "array"}, {"items", PlacementSchema().ToJson()}}; }

const Schema<GpusSpec>& GpusSchema() {
  static const auto* schema = new Schema<GpusSpec>(
      Schema<GpusSpec>("gpus")
          .Text("model", &GpusSpec::model, {.help = "name in configs/gpus", .required = true})
          .Integer("count", &GpusSpec::count, {.help = "GPUs of the node", .min = 1, .max = kMaxDevices})
          .Custom(
              "placement",
              [](const ConfigNode& node, GpusSpec* gpus, Diagnostics* problems) {
                ReadPlacements(node, &gpus->placement, problems);
              },
              PlacementListJson(), {.help = "where each hangs; default: in order, spread evenly"})
          .Check([](const ConfigNode& node, const GpusSpec& gpus, Diagnostics* problems) {
            const auto placed = static_cast<int64_t>(gpus.placement.size());
            if (gpus.count == 0 && placed == 0) problems->Add(node.position(), "expected count or placement");
            if (gpus.count > 0 && placed > 0 && gpus.count != placed) {
              problems->Add(node["count"].position(), absl::StrCat("count is ", gpus.count, " but ", placed, " are placed"));
            }
          }));
  return *schema;
}

const Schema<CpuSpec>& CpuSchema() {
  static const auto* schema = new Schema<CpuSpec>(
      Schema<CpuSpec>("cpu")
          .Choice("vendor", &CpuSpec::vendor,
                  {{"Intel", sim::CpuVendor::kIntel}, {"AMD", sim::CpuVendor::kAmd}, {"Arm", sim::CpuVendor::kArm}},
                  {.help = "NCCL's constants depend on it", .required = true})
          .Text("model", &CpuSpec::model, {.help = "for people"})
          .Integer("sockets", &CpuSpec::sockets, {.help = "default 1", .min = 1, .max = 8})
          .Text("socket_link", &CpuSpec::socket_link, {.help = "name in configs/links; needed with several sockets"})
          .ByteRate("memory_rate", &CpuSpec::memory_rate, {.help = "DRAM of a socket, each way", .positive = true})
          .Check([](const ConfigNode& node, const CpuSpec& cpu, Diagnostics* problems) {
            if (cpu.sockets > 1 && cpu.socket_link.empty()) {
              problems->Add(node["sockets"].position(), "several sockets need a socket_link, e.g. xgmi-3");
            }
          }));
  return *schema;
}

void ReadSwitches(const ConfigNode& node, PcieSpec* pcie, Diagnostics* problems) {
  if (node.is_sequence()) {
    ReadPlacements(node, &pcie->switches, problems);
    return;
  }
  const sim::Field field{.help = "", .min = 0, .max = 64};
  if (const auto count = sim::internal::ReadInteger(node, field, problems)) pcie->switch_count = *count;
}

const Schema<PcieSpec>& PcieSchema() {
  static const auto* schema = new Schema<PcieSpec>(
      Schema<PcieSpec>("pcie")
          .Custom("switches", ReadSwitches, {{"anyOf", {{{"type", "integer"}, {"minimum", 0}}, PlacementListJson()}}},
                  {.help = "how many, or a list of {id, parent}"})
          .Integer("generation", &PcieSpec::generation, {.help = "of the server; default: the GPUs'", .min = 3, .max = 6})
          .Integer("uplink_lanes", &PcieSpec::uplink_lanes, {.help = "of a switch, default 16", .min = 1, .max = 32})
          .Boolean("peer_to_peer", &PcieSpec::peer_to_peer, {.help = "default true, unless the card's driver refuses"})
          .Choice("host_bridges", &PcieSpec::host_bridges,
                  {{"per-port", HostBridges::kPerPort}, {"shared", HostBridges::kShared}},
                  {.help = "one per root port (paths are NODE) or one per socket (PHB)"}));
  return *schema;
}

void ReadNicPlacement(const ConfigNode& node, NicsSpec* nics, Diagnostics* problems) {
  if (node.is_sequence()) {
    ReadPlacements(node, &nics->placement, problems);
    return;
  }
  static const auto* words = new std::vector<std::string>{"switches", "root-ports"};
  if (const auto index = sim::internal::ReadChoice(node, *words, problems)) {
    nics->rule = *index == 0 ? NicRule::kSwitches : NicRule::kRootPorts;
  }
}

const Schema<NicsSpec>& NicsSchema() {
  static const auto* schema = new Schema<NicsSpec>(
      Schema<NicsSpec>("nics")
          .Text("model", &NicsSpec::model, {.help = "name in configs/nics", .required = true})
          .Integer("count", &NicsSpec::count, {.help = "ports of the node", .min = 0, .max = kMaxDevices})
          .ByteRate("rate", &NicsSpec::rate, {.help = "of a port; default: the model's", .positive = true})
          .Custom("placement", ReadNicPlacement,
                  {{"anyOf", {{{"enum", {"switches", "root-ports"}}}, PlacementListJson()}}},
                  {.help = "a rule, or a list of {id, parent}; default: switches if there are any"})
          .Check([](const ConfigNode& node, const NicsSpec& nics, Diagnostics* problems) {
            const auto placed = static_cast<int64_t>(nics.placement.size());
            if (node["count"].is_missing() && placed == 0) problems->Add(node.position(), "expected count or placement");
            if (!node["count"].is_missing() && placed > 0 && nics.count != placed) {
              problems->Add(node["count"].position(), absl::StrCat("count is ", nics.count, " but ", placed, " are placed"));
            }
          }));
  return *schema;
}

}  // namespace

const Schema<NodeSpec>& NodeSchema() {
  std::vector<std::pair<std::string, std::string>> layouts;
  for (const std::string& name : NodeBuilders().Names()) layouts.emplace_back(name, name);
  static const auto* schema = new Schema<NodeSpec>(
      Schema<NodeSpec>("node")
          .Text("name", &NodeSpec::name, {.help = "default: the file's name"})
          .Choice("layout", &NodeSpec::layout, layouts, {.help = "how GPUs are joined", .required = true})
          .Struct("gpus", &NodeSpec::gpus, GpusSchema(), {.help = "", .required = true})
          .Struct("cpu", &NodeSpec::cpu, CpuSchema(), {.help = "", .required = true})
          .Struct("pcie", &NodeSpec::pcie, PcieSchema())
          .Struct("nics", &NodeSpec::nics, NicsSchema())
          .Boolean("gpu_direct", &NodeSpec::gpu_direct, {.help = "NICs may read GPU memory; default true"}));
  return *schema;
}

void ReadNode(const ConfigNode& node, NodeSpec* spec, Diagnostics* problems) {
  spec->config = node;
  spec->gpu_model_position = PositionOf(node, {"gpus", "model"});
  NodeSchema().Read(node, spec, problems);
}

}  // namespace stepsim::topology
