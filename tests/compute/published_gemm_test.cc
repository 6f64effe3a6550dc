// Against published matrix product rates of other cards (shapes, or the best of n = 1024 … 10240 as the source did). Limits are
// the errors of the carry-over rules of the model (docs/models/kernels.md, "Other cards") plus a small margin.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>

#include "sim/compute/power.h"
#include "support.h"

namespace stepsim::sim {
namespace {

// First match wins: text in the row's GPU name → catalogue card.
constexpr std::pair<const char*, const char*> kCards[] = {
    {"3090Ti", "rtx-3090-ti"}, {"A4000", ""}, {"4090D", ""}, {"5090", ""}, {"4090", "rtx-4090"}, {"3090", "rtx-3090"},
    {"A100 PCIe", "a100-pcie-80gb"}, {"A100-PCIE-40", "a100-pcie-40gb"}, {"A100-SXM-40", "a100-sxm4-40gb"},
    {"A800 SXM", "a800-sxm4-80gb"}, {"A100", "a100-sxm4-80gb"}, {"A40", "a40"}, {"A6000", "rtx-a6000"}, {"L40S", "l40s"},
    {"L20", "l20"}, {"L4", "l4"}, {"H100 PCIe", "h100-pcie"}, {"H100-PCIe", "h100-pcie"}, {"H800 PCIe", "h100-pcie"},
    {"GH200", "gh200"}, {"H100", "h100-sxm5"}, {"H200", "h200-sxm"}, {"H20", "h20"}, {"GB200", "gb200"}, {"B200", "b200-sxm"},
    {"B300", "b300-sxm"}, {"MI300X", "mi300x"}};

std::string CardOf(const std::string& gpu) {
  for (const auto& [text, card] : kCards) {
    if (gpu.find(text) != std::string::npos) return card;
  }
  return "";
}

std::optional<DType> TypeOf(const Row& row) {
  const std::string& kernel = row.at("kernel");
  const std::string& type = row.at("dtype");
  if (kernel.find("gemm") == std::string::npos || kernel.find("peak over") != std::string::npos) return std::nullopt;
  if (type.rfind("fp16", 0) == 0 || type.rfind("bf16", 0) == 0) return DType::kBf16;
  if (type == "tf32" || (type == "fp32" && kernel.find("tf32") != std::string::npos)) return DType::kTf32;
  if (type == "fp32") return DType::kFp32;
  return std::nullopt;
}

double Rate(const ComputeModel& model, const Kernel& kernel) {
  const double flops = 2.0 * static_cast<double>(kernel.m) * static_cast<double>(kernel.n) * static_cast<double>(kernel.k);
  return flops / model.CostAlone(kernel).time.seconds() * 1e-12;
}

double Predict(const ComputeModel& model, const Row& row, DType dtype) {
  if (row.at("kernel").find("best of n") != std::string::npos) {
    double best = 0;
    for (const int64_t n : {1024, 2048, 4096, 8192, 10240}) best = std::max(best, Rate(model, Gemm(n, n, n, dtype)));
    return best;
  }
  const auto size = [&](const char* column) { return std::llround(NumberOf(row, column)); };
  if (size("m") < 1 || size("n") < 1 || size("k") < 1) return 0;
  return Rate(model, Gemm(size("m"), size("n"), size("k"), dtype));
}

// Errors by architecture ("half-rate " before it for parts with a reduced tensor rate) of one number format.
std::map<std::string, Errors> ErrorsByFamily(DType wanted) {
  std::map<std::string, Errors> errors;
  for (const Row& row : Measurements("published/kernels.csv")) {
    const std::optional<DType> dtype = TypeOf(row);
    const std::string card = CardOf(row.at("gpu"));
    const double measured = NumberOf(row, "tflops");
    if (dtype != wanted || card.empty() || measured <= 0) continue;
    const ComputeModel model = ModelOfCard(card);
    const double predicted = Predict(model, row, *dtype);
    if (predicted <= 0) continue;
    const std::string family = (model.rates().half_rate ? "half-rate " : "") + model.spec().architecture;
    // Rate over rate, so that the error is one of time.
    errors[family].Add(measured, predicted);
    errors["all"].Add(measured, predicted);
  }
  for (const auto& [family, e] : errors) std::cout << "    " << Name(wanted) << " " << family << ": " << e.Text() << "\n";
  return errors;
}

TEST(PublishedGemmTest, SixteenBitRatesByFamily) {
  const std::map<std::string, Errors> errors = ErrorsByFamily(DType::kBf16);
  if (errors.empty()) GTEST_SKIP() << "no measurements beside the repository";
  const struct { const char* family; double median, p90; } kLimits[] = {
      {"ampere-ga100", 4.5, 21.5}, {"ampere-ga102", 6.6, 15}, {"ada", 3, 4}, {"half-rate ada", 2.4, 6},
      {"half-rate ampere-ga102", 5, 8}, {"half-rate hopper", 2.5, 3}, {"blackwell", 5, 8}, {"all", 5.1, 22}};
  for (const auto& limit : kLimits) {
    const auto found = errors.find(limit.family);
    ASSERT_NE(found, errors.end()) << limit.family;
    EXPECT_LE(found->second.Median(), limit.median) << limit.family;
    EXPECT_LE(found->second.P90(), limit.p90) << limit.family;
  }
  // Alone on random data an H200 is at its power limit; published bests of Hopper are of cooler data: 16 % too slow is what the
  // alone mode gives (the in-step demand gives 2.6 %).
  EXPECT_LE(errors.at("hopper").Median(), 18);
}

TEST(PublishedGemmTest, BestRatesOfHopperFollowTheDemandOfTraining) {
  Errors errors;
  for (const Row& row : Measurements("published/kernels.csv")) {
    const std::string card = CardOf(row.at("gpu"));
    if (TypeOf(row) != DType::kBf16 || card.empty() || NumberOf(row, "tflops") <= 0) continue;
    const ComputeModel model = ModelOfCard(card);
    if (model.spec().architecture != "hopper" || model.rates().half_rate) continue;
    Architecture architecture = model.architecture();
    architecture.power.alone = architecture.power.in_step;
    const double predicted = Predict(ComputeModel(model.spec(), architecture), row, DType::kBf16);
    if (predicted > 0) errors.Add(NumberOf(row, "tflops"), predicted);
  }
  if (errors.size() == 0) GTEST_SKIP() << "no measurements beside the repository";
  std::cout << "    hopper with training's demand: " << errors.Text() << "\n";
  EXPECT_LE(errors.Median(), 3.5);
  EXPECT_LE(errors.P90(), 7);
}

TEST(PublishedGemmTest, OtherFormats) {
  const std::map<std::string, Errors> tf32 = ErrorsByFamily(DType::kTf32);
  const std::map<std::string, Errors> fp32 = ErrorsByFamily(DType::kFp32);
  if (tf32.empty()) GTEST_SKIP() << "no measurements beside the repository";
  EXPECT_LE(tf32.at("all").Median(), 7);
  EXPECT_LE(fp32.at("all").Median(), 6);
}

TEST(PublishedAttentionTest, FlashAttention2OnRtxA5000) {
  // gpu-mode/ring-attention issue 10: hidden 2048, head size 64; forward within 5 % from sequence 1024 up.
  Errors forward;
  const ComputeModel model = ModelOfCard("rtx-a5000");
  for (const Row& row : Measurements("published/kernels.csv")) {
    if (row.at("gpu") != "RTX-A5000" || row.at("pass") != "fwd" || NumberOf(row, "seq_len") < 1024) continue;
    const Kernel kernel = Attention(AttentionBackend::kFlash2, false, std::llround(NumberOf(row, "batch")), 2048 / 64,
                                    std::llround(NumberOf(row, "seq_len")), 64, false);
    const double sequence = NumberOf(row, "seq_len");
    const double flops = 4 * NumberOf(row, "batch") * sequence * sequence * 2048;
    forward.Add(NumberOf(row, "tflops"), flops / model.CostAtFullClock(kernel).time.seconds() * 1e-12);
  }
  if (forward.size() == 0) GTEST_SKIP() << "no measurements beside the repository";
  std::cout << "    flash2 forward on RTX A5000: " << forward.Text() << "\n";
  EXPECT_LE(forward.Percentile(1), 7);
}

}  // namespace
}  // namespace stepsim::sim
