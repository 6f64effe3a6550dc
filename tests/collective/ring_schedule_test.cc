// The ring that the planner builds, played symbolically: who holds which chunk after each step, and bytes
// over each port.
#include <algorithm>
#include <map>
#include <set>

#include "sim/collective/protocol.h"
#include "sim/collective/ring_node.h"
#include "tests/collective/collective_testing.h"

namespace stepsim::sim {
namespace {

using literals::operator""_MiB;
using testing::Freeze;
using testing::Gpus;

// Groups over the GPUs of 8-GPU nodes, so that most counts leave the last node partly used.
const std::vector<int>& RankCounts() {
  static const auto* counts =
      new std::vector<int>{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 64};
  return *counts;
}

std::shared_ptr<const Platform> Nodes(bool nvlink, int nodes) {
  if (nvlink) {
    testing::NvSwitchOptions options;
    options.nodes = nodes;
    options.nics = 8;
    return Freeze(NvSwitchCluster(options));
  }
  testing::PcieOptions options;
  options.nodes = nodes;
  options.nics = 4;
  options.gpus_per_switch = 2;
  return Freeze(PcieCluster(options));
}

// The ranks in ring order for one rail.
std::vector<GpuId> RingOf(const GroupLayout& layout, int32_t rail) {
  std::vector<GpuId> ring;
  for (const GroupLayout::Member& member : layout.nodes) {
    const RingNode node = *BuildRingNode(layout, layout.pattern(member), false);
    for (int32_t local : node.orders[static_cast<size_t>(rail)]) {
      ring.push_back(GpuId(layout.platform->node(member.node).first_gpu.value() + local));
    }
  }
  return ring;
}

// Plays an all-gather: in step s the rank at position p passes on the chunk that started at position p - s.
// Returns the chunks that each position receives.
std::vector<std::set<int>> PlayAllGather(int ranks) {
  const auto n = static_cast<size_t>(ranks);
  std::vector<std::set<int>> held(n), received(n);
  for (size_t p = 0; p < n; ++p) held[p].insert(static_cast<int>(p));
  for (int step = 0; step + 1 < ranks; ++step) {
    std::vector<std::set<int>> next = held;
    for (int p = 0; p < ranks; ++p) {
      const int chunk = ((p - step) % ranks + ranks) % ranks;
      EXPECT_TRUE(held[static_cast<size_t>(p)].contains(chunk))
          << "position " << p << " lacks chunk " << chunk;
      const auto to = static_cast<size_t>((p + 1) % ranks);
      next[to].insert(chunk);
      EXPECT_TRUE(received[to].insert(chunk).second) << "chunk " << chunk << " arrives twice";
    }
    held = next;
  }
  for (const std::set<int>& chunks : held) EXPECT_EQ(chunks.size(), n);
  return received;
}

// Payload bytes per message byte over the links into the GPU (or out of it).
double PortTraffic(const Platform& platform, const CollectivePlan& plan, GpuId gpu, bool in) {
  double sum = 0;
  for (const LinkLoad& load : *plan.loads) {
    const Link& link = platform.link(load.link);
    if ((in ? link.to : link.from) != platform.gpu(gpu).vertex) continue;
    sum += static_cast<double>(load.weight) / kLoadUnit * link.payload;
  }
  return sum;
}

TEST(RingScheduleTest, EveryRailVisitsEveryRankOnce) {
  for (bool nvlink : {false, true}) {
    const auto platform = Nodes(nvlink, 8);
    for (int ranks : RankCounts()) {
      const GroupLayout layout = *LayOut(*platform, Gpus(ranks));
      for (int32_t rail = 0; rail < layout.rails; ++rail) {
        std::vector<GpuId> ring = RingOf(layout, rail);
        std::sort(ring.begin(), ring.end());
        EXPECT_EQ(ring, Gpus(ranks)) << ranks << " ranks, rail " << rail;
      }
    }
  }
}

TEST(RingScheduleTest, PortsCarryTheBytesOfThePlayedSchedule) {
  const auto platform = Nodes(false, 8);
  const CollectiveModel model(platform, {.protocol = "Simple"});
  for (int ranks : RankCounts()) {
    const std::vector<std::set<int>> received = PlayAllGather(ranks);
    const CollectivePlan gather = PlanOf(model, CollectiveKind::kAllGather, Gpus(ranks), 64_MiB);
    const CollectivePlan scatter = PlanOf(model, CollectiveKind::kReduceScatter, Gpus(ranks), 64_MiB);
    const CollectivePlan reduce = PlanOf(model, CollectiveKind::kAllReduce, Gpus(ranks), 64_MiB);
    for (int rank = 0; rank < ranks; ++rank) {
      const double expected = static_cast<double>(received[static_cast<size_t>(rank)].size()) / ranks;
      for (bool in : {true, false}) {
        EXPECT_NEAR(PortTraffic(*platform, gather, GpuId(rank), in), expected, 1e-3) << ranks;
        EXPECT_NEAR(PortTraffic(*platform, scatter, GpuId(rank), in), expected, 1e-3) << ranks;
        EXPECT_NEAR(PortTraffic(*platform, reduce, GpuId(rank), in), 2 * expected, 1e-3) << ranks;
      }
    }
  }
}

TEST(RingScheduleTest, NvlinkPortsCarryTheSameWithinANode) {
  const auto platform = Nodes(true, 1);
  const CollectiveModel model(platform, {.protocol = "Simple"});
  for (int ranks = 2; ranks <= 8; ++ranks) {
    const CollectivePlan plan = PlanOf(model, CollectiveKind::kAllGather, Gpus(ranks), 64_MiB);
    for (int rank = 0; rank < ranks; ++rank) {
      EXPECT_NEAR(PortTraffic(*platform, plan, GpuId(rank), true), (ranks - 1.0) / ranks, 1e-3);
    }
  }
}

TEST(RingScheduleTest, BroadcastSparesTheHopIntoTheRootAndReduceTheHopOut) {
  for (int ranks : {2, 5, 8, 13, 64}) {
    const auto platform = Nodes(false, 8);
    const CollectiveModel model(platform, {.protocol = "Simple"});
    const CollectivePlan broadcast = PlanOf(model, CollectiveKind::kBroadcast, Gpus(ranks), 64_MiB);
    const CollectivePlan reduce = PlanOf(model, CollectiveKind::kReduce, Gpus(ranks), 64_MiB);
    EXPECT_NEAR(PortTraffic(*platform, broadcast, GpuId(0), true), 0, 1e-3) << ranks;
    EXPECT_NEAR(PortTraffic(*platform, reduce, GpuId(0), false), 0, 1e-3) << ranks;
    for (int rank = 1; rank < ranks; ++rank) {
      EXPECT_NEAR(PortTraffic(*platform, broadcast, GpuId(rank), true), 1, 1e-3) << ranks;
      EXPECT_NEAR(PortTraffic(*platform, reduce, GpuId(rank), false), 1, 1e-3) << ranks;
    }
  }
}

TEST(RingScheduleTest, BytesIntoTheFabricComeOut) {
  const auto platform = Nodes(true, 8);
  const CollectiveModel model(platform, {.protocol = "LL"});
  for (CollectiveKind kind :
       {CollectiveKind::kAllGather, CollectiveKind::kAllReduce, CollectiveKind::kAllToAll}) {
    double up = 0, down = 0;
    const CollectivePlan plan = PlanOf(model, kind, Gpus(19, 3, 3), 64_MiB);
    for (const LinkLoad& load : *plan.loads) {
      const Link& link = platform->link(load.link);
      if (link.kind != LinkKind::kNic) continue;
      const bool is_up = platform->data().vertices[link.from].kind == VertexKind::kNic;
      (is_up ? up : down) += static_cast<double>(load.weight);
    }
    EXPECT_GT(up, 0);
    EXPECT_NEAR(up, down, 16) << Name(kind);
  }
}

TEST(RingScheduleTest, ProtocolsCostTheirWireFactor) {
  const auto platform = Nodes(true, 1);
  const auto weight = [&](const std::string& protocol) {
    return PlanOf(CollectiveModel(platform, {.protocol = protocol}), CollectiveKind::kAllReduce, Gpus(8),
                  64_MiB)
        .loads->front()
        .weight;
  };
  EXPECT_NEAR(static_cast<double>(weight("LL")) / static_cast<double>(weight("Simple")), 2.0, 1e-4);
  EXPECT_NEAR(static_cast<double>(weight("LL128")) / static_cast<double>(weight("Simple")), 1 / 0.92, 1e-4);
  // A GPU sends 2 (N-1)/N of the message; 20 of 25 GB/s of an NVLink are payload.
  EXPECT_NEAR(static_cast<double>(weight("Simple")), 2 * 7.0 / 8 * 25 / 20 * kLoadUnit, 1);
}

}  // namespace
}  // namespace stepsim::sim
