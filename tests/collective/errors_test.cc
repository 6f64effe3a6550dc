// Faults of the user or of the cluster: a status that names what is wrong, never a hang.
#include "tests/collective/collective_testing.h"

namespace stepsim::sim {
namespace {

using literals::operator""_MiB;
using testing::Freeze;
using testing::Gpus;
using ::testing::HasSubstr;

PlatformData TwoBoxes() {
  testing::PcieOptions options;
  options.nodes = 2;
  options.nics = 2;
  return PcieCluster(options);
}

absl::Status StatusOf(const PlatformData& data, CollectiveKind kind, const std::vector<GpuId>& gpus,
                      CollectiveOptions options = {}) {
  return CollectiveModel(Freeze(data), std::move(options)).Plan(kind, gpus, 1_MiB).status();
}

TEST(CollectiveErrorsTest, UnpluggedNicIsNamedWithItsPeer) {
  PlatformData data = TwoBoxes();
  data.nics[NicId(2)].up = data.nics[NicId(2)].down = LinkId();
  const absl::Status status = StatusOf(data, CollectiveKind::kAllReduce, Gpus(16));
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("node0/nic0"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("node1/nic0"));
}

TEST(CollectiveErrorsTest, SplitFabricIsNamedWithBothNics) {
  testing::PcieOptions options;
  options.nodes = 2;
  options.nics = 1;
  options.fabric.leaves = 2;  // and no spine between them
  const absl::Status status = StatusOf(PcieCluster(options), CollectiveKind::kAllGather, Gpus(16));
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("node0/nic0"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("node1/nic0"));
}

TEST(CollectiveErrorsTest, NicsWithoutBandwidthMakeNoPlatform) {
  PlatformData data = TwoBoxes();
  for (const Nic& nic : data.nics) data.links[nic.up].capacity = BytesPerSecond(0);
  EXPECT_EQ(Platform::Create(data).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(CollectiveErrorsTest, NodesWithoutNicsAreNamed) {
  testing::PcieOptions options;
  options.nodes = 2;
  const absl::Status status = StatusOf(PcieCluster(options), CollectiveKind::kAllReduce, Gpus(16));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("node0 has no NIC"));
}

TEST(CollectiveErrorsTest, GpusWithoutAnyPathAreNamed) {
  PlatformData data = TwoBoxes();
  for (auto* table : {&data.node_types[0].gpu_to_gpu, &data.node_types[0].gpu_to_gpu_staged})
    (*table)[1].reachable = false;
  const absl::Status status = StatusOf(data, CollectiveKind::kAllReduce, Gpus(2));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("no path from node0/gpu0 to node0/gpu1"));
}

TEST(CollectiveErrorsTest, MalformedGroupsAreInvalid) {
  const PlatformData data = TwoBoxes();
  EXPECT_EQ(StatusOf(data, CollectiveKind::kAllReduce, {}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(StatusOf(data, CollectiveKind::kAllReduce, {GpuId(3), GpuId(3)}).message()),
              HasSubstr("GPU 3 twice"));
  EXPECT_EQ(StatusOf(data, CollectiveKind::kAllReduce, {GpuId(0), GpuId(16)}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(StatusOf(data, CollectiveKind::kAllReduce, {GpuId()}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(StatusOf(data, CollectiveKind::kSendRecv, Gpus(3)).code(), absl::StatusCode::kInvalidArgument);
  const CollectiveModel model(Freeze(data), {});
  EXPECT_EQ(model.Plan(CollectiveKind::kAllReduce, Gpus(2), Bytes(-1)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(CollectiveErrorsTest, UnknownOptionsNameTheNearest) {
  const PlatformData data = TwoBoxes();
  const absl::Status algorithm = StatusOf(data, CollectiveKind::kAllReduce, Gpus(4), {.algorithm = "rign"});
  EXPECT_THAT(std::string(algorithm.message()), HasSubstr("\"ring\""));
  const absl::Status protocol = StatusOf(data, CollectiveKind::kAllReduce, Gpus(4), {.protocol = "Simpel"});
  EXPECT_THAT(std::string(protocol.message()), HasSubstr("\"Simple\""));
  EXPECT_EQ(StatusOf(data, CollectiveKind::kAllReduce, Gpus(4), {.algorithm = "p2p"}).code(),
            absl::StatusCode::kUnimplemented);
}

TEST(CollectiveErrorsTest, FabricsWithoutTimingAreRefused) {
  PlatformData data = TwoBoxes();
  data.fabric.protocol = "omnipath";
  const absl::Status status = StatusOf(data, CollectiveKind::kAllReduce, Gpus(16));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("omnipath"));
}

TEST(CollectiveErrorsTest, ErrorsRepeatAndLeaveTheModelUsable) {
  PlatformData data = TwoBoxes();
  data.nics[NicId(2)].up = data.nics[NicId(2)].down = LinkId();
  const CollectiveModel model(Freeze(data), {});
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(model.Plan(CollectiveKind::kAllReduce, Gpus(16), 1_MiB).ok());
  EXPECT_TRUE(model.Plan(CollectiveKind::kAllReduce, Gpus(8), 1_MiB).ok());
}

}  // namespace
}  // namespace stepsim::sim
