#include "topology/node/pcie_tree.h"

#include <algorithm>
#include <set>

#include "sim/base/near_match.h"
#include "topology/position.h"

namespace stepsim::topology {
namespace {

using sim::Diagnostics;
using sim::VertexKind;

class PcieTreeBuilder {
 public:
  PcieTreeBuilder(const NodeSpec& spec, const NodeParts& parts, NodeDesign* design, Diagnostics* problems)
      : spec_(spec),
        parts_(parts),
        design_(design),
        problems_(problems),
        generation_(spec.pcie.generation > 0 ? spec.pcie.generation : parts.gpu.pcie_generation) {}

  void Build() {
    AddSockets();
    AddSwitches();
    AddGpus();
    AddNics();
  }

 private:
  GraphEdge PcieEdge(int64_t device_generation, int64_t lanes) const {
    return parts_.pcie[static_cast<size_t>(std::min(device_generation, generation_))].Edge(lanes);
  }

  void AddSockets() {
    GraphEdge memory = parts_.memory.Edge(1);
    if (spec_.cpu.memory_rate.per_second() > 0) memory.capacity = spec_.cpu.memory_rate;
    for (int i = 0; i < static_cast<int>(spec_.cpu.sockets); ++i) {
      const int cpu = AddVertex(VertexKind::kSocket, absl::StrCat("cpu", i), i);
      const int dram = design_->graph.AddVertex({VertexKind::kMemory, absl::StrCat("mem", i), i});
      design_->graph.AddEdge(cpu, dram, memory);
      for (const int other : design_->sockets) design_->graph.AddEdge(other, cpu, parts_.socket.Edge(1));
      design_->sockets.push_back(cpu);
      design_->memories.push_back(dram);
    }
  }

  int AddVertex(VertexKind kind, const std::string& name, int socket) {
    if (kind == VertexKind::kSocket || kind == VertexKind::kPcieSwitch) parents_.push_back(name);
    return design_->graph.AddVertex({kind, name, socket});
  }

  // Switches may be listed in any order, so all exist before their uplinks do.
  void AddSwitches() {
    const std::vector<Placement> switches = spec_.pcie.switches.empty() ? DefaultSwitches() : spec_.pcie.switches;
    std::vector<Placement> open = Unique(switches);
    for (const Placement& placed : open) parents_.push_back(placed.id);
    while (!open.empty()) {
      std::vector<Placement> waiting;
      for (const Placement& placed : open) {
        const int parent = design_->graph.FindVertex(placed.parent);
        if (parent < 0) {
          waiting.push_back(placed);
        } else {
          const int added = design_->graph.AddVertex(
              {VertexKind::kPcieSwitch, placed.id, design_->graph.vertex(parent).socket});
          design_->graph.AddEdge(added, parent, PcieEdge(generation_, spec_.pcie.uplink_lanes));
        }
      }
      if (waiting.size() == open.size()) break;  // no parent among them: a missing one, or a loop
      open = std::move(waiting);
      waiting.clear();
    }
    for (const Placement& placed : open) {
      const bool known = std::find(parents_.begin(), parents_.end(), placed.parent) != parents_.end();
      problems_->Add(placed.where, known ? absl::StrCat("\"", placed.id, "\" hangs off no socket: its parents form a loop or are misplaced")
                                         : UnknownParent(placed));
    }
  }

  void AddGpus() {
    const int64_t total = spec_.num_gpus();
    const int64_t used = spec_.used_gpus > 0 ? std::min(spec_.used_gpus, total) : total;
    std::vector<Placement> gpus = spec_.gpus.placement;
    for (int64_t i = 0; i < total && spec_.gpus.placement.empty(); ++i) {
      gpus.push_back({absl::StrCat("gpu", i), DefaultParent(i), PositionOf(spec_.config, {"gpus"})});
    }
    gpus.resize(static_cast<size_t>(used));
    AddDevices(gpus, VertexKind::kGpu, PcieEdge(parts_.gpu.pcie_generation, parts_.gpu.pcie_lanes), &design_->gpus);
  }

