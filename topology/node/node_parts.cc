#include <algorithm>

#include "sim/platform/gpu_schema.h"
#include "topology/node/node_builder.h"
#include "topology/position.h"

namespace stepsim::topology {
namespace {

using sim::Catalogue;
using sim::Diagnostics;
using sim::SourcePosition;

template <class T>
T LoadPart(const Catalogue& catalogue, const std::string& kind, const std::string& name, const sim::Schema<T>& schema,
           const SourcePosition& where, Diagnostics* problems) {
  T part;
  const auto node = catalogue.Load(kind, name);
  if (!node.ok()) {
    problems->AddStatus(where, node.status());
  } else {
    schema.Read(*node, &part, problems);
  }
  return part;
}

LinkSpec LoadLink(const Catalogue& catalogue, const std::string& name, sim::LinkKind kind, const SourcePosition& where,
                  Diagnostics* problems) {
  const size_t before = problems->size();
  LinkSpec link = LoadPart(catalogue, "links", name, LinkSchema(), where, problems);
  if (problems->size() == before && link.kind != kind) {
    problems->Add(where, absl::StrCat("\"", name, "\" is a ", sim::Name(link.kind), " link; expected one of kind ", sim::Name(kind)));
  }
  return link;
}

}  // namespace

NodeParts LoadNodeParts(const Catalogue& catalogue, const NodeSpec& spec, Diagnostics* problems) {
  NodeParts parts;
  const size_t before = problems->size();
  parts.gpu = LoadPart(catalogue, "gpus", spec.gpus.model, sim::GpuSchema(), spec.gpu_model_position, problems);
  const bool has_gpu = problems->size() == before;
  if (has_gpu && parts.gpu.nvlink_links > 0) {
    parts.nvlink = LoadLink(catalogue, parts.gpu.nvlink_link, sim::LinkKind::kNvlink, spec.gpu_model_position, problems);
  }
  if (spec.num_nics() > 0) {
    parts.nic = LoadPart(catalogue, "nics", spec.nics.model, NicSchema(), PositionOf(spec.config, {"nics", "model"}), problems);
    if (spec.nics.rate.per_second() > 0) parts.nic.rate = spec.nics.rate;
  }
  if (spec.cpu.sockets > 1) {
    const SourcePosition where = PositionOf(spec.config, {"cpu", "socket_link"});
    parts.socket = LoadLink(catalogue, spec.cpu.socket_link, sim::LinkKind::kSocket, where, problems);
  }
  parts.memory = LoadLink(catalogue, "dram", sim::LinkKind::kMemory, PositionOf(spec.config, {"cpu"}), problems);
  if (!has_gpu) return parts;
  const int64_t newest = std::max({parts.gpu.pcie_generation, spec.pcie.generation, parts.nic.pcie_generation});
  parts.pcie.resize(static_cast<size_t>(newest) + 1);
  const int64_t server = spec.pcie.generation > 0 ? spec.pcie.generation : parts.gpu.pcie_generation;
  for (const int64_t end : {server, parts.gpu.pcie_generation, parts.nic.pcie_generation}) {
    const auto generation = static_cast<size_t>(std::min(server, end));
    if (!parts.pcie[generation].name.empty()) continue;
    parts.pcie[generation] = LoadLink(catalogue, absl::StrCat("pcie-", generation), sim::LinkKind::kPcie,
                                      PositionOf(spec.config, {"pcie", "generation"}), problems);
  }
  return parts;
}

}  // namespace stepsim::topology
