// Laws that hold on every platform.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>

#include "sim/base/random.h"
#include "tests/collective/collective_testing.h"

namespace stepsim::sim {
namespace {

using literals::operator""_GiB;
using literals::operator""_KiB;
using literals::operator""_MiB;
using testing::Freeze;
using testing::Gpus;

constexpr CollectiveKind kAllKinds[] = {CollectiveKind::kAllReduce,     CollectiveKind::kAllGather,
                                        CollectiveKind::kReduceScatter, CollectiveKind::kBroadcast,
                                        CollectiveKind::kReduce,        CollectiveKind::kAllToAll,
                                        CollectiveKind::kBarrier};

PlatformData SmallCluster(int which) {
  testing::PcieOptions pcie;
  pcie.nodes = 3;
  pcie.nics = 4;
  testing::NvSwitchOptions nvswitch;
  nvswitch.nodes = 3;
  nvswitch.nics = 4;
  nvswitch.fabric = {.protocol = "infiniband", .leaves = 3, .spines = 2};
  switch (which) {
    case 0:
      return NvSwitchCluster(nvswitch);
    case 1:
      return PcieCluster(pcie);
    case 2:
      pcie.gpus_per_switch = 2;
      return PcieCluster(pcie);
    default:
      pcie.cpu = CpuVendor::kAmd;
      pcie.peer_to_peer = false;
      return PcieCluster(pcie);
  }
}

TEST(CollectivePropertiesTest, OneRankCostsNothing) {
  const CollectiveModel model(Freeze(SmallCluster(0)), {});
  for (CollectiveKind kind : kAllKinds) {
    const CollectivePlan plan = PlanOf(model, kind, {GpuId(5)}, 1_GiB);
    EXPECT_EQ(plan.latency, Duration());
    EXPECT_TRUE(plan.loads->empty());
    EXPECT_TRUE(std::isinf(plan.idle_rate.per_second()));
  }
}

TEST(CollectivePropertiesTest, TimeOnAnIdleHomogeneousNodeHasTheClosedForm) {
  // (N-1) S/(N B) + base + (N-1) hop + launch + last copy 3.2 S/(0.9 N H) + fill (models/COLLECTIVES.md
  // §1.4).
  testing::NvSwitchOptions options;
  options.gpu = testing::A100();
  const CollectiveModel model(Freeze(NvSwitchCluster(options)), {.protocol = "Simple"});
  const double rate = 240e9, memory = 0.9 * 2039e9;
  for (int ranks = 2; ranks <= 8; ++ranks) {
    for (Bytes bytes : {1_MiB, 64_MiB, 1_GiB}) {
      const double size = bytes.value(), n = ranks;
      const double channels = std::min(24.0, size / (32 * 1024));
      const double fill =
          1.1 * (2097152 / (rate / channels)) * size / (size + 3.9 * channels * 2097152 * 2 / n);
      const double seconds =
          (n - 1) * size / n / rate + (3.3 + 8.4 + (n - 1) * 3.4) * 1e-6 + 3.2 * size / n / memory + fill;
      const CollectivePlan plan = PlanOf(model, CollectiveKind::kAllGather, Gpus(ranks), bytes);
      EXPECT_NEAR(DeviceMicroseconds(plan), seconds * 1e6, 2e-4 * seconds * 1e6)
          << ranks << " ranks, " << bytes.count();
    }
  }
}

TEST(CollectivePropertiesTest, DoublingALinkNeverSlowsAPlan) {
  for (int which = 0; which < 4; ++which) {
    const PlatformData data = SmallCluster(which);
    const CollectiveModel before(Freeze(data), {});
    RandomStream random(7, "links");
    for (int trial = 0; trial < 40; ++trial) {
      PlatformData faster = data;
      const LinkId link(static_cast<int32_t>(random.Below(data.links.size())));
      if (which == 2 && data.links[link].kind == LinkKind::kSocket)
        continue;  // changes NCCL's choice of transport
      faster.links[link].capacity = faster.links[link].capacity * 2;
      const CollectiveModel after(Freeze(faster), {});
      for (CollectiveKind kind : kAllKinds) {
        for (Bytes bytes : {64_KiB, 64_MiB, 1_GiB}) {
          const double was = DeviceMicroseconds(PlanOf(before, kind, Gpus(24), bytes));
          EXPECT_LE(DeviceMicroseconds(PlanOf(after, kind, Gpus(24), bytes)), was * (1 + 1e-9))
              << which << " " << Name(kind);
        }
      }
    }
  }
}

TEST(CollectivePropertiesTest, DoublingEveryLinkHalvesTheBytesTermUnlessStaged) {
  const PlatformData data = SmallCluster(0);
  PlatformData faster = data;
  for (Link& link : faster.links) link.capacity = link.capacity * 2;
  for (CollectiveKind kind : kAllKinds) {
    const auto rate = [&](const PlatformData& platform) {
      return PlanOf(CollectiveModel(Freeze(platform), {.protocol = "Simple"}), kind, Gpus(24), 1_GiB)
          .idle_rate.per_second();
    };
    EXPECT_NEAR(rate(faster) / rate(data), 2, 1e-6) << Name(kind);
  }
}

TEST(CollectivePropertiesTest, OrderOfRanksWithinANodeChangesNothing) {
  const CollectiveModel model(Freeze(SmallCluster(2)), {});
  std::vector<GpuId> permuted = Gpus(24);
  std::reverse(permuted.begin() + 1, permuted.begin() + 8);  // rank 0 stays the first node's first
  for (CollectiveKind kind : kAllKinds) {
    const CollectivePlan a = PlanOf(model, kind, Gpus(24), 64_MiB);
    const CollectivePlan b = PlanOf(model, kind, permuted, 64_MiB);
    EXPECT_EQ(a.latency, b.latency);
    ASSERT_EQ(a.loads->size(), b.loads->size());
    for (size_t i = 0; i < a.loads->size(); ++i) EXPECT_EQ((*a.loads)[i].weight, (*b.loads)[i].weight);
  }
}

TEST(CollectivePropertiesTest, PlansAreSortedAndBoundByTheirBottleneck) {
  for (int which = 0; which < 4; ++which) {
    const auto platform = Freeze(SmallCluster(which));
    const CollectiveModel model(platform, {});
    for (CollectiveKind kind : kAllKinds) {
      for (const auto& gpus : {Gpus(24), Gpus(8), Gpus(3, 0, 8), Gpus(7, 2, 3), Gpus(2, 7)}) {
        const CollectivePlan plan = PlanOf(model, kind, gpus, 1_MiB);
        double slowest = std::numeric_limits<double>::infinity();
        for (size_t i = 0; i < plan.loads->size(); ++i) {
          const LinkLoad& load = (*plan.loads)[i];
          ASSERT_GT(load.weight, 0);
          if (i > 0) {
            ASSERT_LT((*plan.loads)[i - 1].link, load.link);
          }
          slowest = std::min(slowest, platform->link(load.link).capacity.per_second() * kLoadUnit /
                                          static_cast<double>(load.weight));
        }
        EXPECT_NEAR(plan.idle_rate.per_second(), std::min(slowest, plan.rate_cap.per_second()), 1);
        EXPECT_EQ(plan.bottleneck.valid(), slowest <= plan.rate_cap.per_second());
        EXPECT_EQ(plan.cap_reason.empty(), std::isinf(plan.rate_cap.per_second()));
        EXPECT_GT(plan.memory_traffic, 0);
        EXPECT_GE(plan.channels, 1);
      }
    }
  }
}

TEST(CollectivePropertiesTest, EveryRegisteredAlgorithmPlansWhatItSupports) {
  const CollectiveModel model(Freeze(SmallCluster(0)), {});
  for (const auto& entry : CollectiveAlgorithms().entries()) {
    const CollectiveModel forced(Freeze(SmallCluster(0)), {.algorithm = entry.name});
    for (CollectiveKind kind : kAllKinds) {
      if (!entry.factory()->Supports(kind)) continue;
      EXPECT_EQ(PlanOf(forced, kind, Gpus(24), 1_MiB).algorithm, entry.name);
    }
    EXPECT_FALSE(entry.help.empty());
  }
}

TEST(CollectivePropertiesTest, SizesOfOneGroupShareTheirLoads) {
  const CollectiveModel model(Freeze(SmallCluster(1)), {.protocol = "Simple"});
  EXPECT_EQ(PlanOf(model, CollectiveKind::kAllGather, Gpus(24), 1_MiB).loads,
            PlanOf(model, CollectiveKind::kAllGather, Gpus(24), 1_GiB).loads);
}

TEST(CollectivePropertiesTest, QueuePairsSpreadAConnectionOverTheSpines) {
  testing::NvSwitchOptions options;
  options.nodes = 2;
  options.gpus = 1;
  options.nics = 1;
  options.fabric = {.protocol = "roce", .leaves = 2, .spines = 8};
  const auto platform = Freeze(NvSwitchCluster(options));
  const auto uplinks = [&](int qps) {
    int used = 0;
    const CollectivePlan plan = PlanOf(CollectiveModel(platform, {.qps_per_connection = qps}),
                                       CollectiveKind::kSendRecv, Gpus(2), 1_GiB);
    for (const LinkLoad& load : *plan.loads)
      used += platform->link(load.link).kind == LinkKind::kFabric ? 1 : 0;
    return used;
  };
  EXPECT_EQ(uplinks(1), 2);  // one way up, one down
  EXPECT_GT(uplinks(16), 8);
}

TEST(CollectivePropertiesTest, SendRecvLoadsOneWayOnly) {
  const auto platform = Freeze(SmallCluster(0));
  const CollectivePlan plan =
      PlanOf(CollectiveModel(platform, {}), CollectiveKind::kSendRecv, {GpuId(3), GpuId(12)}, 64_MiB);
  std::set<LinkId> links;
  for (const LinkLoad& load : *plan.loads) links.insert(load.link);
  for (LinkId link : links) EXPECT_FALSE(links.contains(platform->link(link).reverse));
  // One connection reaches 0.81 of the NIC (25 GB/s × 0.95).
  EXPECT_NEAR(plan.idle_rate.per_second() / kGB, 25 * 0.95 * 0.81, 0.01);
  EXPECT_EQ(plan.cap_reason, "one network connection");
}

TEST(CollectivePropertiesTest, AllToAllLoadsPortsAndSocketLinksByItsCounts) {
  // models/COLLECTIVES.md §2: in an 8-GPU box with 4 switches each GPU edge carries 7/8 of the message, each
  // uplink 1.5, each socket link 2. Without NICs and with peer-to-peer below the switches only.
  testing::PcieOptions options{.nodes = 1, .gpus_per_switch = 2};
  const auto platform = Freeze(PcieCluster(options));
  const CollectivePlan plan =
      PlanOf(CollectiveModel(platform, {}), CollectiveKind::kAllToAll, Gpus(8), 64_MiB);
  for (const LinkLoad& load : *plan.loads) {
    const Link& link = platform->link(load.link);
    const auto kind = [&](VertexId vertex) { return platform->data().vertices[vertex].kind; };
    const double bytes = static_cast<double>(load.weight) / kLoadUnit * link.payload;
    if (link.kind == LinkKind::kSocket) {
      EXPECT_NEAR(bytes, 2, 1e-3);
    }
    if (link.kind != LinkKind::kPcie) continue;
    const bool port = kind(link.from) == VertexKind::kGpu || kind(link.to) == VertexKind::kGpu;
    EXPECT_NEAR(bytes, port ? 7.0 / 8 : 1.5, 1e-3);
  }
  // The socket link (30 GB/s for 2 bytes) binds: 15 GB/s (§1.6).
  EXPECT_NEAR(plan.idle_rate.per_second() / kGB, 15.0, 0.01);
}

TEST(CollectivePropertiesTest, WorldRingsOfThousandsOfGpusPlanFast) {
  for (int nodes : {128, 2048}) {
    testing::NvSwitchOptions options;
    options.nodes = nodes;
    options.nics = 8;
    const auto platform = Freeze(NvSwitchCluster(options));
    const CollectiveModel model(platform, {});
    const std::vector<GpuId> world = Gpus(nodes * 8);
    const auto clock = [] { return std::chrono::steady_clock::now(); };
    const auto start = clock();
    const CollectivePlan plan = PlanOf(model, CollectiveKind::kAllGather, world, 1_GiB);
    const auto planned = clock();
    constexpr int kRepeats = 100;
    for (int i = 0; i < kRepeats; ++i)
      PlanOf(model, CollectiveKind::kAllGather, world, Bytes((int64_t{1} << 30) + i));
    const auto repeated = clock();
    const double first_ms = std::chrono::duration<double, std::milli>(planned - start).count();
    const double next_us = std::chrono::duration<double, std::micro>(repeated - planned).count() / kRepeats;
    RecordProperty("first_us_" + std::to_string(nodes * 8), static_cast<int>(first_ms * 1000));
    RecordProperty("next_ns_" + std::to_string(nodes * 8), static_cast<int>(next_us * 1000));
    EXPECT_EQ(plan.algorithm, "ring");
    // Ten times what a quiet core takes: the limits catch a plan that grew quadratic, not a busy machine.
    EXPECT_LT(first_ms, nodes == 128 ? 50 : 2000);
    EXPECT_LT(next_us, nodes == 128 ? 200 : 2000);
  }
}

}  // namespace
}  // namespace stepsim::sim
