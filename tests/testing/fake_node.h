// One server of a fake cluster as a template: vertices, links and routes, indices relative to the node.
#pragma once

#include <string>
#include <vector>

#include "sim/platform/platform.h"

namespace stepsim::testing {

struct FakeNodeOptions {
  int gpus = 8;
  int nics = 0;
  int sockets = 2;
  int gpus_per_switch = 0;  // 0: root ports
  bool nvswitch = false;
  double nvlink_gbps = 0;  // raw, a GPU
  double nvlink_payload = 1;
  double pcie_gbps = 31.5;  // raw, x16
  double pcie_payload = 1;
  double socket_gbps = 30;
  double memory_gbps = 200;  // of a socket's DRAM, each direction
};

struct FakeNode {
  struct Vertex {
    sim::VertexKind kind;
    std::string name;
  };
  struct Link {
    sim::LinkKind kind;
    int from, to;
    double gbps, payload;
    int reverse;
  };
  std::vector<Vertex> vertices;
  std::vector<Link> links;
  std::vector<int> gpus, nics;  // vertices
  std::vector<int> gpu_socket, nic_socket;
  sim::NodeType type;  // sizes and routes filled
};

FakeNode BuildFakeNode(const FakeNodeOptions& options);

}  // namespace stepsim::testing
