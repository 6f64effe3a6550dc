#include "sim/compute/architecture.h"

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "sim/compute/kernel_model.h"
#include "sim/platform/gpu_schema.h"
#include "support.h"

namespace stepsim::sim {
namespace {

using ::testing::HasSubstr;

constexpr const char* kArchitectures[] = {"ampere-ga100", "ampere-ga102", "ada",   "hopper", "blackwell",
                                          "blackwell-gb202", "volta",      "cdna2", "cdna3"};

TEST(ArchitectureTest, EveryFileLoadsAndNamesItself) {
  for (const char* name : kArchitectures) {
    const absl::StatusOr<Architecture> architecture = LoadArchitecture(Configs(), name);
    ASSERT_TRUE(architecture.ok()) << name << ": " << architecture.status();
    EXPECT_EQ(architecture->name, name);
    EXPECT_EQ(architecture->calibration, std::string(name) == "hopper" ? "calibrated" : "extrapolated");
    EXPECT_FALSE(architecture->basis.empty());
  }
}

TEST(ArchitectureTest, EveryCardOfTheCatalogueHasOneAndRunsAProduct) {
  for (const std::string& name : Configs().Names("gpus")) {
    const absl::StatusOr<GpuSpec> spec = LoadGpu(Configs(), name);
    ASSERT_TRUE(spec.ok()) << spec.status();
    const absl::StatusOr<Architecture> architecture = LoadArchitecture(Configs(), spec->architecture);
    ASSERT_TRUE(architecture.ok()) << name << ": " << architecture.status();
    EXPECT_EQ(architecture->memory.copy_efficiency.count(spec->memory_type), 1u) << name << ": " << spec->memory_type;
    const ComputeModel model(*spec, *architecture);
    const Kernel kernel = Gemm(4096, 4096, 4096, DType::kFp16);
    ASSERT_TRUE(model.Check(kernel).ok()) << model.Check(kernel);
    const double rate = 2 * 4096.0 * 4096 * 4096 / model.CostAtFullClock(kernel).time.microseconds();
    EXPECT_GT(rate, 0.5 * model.rates().tensor_16bit) << name;
  }
}

TEST(ArchitectureTest, ReducedTensorRatesAreSeenFromTheSheet) {
  const std::vector<std::string> reduced = {"h20", "l20", "l40", "rtx-3090", "rtx-3090-ti", "rtx-4090", "rtx-5060-ti"};
  for (const std::string& name : Configs().Names("gpus")) {
    const bool expected = std::find(reduced.begin(), reduced.end(), name) != reduced.end();
    EXPECT_EQ(ModelOfCard(name).rates().half_rate, expected) << name;
  }
}

TEST(ArchitectureTest, SxmHopperReachesItsBoostClock) {
  // 132 SMs × 4096 FLOP × 1.98 GHz, not the sheet's 989 at 1.83 GHz.
  EXPECT_NEAR(ModelOfCard("h200-sxm").rates().tensor_16bit, 1070.5e6, 1e6);
  EXPECT_NEAR(ModelOfCard("h100-pcie").rates().tensor_16bit, 756e6, 1e6);
  EXPECT_NEAR(ModelOfCard("rtx-4090").rates().tensor_16bit, 1.08 * 165.2e6, 1e6);
}

TEST(ArchitectureTest, EveryKindHasItsModel) {
  for (const KernelKind kind : {KernelKind::kGemm, KernelKind::kAttention, KernelKind::kMemoryBound, KernelKind::kFixed,
                                KernelKind::kMemset, KernelKind::kCopy}) {
    EXPECT_TRUE(KernelModels().Find(Name(kind)).ok());
    EXPECT_EQ(&ModelOf(kind), *KernelModels().Find(Name(kind)));
  }
}

class BrokenFileTest : public ::testing::Test {
 protected:
  BrokenFileTest() : root_(::testing::TempDir() + "/calibration_test") {
    std::filesystem::create_directories(root_ + "/calibration");
    std::filesystem::copy_file(std::string(STEPSIM_SOURCE_DIR) + "/configs/calibration/common.yaml",
                               root_ + "/calibration/common.yaml", std::filesystem::copy_options::overwrite_existing);
  }
  ~BrokenFileTest() override { std::filesystem::remove_all(root_); }
  std::string ErrorOf(const std::string& text) {
    std::ofstream(root_ + "/calibration/mine.yaml") << text;
    return LoadArchitecture(Catalogue(root_), "mine").status().ToString();
  }
  std::string root_;
};

constexpr char kHead[] = "name: mine\nbased_on: common\ncalibration: extrapolated\nbasis: none\n";

TEST_F(BrokenFileTest, ValuesThatCannotBeAreReportedWithTheirPosition) {
  const std::string error = ErrorOf(std::string(kHead) + "gemm: {flops_per_clock: -1, tiles: [256*128], tile_time: 5}\n");
  EXPECT_THAT(error, HasSubstr("mine.yaml:5"));
  EXPECT_THAT(error, HasSubstr("256x128"));
}

TEST_F(BrokenFileTest, MisspeltKeysAndMissingOnesAreReported) {
  EXPECT_THAT(ErrorOf(std::string(kHead) + "gemm: {flops_per_clok: 2048}\n"), HasSubstr("flops_per_clock"));
  EXPECT_THAT(ErrorOf(kHead), HasSubstr("flops_per_clock")) << "common.yaml is no architecture by itself";
}

TEST_F(BrokenFileTest, FilesThatBuildOnThemselvesAreAnError) {
  EXPECT_THAT(ErrorOf("name: mine\nbased_on: mine\n"), HasSubstr("loop"));
  EXPECT_FALSE(LoadArchitecture(Configs(), "hoper").ok());
}

}  // namespace
}  // namespace stepsim::sim
