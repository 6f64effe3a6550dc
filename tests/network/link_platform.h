// A platform of unconnected links with given capacities: link 2i is the i-th, 2i + 1 its reverse. The network model
// sees nothing else of a platform.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/platform/platform.h"

namespace stepsim::sim {

inline LinkId NthLink(int i) { return LinkId(2 * i); }

inline std::shared_ptr<const Platform> LinkPlatform(const std::vector<double>& bytes_per_second) {
  PlatformData data;
  data.specs.emplace_back();
  NodeType type;
  type.num_gpus = 1;
  for (auto* table : {&type.gpu_to_gpu, &type.gpu_to_gpu_staged, &type.gpu_to_host, &type.host_to_gpu}) table->resize(1);
  data.node_types.push_back(type);
  Node node;
  node.first_gpu = GpuId(0);
  node.first_link = LinkId(0);
  node.first_vertex = VertexId(0);
  data.nodes.push_back(node);
  const VertexId vertex = data.vertices.push_back(Vertex{VertexKind::kGpu, NodeId(0), "gpu0"});
  Gpu gpu;
  gpu.node = NodeId(0);
  gpu.vertex = vertex;
  data.gpus.push_back(gpu);
  for (const double capacity : bytes_per_second) {
    Link link;
    link.from = vertex;
    link.to = data.vertices.push_back(Vertex{VertexKind::kPcieSwitch, NodeId(0), "end"});
    link.capacity = BytesPerSecond(capacity);
    const auto next = static_cast<int32_t>(data.links.size());
    link.reverse = LinkId(next + 1);
    data.links.push_back(link);
    std::swap(link.from, link.to);
    link.reverse = LinkId(next);
    data.links.push_back(link);
  }
  absl::StatusOr<std::shared_ptr<const Platform>> platform = Platform::Create(std::move(data));
  EXPECT_TRUE(platform.ok()) << platform.status();
  return *platform;
}

}  // namespace stepsim::sim
