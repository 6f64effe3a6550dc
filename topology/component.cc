#include "topology/component.h"

namespace stepsim::topology {
namespace {

using sim::ConfigNode;
using sim::Diagnostics;
using sim::LinkKind;
using sim::Schema;

// Checked to be text; the numbers' provenance is for people.
template <class T>
void ReadSource(const ConfigNode& node, T*, Diagnostics* problems) {
  sim::internal::ReadText(node, sim::Field{}, problems);
}

const Schema<NicSpec>& NicPcieSchema() {
  static const auto* schema = new Schema<NicSpec>(
      Schema<NicSpec>("pcie")
          .Integer("generation", &NicSpec::pcie_generation, {.help = "", .required = true, .min = 1, .max = 6})
          .Integer("lanes", &NicSpec::pcie_lanes, {.help = "", .required = true, .min = 1, .max = 16}));
  return *schema;
}

void ReadNicPcie(const ConfigNode& node, NicSpec* nic, Diagnostics* problems) {
  NicPcieSchema().Read(node, nic, problems);
}

}  // namespace

GraphEdge LinkSpec::Edge(int64_t lanes) const {
  const double share = static_cast<double>(lanes) / static_cast<double>(width);
  return GraphEdge{kind, rate * share, payload_share(), latency};
}

const Schema<LinkSpec>& LinkSchema() {
  static const auto* schema = new Schema<LinkSpec>(
      Schema<LinkSpec>("link")
          .Text("name", &LinkSpec::name, {.help = "catalogue name", .required = true})
          .Choice("kind", &LinkSpec::kind,
                  {{"nvlink", LinkKind::kNvlink},
                   {"pcie", LinkKind::kPcie},
                   {"socket", LinkKind::kSocket},
                   {"memory", LinkKind::kMemory},
                   {"network", LinkKind::kNic}},
                  {.help = "what it joins", .required = true})
          .Integer("width", &LinkSpec::width, {.help = "lanes or links that the rates belong to", .min = 1})
          .ByteRate("rate", &LinkSpec::rate, {.help = "on the wire, one direction", .required = true, .positive = true})
          .ByteRate("payload_rate", &LinkSpec::payload_rate,
                    {.help = "payload that NCCL traffic reaches", .required = true, .positive = true})
          .Time("latency", &LinkSpec::latency, {.help = "one direction", .required = true, .min = 0})
          .Custom("source", ReadSource<LinkSpec>, {{"type", "string"}}, {.help = "of the numbers", .required = true})
          .Check([](const ConfigNode& node, const LinkSpec& link, Diagnostics* problems) {
            if (link.payload_rate <= link.rate) return;
            problems->Add(node["payload_rate"].position(), "payload_rate exceeds rate");
          }));
  return *schema;
}

const Schema<NicSpec>& NicSchema() {
  static const auto* schema = new Schema<NicSpec>(
      Schema<NicSpec>("nic")
          .Text("name", &NicSpec::name, {.help = "catalogue name", .required = true})
          .Text("display_name", &NicSpec::display_name, {.help = "name as marketed"})
          .ByteRate("rate", &NicSpec::rate, {.help = "line rate, one direction", .required = true, .positive = true})
          .Custom("pcie", ReadNicPcie, NicPcieSchema().ToJson(), {.help = "host link", .required = true})
          .Time("latency", &NicSpec::latency, {.help = "one way, adapter to adapter without a switch", .required = true, .min = 0})
          .Custom("source", ReadSource<NicSpec>, {{"type", "string"}}, {.help = "of the numbers", .required = true}));
  return *schema;
}

const Schema<SwitchSpec>& SwitchSchema() {
  static const auto* schema = new Schema<SwitchSpec>(
      Schema<SwitchSpec>("switch")
          .Text("name", &SwitchSpec::name, {.help = "catalogue name"})
          .Text("display_name", &SwitchSpec::display_name, {.help = "name as marketed"})
          .Integer("ports", &SwitchSpec::ports, {.help = "ports of one switch", .required = true, .min = 2, .max = 4096})
          .ByteRate("port_rate", &SwitchSpec::port_rate, {.help = "fastest rate of a port; absent: any", .positive = true})
          .Time("hop_latency", &SwitchSpec::hop_latency, {.help = "port to port", .required = true, .min = 0})
          .Custom("source", ReadSource<SwitchSpec>, {{"type", "string"}}, {.help = "of the numbers"}));
  return *schema;
}

}  // namespace stepsim::topology
