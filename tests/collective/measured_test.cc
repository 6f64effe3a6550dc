// Ring collectives against measurements: nccl-tests-like sweeps of two H200 (NVLink, and shared host memory
// with peer-to-peer off), and published bus bandwidths of NVSwitch boxes. Skipped where the tables are
// absent.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "tests/collective/collective_testing.h"
#include "tests/collective/csv_table.h"

namespace stepsim::sim {
namespace {

using testing::Freeze;
using testing::Gpus;

const char kShared[] = STEPSIM_SOURCE_DIR "/../shared/";

const std::vector<std::pair<std::string, CollectiveKind>>& RingOperations() {
  static const auto* operations = new std::vector<std::pair<std::string, CollectiveKind>>{
      {"all_reduce", CollectiveKind::kAllReduce},
      {"all_gather", CollectiveKind::kAllGather},
      {"reduce_scatter", CollectiveKind::kReduceScatter},
      {"broadcast", CollectiveKind::kBroadcast}};
  return *operations;
}

struct Errors {
  std::vector<double> percent;
  double Percentile(double p) {
    std::sort(percent.begin(), percent.end());
    const auto rank = static_cast<size_t>(std::ceil(p * static_cast<double>(percent.size())));
    return percent[std::max<size_t>(rank, 1) - 1];
  }
};

// A loop of PyTorch calls on two H200 cannot issue faster than this (models/COLLECTIVES.md §1.4): the
// measured time is the larger of it and T_dev.
void CompareSweep(const std::string& file, const std::shared_ptr<const Platform>& platform,
                  double host_floor_us, CollectiveKind only_kind, Errors* errors) {
  const CollectiveModel model(platform, {});
  for (const CsvRow& row : ReadCsv(kShared + file)) {
    for (const auto& [name, kind] : RingOperations()) {
      const int64_t bytes = std::stoll(row.at("total_bytes"));
      if (row.at("op") != name || kind != only_kind || bytes < (1 << 20)) continue;
      const double predicted =
          std::max(host_floor_us, DeviceMicroseconds(PlanOf(model, kind, Gpus(2), Bytes(bytes))));
      errors->percent.push_back(100 * std::abs(predicted / std::stod(row.at("time_us")) - 1));
    }
  }
}

void ExpectSweep(const std::string& file, const std::shared_ptr<const Platform>& platform,
                 double host_floor_us, double median, double p90) {
  if (ReadCsv(kShared + file).empty()) GTEST_SKIP() << file << " is absent";
  Errors all;
  for (const auto& [name, kind] : RingOperations()) {
    Errors errors;
    CompareSweep(file, platform, host_floor_us, kind, &errors);
    ASSERT_FALSE(errors.percent.empty()) << name;
    std::printf("%s %s: %zu rows, median %.1f %%, p90 %.1f %%\n", file.c_str(), name.c_str(),
                errors.percent.size(), errors.Percentile(0.5), errors.Percentile(0.9));
    all.percent.insert(all.percent.end(), errors.percent.begin(), errors.percent.end());
  }
  std::printf("%s: median %.1f %%, p90 %.1f %%\n", file.c_str(), all.Percentile(0.5), all.Percentile(0.9));
  EXPECT_LT(all.Percentile(0.5), median);
  EXPECT_LT(all.Percentile(0.9), p90);
}

TEST(MeasuredTest, TwoH200OverNvlink) {
  testing::NvSwitchOptions options{.nodes = 1, .gpus = 2, .gpu = testing::H200()};
  ExpectSweep("measured/h200/nccl-nvlink.csv", Freeze(NvSwitchCluster(options)), 39, 3, 15);
}

TEST(MeasuredTest, TwoH200OverSharedHostMemory) {
  testing::PcieOptions options{
      .nodes = 1, .gpus = 2, .gpu = testing::H200(), .sockets = 1, .peer_to_peer = false};
  ExpectSweep("measured/h200/nccl-shm.csv", Freeze(PcieCluster(options)), 34, 3, 12);
}

// Ring rows of 1 GiB and more on one NVSwitch node; NVLS rows are another algorithm's.
bool IsRingRow(const CsvRow& row) {
  if (row.at("nodes") != "1" || !absl::StrContains(row.at("op"), "reduce")) return false;
  if (!row.at("bytes").empty() && std::stoll(row.at("bytes")) < (int64_t{1} << 30)) return false;
  if (row.at("busbw_gbs").empty() || absl::StrContains(row.at("topology"), "bridge")) return false;
  const std::string& gpu = row.at("gpu");
  if (absl::StrContains(gpu, "A100-SXM")) return true;
  const bool ring = row.at("note") == "Ring" || absl::StrContains(row.at("note"), "(ring)");
  return ring &&
         (absl::StrContains(gpu, "H200") || absl::StrContains(gpu, "H100") || absl::StrContains(gpu, "H800"));
}

TEST(MeasuredTest, PublishedRingsOfNvSwitchBoxes) {
  const std::vector<CsvRow> rows = ReadCsv(std::string(kShared) + "published/collectives.csv");
  if (rows.empty()) GTEST_SKIP() << "the table is absent";
  Errors errors;
  for (const CsvRow& row : rows) {
    if (!IsRingRow(row)) continue;
    const int ranks = std::stoi(row.at("gpus"));
    const CollectiveKind kind = absl::StrContains(row.at("op"), "scatter") ? CollectiveKind::kReduceScatter
                                                                           : CollectiveKind::kAllReduce;
    testing::NvSwitchOptions options{.nodes = 1, .gpus = ranks};
    options.gpu = absl::StrContains(row.at("gpu"), "A100")   ? testing::A100()
                  : absl::StrContains(row.at("gpu"), "H800") ? testing::H800()
                                                             : testing::H200();
    // Rows that state a rate alone are peaks: 16 GiB.
    const Bytes bytes(row.at("bytes").empty() ? int64_t{1} << 34 : std::stoll(row.at("bytes")));
    const CollectivePlan plan =
        PlanOf(CollectiveModel(Freeze(NvSwitchCluster(options)), {}), kind, Gpus(ranks), bytes);
    const double bus = bytes.value() * RingShare(kind, ranks) / DeviceMicroseconds(plan) / 1000;
    errors.percent.push_back(100 * std::abs(bus / std::stod(row.at("busbw_gbs")) - 1));
  }
  std::printf("published: %zu rows, median %.1f %%, max %.1f %%\n", errors.percent.size(),
              errors.Percentile(0.5), errors.Percentile(1));
  EXPECT_GE(errors.percent.size(), 15u);
  EXPECT_LT(errors.Percentile(0.5), 1);
  EXPECT_LT(errors.Percentile(1), 5);
}

TEST(MeasuredTest, HostStagedRingsOfConsumerBoxes) {
  // 4 and 8 RTX 5090 on PCIe 5.0 without peer-to-peer: 35 and 28 GB/s of bus bandwidth (NVIDIA/nccl issue
  // 1639). Four sit on one socket. The two staging constants were set by these rows.
  for (int gpus : {4, 8}) {
    testing::PcieOptions options{
        .nodes = 1, .gpus = gpus, .gpu = testing::Rtx5090(), .sockets = gpus / 4, .socket_gbps = 36};
    const CollectivePlan plan = PlanOf(CollectiveModel(Freeze(PcieCluster(options)), {}),
                                       CollectiveKind::kAllReduce, Gpus(gpus), Bytes(int64_t{1} << 33));
    EXPECT_NEAR(BusRate(plan, CollectiveKind::kAllReduce, gpus), gpus == 4 ? 35 : 28, 0.5);
  }
}

TEST(MeasuredTest, TwoStagedGpusReachThePublishedOneWayRate) {
  // Three A100-PCIe, one hop over the host: 20 GB/s (nccl-tests issue 178); the staging law says 20.8.
  testing::PcieOptions options{
      .nodes = 1, .gpus = 3, .gpu = testing::A100(), .sockets = 1, .peer_to_peer = false};
  const CollectivePlan plan = PlanOf(CollectiveModel(Freeze(PcieCluster(options)), {}),
                                     CollectiveKind::kAllReduce, Gpus(3), Bytes(int64_t{12} << 30));
  EXPECT_NEAR(BusRate(plan, CollectiveKind::kAllReduce, 3), 20, 0.05 * 20);
}

}  // namespace
}  // namespace stepsim::sim
