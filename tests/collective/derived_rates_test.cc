// Bandwidths that the model derives for whole clusters, against the closed forms of the documented model.
#include "absl/strings/str_cat.h"
#include "sim/base/units.h"
#include "tests/collective/collective_testing.h"

namespace stepsim::sim {
namespace {

using literals::operator""_GiB;
using testing::Freeze;
using testing::Gpus;
using testing::NvSwitchCluster;
using testing::PcieCluster;

// 1/d = 1/PCIe + 1/103 (+ 1/140 across sockets), PCIe Gen4 x16 = 26 GB/s (models/COLLECTIVES.md §1.1).
const double kStagedGen4 = 1 / (1 / 26.0 + 1 / 103.0);
const double kStagedGen4AcrossSockets = 1 / (1 / 26.0 + 1 / 103.0 + 1 / 140.0);

testing::PcieOptions L40Cluster(int nics, int gpus_per_switch, CpuVendor cpu) {
  testing::PcieOptions options;
  options.nodes = 128;
  options.gpus_per_switch = gpus_per_switch;
  options.nics = nics;
  options.cpu = cpu;
  return options;
}

CollectivePlan WorldPlan(PlatformData data, CollectiveKind kind) {
  const auto platform = Freeze(std::move(data));
  return PlanOf(CollectiveModel(platform, {}), kind, Gpus(platform->num_gpus()), 16_GiB);
}

TEST(DerivedRatesTest, RootPortBoxIsBoundByTheHostStagedHopAcrossSockets) {
  for (int nics : {1, 2, 4}) {
    const CollectivePlan plan =
        WorldPlan(PcieCluster(L40Cluster(nics, 0, CpuVendor::kAmd)), CollectiveKind::kAllGather);
    EXPECT_NEAR(BusRate(plan, CollectiveKind::kAllGather, 1024), kStagedGen4AcrossSockets, 0.01)
        << nics << " NICs";
    EXPECT_FALSE(plan.bottleneck.valid());
    EXPECT_THAT(plan.cap_reason, ::testing::HasSubstr("host-staged hop across sockets"));
  }
}

TEST(DerivedRatesTest, SwitchBoxFollowsItsNumberOfNics) {
  // With 4 NICs the staged hop across sockets goes through the network, since a 25 GB/s NIC behind 24 GB/s of
  // PCIe beats the 22 GB/s that NCCL assumes between the sockets; NIC 1 then carries its own rail (1/4) and
  // every rail's crossing (4/4). With 8, the GPU port that stages within its socket binds.
  const struct {
    int nics;
    double expected;
  } rows[] = {
      {1, kStagedGen4AcrossSockets}, {2, kStagedGen4AcrossSockets}, {4, 25 * 0.95 / 1.25}, {8, kStagedGen4}};
  for (const auto& row : rows) {
    for (CollectiveKind kind :
         {CollectiveKind::kAllGather, CollectiveKind::kReduceScatter, CollectiveKind::kAllReduce}) {
      const CollectivePlan plan = WorldPlan(PcieCluster(L40Cluster(row.nics, 2, CpuVendor::kIntel)), kind);
      EXPECT_NEAR(BusRate(plan, kind, 1024), row.expected, 0.01 * row.expected)
          << row.nics << " NICs, " << Name(kind) << plan.cap_reason;
    }
  }
}

TEST(DerivedRatesTest, SwitchBoxWithoutPeerToPeerIsBoundByTheSwitchUplink) {
  // Without peer-to-peer every hop is staged, so a switch uplink carries two of them: 26 / 2.
  testing::PcieOptions options = L40Cluster(2, 2, CpuVendor::kIntel);
  options.peer_to_peer = false;
  EXPECT_NEAR(
      BusRate(WorldPlan(PcieCluster(options), CollectiveKind::kAllGather), CollectiveKind::kAllGather, 1024),
      13.0, 0.01);
}

TEST(DerivedRatesTest, BoxUnderOneSwitchIsBoundByTheNicThenByTheGpuPort) {
  for (int nics : {1, 2, 4}) {
    testing::PcieOptions options = L40Cluster(nics, 8, CpuVendor::kIntel);
    options.sockets = 1;
    const double expected = nics == 1 ? 25 * 0.95 : 26;
    EXPECT_NEAR(BusRate(WorldPlan(PcieCluster(options), CollectiveKind::kAllGather),
                        CollectiveKind::kAllGather, 1024),
                expected, 0.01);
  }
}

TEST(DerivedRatesTest, NvSwitchClusterIsBoundByNvlinkOrByItsNics) {
  const struct {
    sim::GpuSpec gpu;
    int nics;
    double nic_gbps;
    double expected;
  } rows[] = {
      {testing::A800(), 8, 25, 160},    // 8 links × 20; the NICs would give 190
      {testing::A100(), 8, 25, 190},    // 12 × 20 = 240 against 8 × 25 × 0.95
      {testing::H100(), 8, 50, 372.6},  // 18 × 20.7; NICs 380
      {testing::H100(), 2, 50, 95},    {testing::A100(), 2, 25, 47.5},
  };
  for (const auto& row : rows) {
    testing::NvSwitchOptions options;
    options.nodes = 128;
    options.gpu = row.gpu;
    options.nics = row.nics;
    options.fabric.nic_gbps = row.nic_gbps;
    const CollectivePlan plan = WorldPlan(NvSwitchCluster(options), CollectiveKind::kAllGather);
    EXPECT_NEAR(BusRate(plan, CollectiveKind::kAllGather, 1024), row.expected, 0.002 * row.expected)
        << row.gpu.name << row.nics;
    EXPECT_TRUE(plan.bottleneck.valid());
  }
}

}  // namespace
}  // namespace stepsim::sim
