#include "sim/platform/platform_check.h"

#include "sim/base/status.h"

namespace stepsim::sim {
namespace {

template <class... Parts>
absl::Status Inconsistent(const Parts&... parts) {
  return absl::FailedPreconditionError(absl::StrCat("inconsistent platform: ", parts...));
}

absl::Status CheckLinks(const PlatformData& data) {
  for (int32_t i = 0; i < static_cast<int32_t>(data.links.size()); ++i) {
    const Link& link = data.links[LinkId(i)];
    if (!data.vertices.contains(link.from) || !data.vertices.contains(link.to)) {
      return Inconsistent("link ", i, " has a dangling end");
    }
    if (!(link.capacity.per_second() > 0)) return Inconsistent("link ", i, " has no capacity");
    if (!(link.payload > 0 && link.payload <= 1)) return Inconsistent("link ", i, " has payload share ", link.payload);
    if (link.latency < Duration()) return Inconsistent("link ", i, " has a negative latency");
    if (!data.links.contains(link.reverse)) return Inconsistent("link ", i, " has no reverse link");
    const Link& back = data.links[link.reverse];
    if (back.reverse != LinkId(i) || back.from != link.to || back.to != link.from) {
      return Inconsistent("link ", i, " and link ", link.reverse.value(), " are not each other's reverse");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckTable(const std::vector<LocalRoute>& table, int32_t rows, int32_t columns, const NodeType& type,
                        absl::string_view what) {
  if (table.size() != static_cast<size_t>(rows) * static_cast<size_t>(columns)) {
    return Inconsistent("node type ", type.name, ": ", what, " has ", table.size(), " routes");
  }
  for (const LocalRoute& route : table) {
    for (const int32_t link : route.links) {
      if (link < 0 || link >= type.num_links) return Inconsistent("node type ", type.name, ": ", what, " has a dangling link");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckNodeType(const NodeType& type) {
  const int32_t gpus = type.num_gpus;
  const int32_t nics = type.num_nics;
  SIM_RETURN_IF_ERROR(CheckTable(type.gpu_to_gpu, gpus, gpus, type, "gpu_to_gpu"));
  SIM_RETURN_IF_ERROR(CheckTable(type.gpu_to_gpu_staged, gpus, gpus, type, "gpu_to_gpu_staged"));
  SIM_RETURN_IF_ERROR(CheckTable(type.gpu_to_nic, gpus, nics, type, "gpu_to_nic"));
  SIM_RETURN_IF_ERROR(CheckTable(type.nic_to_gpu, gpus, nics, type, "nic_to_gpu"));
  SIM_RETURN_IF_ERROR(CheckTable(type.gpu_to_nic_staged, gpus, nics, type, "gpu_to_nic_staged"));
  SIM_RETURN_IF_ERROR(CheckTable(type.nic_to_gpu_staged, gpus, nics, type, "nic_to_gpu_staged"));
  SIM_RETURN_IF_ERROR(CheckTable(type.gpu_to_host, gpus, 1, type, "gpu_to_host"));
  return CheckTable(type.host_to_gpu, gpus, 1, type, "host_to_gpu");
}

absl::Status CheckNodes(const PlatformData& data) {
  for (int32_t i = 0; i < static_cast<int32_t>(data.nodes.size()); ++i) {
    const Node& node = data.nodes[NodeId(i)];
    if (node.type < 0 || static_cast<size_t>(node.type) >= data.node_types.size()) {
      return Inconsistent("node ", i, " has no type");
    }
    const NodeType& type = data.node_types[static_cast<size_t>(node.type)];
    const auto fits = [](int32_t first, int32_t count, size_t size) {
      return first >= 0 && count >= 0 && static_cast<size_t>(first) + static_cast<size_t>(count) <= size;
    };
    if (!fits(node.first_gpu.value(), type.num_gpus, data.gpus.size()) ||
        (type.num_nics > 0 && !fits(node.first_nic.value(), type.num_nics, data.nics.size())) ||
        !fits(node.first_link.value(), type.num_links, data.links.size()) ||
        !data.vertices.contains(node.first_vertex)) {
      return Inconsistent("node ", i, " reaches beyond the platform's devices");
    }
    for (int32_t k = 0; k < type.num_links; ++k) {
      const Link& link = data.links[LinkId(node.first_link.value() + k)];
      if (data.vertices[link.from].node != NodeId(i) || data.vertices[link.to].node != NodeId(i)) {
        return Inconsistent("link ", node.first_link.value() + k, " leaves node ", i);
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckDevices(const PlatformData& data) {
  for (const Gpu& gpu : data.gpus) {
    if (!data.nodes.contains(gpu.node) || !data.vertices.contains(gpu.vertex) || gpu.spec < 0 ||
        static_cast<size_t>(gpu.spec) >= data.specs.size()) {
      return Inconsistent("GPU ", gpu.local, " of node ", gpu.node.value(), " has a dangling id");
    }
  }
  for (const Nic& nic : data.nics) {
    if (!data.nodes.contains(nic.node) || !data.vertices.contains(nic.vertex)) {
      return Inconsistent("NIC ", nic.local, " of node ", nic.node.value(), " has a dangling id");
    }
    if (nic.up.valid() != nic.down.valid()) return Inconsistent("NIC ", nic.local, " has one direction only");
    if (!nic.up.valid()) continue;
    if (!data.links.contains(nic.up) || data.links[nic.up].reverse != nic.down || nic.leaf < 0 ||
        nic.leaf >= data.fabric.num_leaves) {
      return Inconsistent("NIC ", nic.local, " of node ", nic.node.value(), " hangs off no leaf");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckFabric(const PlatformData& data) {
  const Fabric& fabric = data.fabric;
  const auto switches = static_cast<size_t>(fabric.num_switches);
  if (fabric.num_leaves > fabric.num_switches || fabric.switch_vertex.size() != switches ||
      fabric.next.size() != switches * static_cast<size_t>(fabric.num_leaves)) {
    return Inconsistent("tables of the fabric do not have ", fabric.num_switches, " switches");
  }
  for (size_t i = 0; i < switches; ++i) {
    if (!data.vertices.contains(fabric.switch_vertex[i]) ||
        fabric.switch_vertex[i].value() != fabric.switch_vertex[0].value() + static_cast<int32_t>(i)) {
      return Inconsistent("vertices of the fabric's switches are not contiguous");
    }
  }
  for (const int32_t set : fabric.next) {
    if (set < -1 || set >= static_cast<int32_t>(fabric.hop_sets.size())) return Inconsistent("dangling set of next hops");
  }
  for (const std::vector<LinkId>& set : fabric.hop_sets) {
    if (set.empty()) return Inconsistent("empty set of next hops");
    for (const LinkId link : set) {
      if (!data.links.contains(link) || data.links[link].kind != LinkKind::kFabric) {
        return Inconsistent("next hop that is no link between switches");
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckPlatform(const PlatformData& data) {
  if (data.gpus.empty()) return Inconsistent("no GPU");
  SIM_RETURN_IF_ERROR(CheckLinks(data));
  for (const NodeType& type : data.node_types) SIM_RETURN_IF_ERROR(CheckNodeType(type));
  SIM_RETURN_IF_ERROR(CheckNodes(data));
  SIM_RETURN_IF_ERROR(CheckDevices(data));
  return CheckFabric(data);
}

}  // namespace stepsim::sim
