// The latency chain and the choice of channels and protocol.
#include <algorithm>

#include "sim/collective/group_traits.h"
#include "sim/collective/tuner.h"
#include "tests/collective/collective_testing.h"

namespace stepsim::sim {
namespace {

using literals::operator""_GiB;
using literals::operator""_KiB;
using literals::operator""_MiB;
using testing::Freeze;
using testing::Gpus;

constexpr double kLaunch = 3.3;  // models/COLLECTIVES.md §1.4

std::shared_ptr<const Platform> Hgx(sim::GpuSpec gpu, int nodes, int gpus, double nic_gbps,
                                    const std::string& protocol) {
  testing::NvSwitchOptions options;
  options.nodes = nodes;
  options.gpus = gpus;
  options.gpu = std::move(gpu);
  options.nics = nodes > 1 ? gpus : 0;
  options.fabric.nic_gbps = nic_gbps;
  options.fabric.protocol = protocol;
  return Freeze(NvSwitchCluster(options));
}

std::shared_ptr<const Platform> L40Boxes(int nodes, const std::string& protocol) {
  testing::PcieOptions options;
  options.nodes = nodes;
  options.nics = 2;
  options.fabric.protocol = protocol;
  return Freeze(PcieCluster(options));
}

// Latency of a call so small that neither fill nor last copy counts.
double ChainUs(const std::shared_ptr<const Platform>& platform, const std::string& protocol,
               CollectiveKind kind) {
  const CollectiveModel model(platform, {.protocol = protocol});
  return PlanOf(model, kind, Gpus(platform->num_gpus()), Bytes(16)).latency.microseconds();
}

TEST(LatencyTest, AllGatherOverA800NodesPaysSevenNvlinkHopsAndOneNetworkHopANode) {
  // Base 8.4, 896 hops of 3.4 us, 127 of 14: 4.83 ms at 1,024 ranks (models/COLLECTIVES.md §1.7), on RoCE 127
  // us more.
  const double infiniband =
      ChainUs(Hgx(testing::A800(), 128, 8, 25, "infiniband"), "Simple", CollectiveKind::kAllGather);
  EXPECT_NEAR(infiniband, kLaunch + 8.4 + 896 * 3.4 + 127 * 14, 0.1);
  EXPECT_NEAR(infiniband, 4833, 10);
  const double roce = ChainUs(Hgx(testing::A800(), 128, 8, 25, "roce"), "Simple", CollectiveKind::kAllGather);
  EXPECT_NEAR(roce - infiniband, 127, 0.1);
}

TEST(LatencyTest, ChainsOfTheOtherProtocolsAndCollectivesFollowTheTables) {
  const auto platform = Hgx(testing::H100(), 128, 8, 50, "infiniband");
  // 1,246 and 2,224 us in models/COLLECTIVES.md §1.7, which leaves the 3.3 us of the launch out.
  EXPECT_NEAR(ChainUs(platform, "LL", CollectiveKind::kAllGather), kLaunch + 6.6 + 896 * 1.0 + 127 * 2.7,
              0.1);
  EXPECT_NEAR(ChainUs(platform, "LL128", CollectiveKind::kAllGather), kLaunch + 14 + 896 * 1.9 + 127 * 4.0,
              0.1);
  EXPECT_NEAR(ChainUs(platform, "LL", CollectiveKind::kAllReduce),
              kLaunch + 6.6 + 2 * (896 * 1.0 + 127 * 2.7), 0.1);
  EXPECT_NEAR(ChainUs(platform, "Simple", CollectiveKind::kBroadcast), kLaunch + 8.4 + 896 * 3.4 + 127 * 14,
              0.1);
  EXPECT_NEAR(ChainUs(Hgx(testing::H100(), 1, 8, 50, ""), "LL", CollectiveKind::kAllReduce),
              kLaunch + 6.6 + 14 * 0.6, 0.1);
}

TEST(LatencyTest, AllGatherOverL40NodesTakesSevenMillisecondsSimple) {
  // Base 8.4, 896 PCIe hops of 5.7 us, 127 network hops of 14 + 1 us (RoCE): 7.0 ms (models/COLLECTIVES.md
  // §1.6); LL 1.4.
  const auto platform = L40Boxes(128, "roce");
  EXPECT_NEAR(ChainUs(platform, "Simple", CollectiveKind::kAllGather), kLaunch + 8.4 + 896 * 5.7 + 127 * 15,
              0.1);
  EXPECT_NEAR(ChainUs(platform, "LL", CollectiveKind::kAllGather), kLaunch + 6.6 + 896 * 1.0 + 127 * 3.7,
              0.1);
}

TEST(LatencyTest, FabricHopsAddTheirOwnLatency) {
  testing::NvSwitchOptions options;
  options.nodes = 4;
  options.nics = 8;
  options.fabric = {
      .protocol = "infiniband", .leaves = 4, .spines = 2, .hop_latency = Duration::Microseconds(1)};
  const auto far = Freeze(NvSwitchCluster(options));
  options.fabric = {.protocol = "infiniband"};
  const auto near = Freeze(NvSwitchCluster(options));
  // Each of the 3 network hops of an all-gather crosses leaf → spine → leaf, 1 us each.
  EXPECT_NEAR(ChainUs(far, "Simple", CollectiveKind::kAllGather) -
                  ChainUs(near, "Simple", CollectiveKind::kAllGather),
              6, 0.01);
}

TEST(LatencyTest, WorldAllGatherOfL40NodesTakesTheTimeOfTheDocumentedTable) {
  // models/COLLECTIVES.md §1.6, 1-2 NICs, Sapphire Rapids, 2 GPUs a PCIe switch: bytes → ms.
  testing::PcieOptions options;
  options.nodes = 128;
  options.nics = 2;
  options.gpus_per_switch = 2;
  const auto platform = Freeze(PcieCluster(options));
  const CollectiveModel model(platform, {});
  const struct {
    Bytes bytes;
    double ms;
    const char* protocol;
  } rows[] = {{64_MiB, 8.8, "LL"},
              {256_MiB, 21.9, "Simple"},
              {1_GiB, 66.4, "Simple"},
              {4_GiB, 244, "Simple"},
              {16_GiB, 957, "Simple"}};
  for (const auto& row : rows) {
    const CollectivePlan plan = PlanOf(model, CollectiveKind::kAllGather, Gpus(1024), row.bytes);
    EXPECT_EQ(plan.protocol, row.protocol);
    EXPECT_NEAR(DeviceMicroseconds(plan) / 1000, row.ms, 0.005 * row.ms) << row.bytes.count();
  }
}

TEST(ChannelTest, KernelChannelsAreThoseOfTheDocumentedBoxes) {
  // models/COLLECTIVES.md §1.2.3; 24 and 4 are also the grids of recorded kernels.
  const auto channels = [](const std::shared_ptr<const Platform>& platform) {
    return PlanOf(CollectiveModel(platform, {.protocol = "Simple"}), CollectiveKind::kAllGather,
                  Gpus(platform->num_gpus()), 16_GiB)
        .channels;
  };
  EXPECT_EQ(channels(Hgx(testing::H200(), 1, 2, 50, "")), 24);
  EXPECT_EQ(channels(Hgx(testing::A100(), 1, 8, 25, "")), 24);
  EXPECT_EQ(channels(Hgx(testing::A800(), 1, 8, 25, "")), 16);
  EXPECT_EQ(channels(Hgx(testing::H800(), 1, 8, 50, "")), 16);
  EXPECT_EQ(channels(Hgx(testing::H100(), 2, 8, 50, "infiniband")), 16);
  testing::PcieOptions shm{
      .nodes = 1, .gpus = 2, .gpu = testing::H200(), .sockets = 1, .peer_to_peer = false};
  EXPECT_EQ(channels(Freeze(PcieCluster(shm))), 4);
  testing::PcieOptions one_switch{.nodes = 1, .gpus = 4, .sockets = 1, .gpus_per_switch = 4};
  EXPECT_EQ(channels(Freeze(PcieCluster(one_switch))), 4);
  testing::PcieOptions consumer{.nodes = 1, .gpus = 8, .gpu = testing::Rtx5090(), .cpu = CpuVendor::kAmd};
  EXPECT_EQ(channels(Freeze(PcieCluster(consumer))), 2);
}

TEST(ChannelTest, SmallMessagesUseFewerChannels) {
  const CollectiveModel model(Hgx(testing::H200(), 1, 2, 50, ""), {.protocol = "Simple"});
  const auto channels = [&](Bytes bytes) {
    return PlanOf(model, CollectiveKind::kAllReduce, Gpus(2), bytes).channels;
  };
  EXPECT_EQ(channels(Bytes(256)), 1);
  EXPECT_EQ(channels(256_KiB), 8);  // a channel for each 32 KiB
  EXPECT_EQ(channels(1_MiB), 24);
}

TEST(TunerTest, ChoosesTheProtocolsThatNcclReports) {
  // NCCL_DEBUG on 8 × H200: Ring LL to 1 MiB, NVLS from 2 MiB (stas00/ml-engineering, network/README.md).
  const CollectiveModel model(Hgx(testing::H200(), 1, 8, 50, ""), {});
  const CollectivePlan small = PlanOf(model, CollectiveKind::kAllReduce, Gpus(8), 1_MiB);
  EXPECT_EQ(small.protocol, "LL");
  EXPECT_EQ(small.note, "");
  const CollectivePlan large = PlanOf(model, CollectiveKind::kAllReduce, Gpus(8), 2_MiB);
  EXPECT_THAT(large.note, ::testing::HasSubstr("NCCL would choose NVLS Simple"));
  EXPECT_EQ(PlanOf(model, CollectiveKind::kAllGather, Gpus(8), 1_GiB).note, "");
}

TEST(TunerTest, NamesTreeOnSeveralNodesAndPatWithOneGpuANode) {
  const auto platform = Hgx(testing::H100(), 16, 8, 50, "infiniband");
  const CollectiveModel model(platform, {});
  EXPECT_THAT(PlanOf(model, CollectiveKind::kAllReduce, Gpus(128), 4_KiB).note,
              ::testing::HasSubstr("Tree LL "));
  EXPECT_THAT(PlanOf(model, CollectiveKind::kAllReduce, Gpus(128), 64_MiB).note,
              ::testing::HasSubstr("NVLSTree Simple"));
  EXPECT_EQ(PlanOf(model, CollectiveKind::kAllGather, Gpus(128), 64_MiB).note, "");
  const auto wide = Hgx(testing::H100(), 64, 1, 50, "infiniband");
  EXPECT_THAT(PlanOf(CollectiveModel(wide, {}), CollectiveKind::kAllGather, Gpus(64), 4_MiB).note,
              ::testing::HasSubstr("PAT Simple"));
}

TEST(TunerTest, KeepsLl128OffPcie) {
  const auto platform = L40Boxes(2, "roce");
  const GroupLayout layout = *LayOut(*platform, Gpus(16));
  const GroupTraits traits = *DeriveTraits(layout);
  for (int64_t bytes = 1; bytes < int64_t{1} << 34; bytes *= 4) {
    for (const TunerCost& cost : TunerCosts(traits, CollectiveKind::kAllReduce, bytes))
      EXPECT_NE(cost.protocol, Protocol::kLl128);
  }
}

}  // namespace
}  // namespace stepsim::sim
