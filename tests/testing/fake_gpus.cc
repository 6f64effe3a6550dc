#include "tests/testing/fake_gpus.h"

namespace stepsim::testing {
namespace {

using sim::BytesPerSecond;
using sim::FlopsPerSecond;

sim::GpuSpec Card(const char* name, const char* architecture, double capability, int64_t sms,
                  double bf16_teraflops, int64_t memory_gib, double memory_gbps, int64_t pcie_generation) {
  sim::GpuSpec spec;
  spec.name = spec.display_name = name;
  spec.vendor = "NVIDIA";
  spec.architecture = architecture;
  spec.compute_capability = capability;
  spec.sms = sms;
  spec.bf16 = spec.fp16 = FlopsPerSecond(bf16_teraflops * 1e12);
  spec.memory = sim::Bytes(memory_gib << 30);
  spec.memory_rate = BytesPerSecond(memory_gbps * 1e9);
  spec.pcie_generation = pcie_generation;
  spec.pcie_lanes = 16;
  spec.pcie_peer_to_peer = true;
  return spec;
}

sim::GpuSpec WithNvlink(sim::GpuSpec spec, int64_t generation, int64_t links, double gbps_per_link) {
  spec.nvlink_generation = generation;
  spec.nvlink_links = links;
  spec.nvlink_rate = BytesPerSecond(static_cast<double>(links) * gbps_per_link * 1e9);
  return spec;
}

}  // namespace

sim::GpuSpec A100() {
  return WithNvlink(Card("a100", "ampere-ga100", 8.0, 108, 312, 80, 2039, 4), 3, 12, 25);
}
sim::GpuSpec A800() {
  return WithNvlink(Card("a800", "ampere-ga100", 8.0, 108, 312, 80, 2039, 4), 3, 8, 25);
}
sim::GpuSpec H100() {
  return WithNvlink(Card("h100", "hopper", 9.0, 132, 989.4, 80, 3352, 5), 4, 18, 25);
}
sim::GpuSpec H800() {
  return WithNvlink(Card("h800", "hopper", 9.0, 132, 989.4, 80, 3352, 5), 4, 8, 25);
}
sim::GpuSpec H200() {
  return WithNvlink(Card("h200", "hopper", 9.0, 132, 989.4, 141, 4800, 5), 4, 18, 25);
}
sim::GpuSpec L40() {
  return Card("l40", "ada", 8.9, 142, 181, 48, 864, 4);
}
sim::GpuSpec Rtx5090() {
  sim::GpuSpec spec = Card("rtx5090", "blackwell", 12.0, 170, 209.5, 32, 1792, 5);
  spec.pcie_peer_to_peer = false;
  return spec;
}

}  // namespace stepsim::testing