  void AddNics() {
    if (spec_.num_nics() == 0) return;
    std::vector<Placement> nics = spec_.nics.placement;
    const sim::SourcePosition where = PositionOf(spec_.config, {"nics", "placement"});
    if (spec_.nics.rule == NicRule::kSwitches && spec_.num_switches() == 0) {
      problems_->Add(where, "NICs are to hang under switches, but the node has no PCIe switch (pcie.switches)");
      return;
    }
    for (int64_t i = 0; i < spec_.nics.count && spec_.nics.placement.empty(); ++i) {
      const int64_t gpu = i * spec_.num_gpus() / spec_.nics.count;
      const bool root_port = spec_.nics.rule == NicRule::kRootPorts;
      nics.push_back({absl::StrCat("nic", i), root_port ? SocketName(gpu) : DefaultParent(gpu), where});
    }
    AddDevices(nics, VertexKind::kNic, PcieEdge(parts_.nic.pcie_generation, parts_.nic.pcie_lanes), &design_->nics);
  }

  void AddDevices(const std::vector<Placement>& devices, VertexKind kind, const GraphEdge& edge, std::vector<int>* vertices) {
    for (const Placement& placed : Unique(devices)) {
      const int parent = design_->graph.FindVertex(placed.parent);
      const VertexKind parent_kind = parent < 0 ? VertexKind::kMemory : design_->graph.vertex(parent).kind;
      if (parent_kind != VertexKind::kSocket && parent_kind != VertexKind::kPcieSwitch) {
        problems_->Add(placed.where, UnknownParent(placed));
        continue;
      }
      const int vertex = design_->graph.AddVertex({kind, placed.id, design_->graph.vertex(parent).socket});
      design_->graph.AddEdge(vertex, parent, edge);
      vertices->push_back(vertex);
    }
  }

  // Drops placements whose id is taken, with a problem.
  std::vector<Placement> Unique(const std::vector<Placement>& placements) {
    std::vector<Placement> unique;
    std::set<std::string> seen;
    for (const Placement& placed : placements) {
      if (design_->graph.FindVertex(placed.id) >= 0 || !seen.insert(placed.id).second) {
        problems_->Add(placed.where, absl::StrCat("there is more than one device \"", placed.id, "\" in the node"));
      } else {
        unique.push_back(placed);
      }
    }
    return unique;
  }

  std::string UnknownParent(const Placement& placed) const {
    return absl::StrCat("\"", placed.id, "\" hangs off a device that is not there: ",
                        sim::UnknownNameMessage("switch or socket", placed.parent, parents_));
  }

  std::vector<Placement> DefaultSwitches() const {
    std::vector<Placement> switches;
    for (int64_t i = 0; i < spec_.pcie.switch_count; ++i) {
      const int64_t socket = i * spec_.cpu.sockets / spec_.pcie.switch_count;
      switches.push_back({absl::StrCat("sw", i), absl::StrCat("cpu", socket), PositionOf(spec_.config, {"pcie", "switches"})});
    }
    return switches;
  }

  // By GPU index, which places NICs too.
  std::string DefaultParent(int64_t gpu) const {
    const int64_t switches = spec_.num_switches();
    if (switches == 0) return SocketName(gpu);
    const int64_t index = gpu * switches / spec_.num_gpus();
    return spec_.pcie.switches.empty() ? absl::StrCat("sw", index) : spec_.pcie.switches[static_cast<size_t>(index)].id;
  }
  std::string SocketName(int64_t gpu) const { return absl::StrCat("cpu", gpu * spec_.cpu.sockets / spec_.num_gpus()); }

  const NodeSpec& spec_;
  const NodeParts& parts_;
  NodeDesign* design_;
  Diagnostics* problems_;
  int64_t generation_;
  std::vector<std::string> parents_;  // what devices may hang off, for messages
};

}  // namespace

void BuildPcieTree(const NodeSpec& spec, const NodeParts& parts, NodeDesign* design, Diagnostics* problems) {
  PcieTreeBuilder(spec, parts, design, problems).Build();
}

}  // namespace stepsim::topology
