#include "topology/node/node_builder.h"

namespace stepsim::topology {

const sim::Registry<NodeBuilder>& NodeBuilders() {
  static const auto* registry = new sim::Registry<NodeBuilder>(
      "node layout",
      {
          {"nvswitch", "HGX board: every GPU on NVSwitch, PCIe switches or root ports beside it", BuildNvswitchNode},
          {"pcie-root-ports", "GPUs on root ports of the CPUs, no PCIe switch", BuildPcieRootPortsNode},
          {"pcie-switches", "GPUs under PCIe switches", BuildPcieSwitchesNode},
          {"nvlink-bridges", "GPUs in pairs joined by an NVLink bridge, else PCIe", BuildNvlinkBridgesNode},
          {"full-mesh", "a direct link (NVLink or Infinity Fabric) between every two GPUs", BuildFullMeshNode},
      });
  return *registry;
}

}  // namespace stepsim::topology
