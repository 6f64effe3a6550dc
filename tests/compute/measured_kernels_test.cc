// Against kernels measured on an H200 (kernel table: alone in CUDA graphs, attention as eager calls; and kernels of training
// steps). Limits are the errors published with the equations plus a small margin; the parameters were fitted on these rows.
#include <cmath>
#include <iostream>

#include "sim/compute/benchmark.h"
#include "support.h"

namespace stepsim::sim {
namespace {

constexpr char kTable[] = "measured/h200/kernels.csv";

class MeasuredKernelsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    rows_ = Measurements(kTable);
    if (rows_.empty()) GTEST_SKIP() << "no measurements beside the repository";
  }
  std::vector<Row> rows_;
  ComputeModel model_ = H200Model();
};

int64_t IntegerOf(const Row& row, const std::string& column) { return std::llround(NumberOf(row, column)); }

void Report(const std::string& what, const Errors& errors) { std::cout << "    " << what << ": " << errors.Text() << "\n"; }

Errors GemmErrors(const ComputeModel& model, const std::vector<Row>& rows, DType dtype, const std::string& variant, double from, double to) {
  const std::string name = dtype == DType::kBf16 ? "bfloat16" : dtype == DType::kFp16 ? "float16" : dtype == DType::kFp32 ? "float32" : "tf32";
  Errors errors;
  for (const Row& row : rows) {
    const double measured = NumberOf(row, "time_us");
    if (row.at("op") != "gemm" || row.at("dtype") != name || (!variant.empty() && row.at("variant") != variant)) continue;
    if (measured < from || measured >= to) continue;
    const Kernel kernel = Gemm(IntegerOf(row, "m"), IntegerOf(row, "n"), IntegerOf(row, "k"), dtype);
    errors.Add(TimeInBenchmark(model, kernel).microseconds(), measured);
  }
  return errors;
}

TEST_F(MeasuredKernelsTest, ProductsAlone) {
  const Errors all = GemmErrors(model_, rows_, DType::kBf16, "", 0, 1e9);
  Report("bf16", all);
  const double edges[] = {0, 10, 30, 100, 300, 1000, 1e9};
  for (int i = 0; i < 6; ++i) {
    Report("bf16 from " + std::to_string(static_cast<int>(edges[i])) + " us", GemmErrors(model_, rows_, DType::kBf16, "", edges[i], edges[i + 1]));
  }
  for (const char* variant : {"fwd", "dgrad", "wgrad"}) Report(variant, GemmErrors(model_, rows_, DType::kBf16, variant, 0, 1e9));
  ASSERT_EQ(all.size(), 513u);
  EXPECT_LE(all.Median(), 4.0);
  EXPECT_LE(all.P90(), 11.5);
  for (const DType dtype : {DType::kFp16, DType::kTf32, DType::kFp32}) {
    const Errors errors = GemmErrors(model_, rows_, dtype, "", 0, 1e9);
    Report(Name(dtype), errors);
    EXPECT_LE(errors.Percentile(1), 13.0) << Name(dtype);
  }
}

TEST_F(MeasuredKernelsTest, ProductsInSteps) {
  // Share of tensor work in the busy time of each traced step.
  const std::map<std::string, double> kShares = {
      {"1g-bert-large-b32-s512", 0.56}, {"1g-gpt-1.3b-b4", 0.41}, {"1g-llama-1.1b-b4-ckpt", 0.46}, {"1g-opt-1.3b-b4", 0.62}};
  Errors errors;
  for (const Row& row : Measurements("prototypes/kernels/trace_gemms_agg.csv")) {
    const auto share = kShares.find(row.at("trace"));
    if (share == kShares.end() || row.at("kern").find("cutlass") != std::string::npos) continue;
    const Kernel kernel = Gemm(IntegerOf(row, "m"), IntegerOf(row, "n"), IntegerOf(row, "k"));
    const double factor = std::cbrt(std::max(1.0, share->second * model_.rates().power_in_step));
    errors.Add(model_.CostAtFullClock(kernel).time.microseconds() * factor, NumberOf(row, "median"));
  }
  if (errors.size() == 0) GTEST_SKIP() << "no kernels of steps beside the repository";
  Report("gemm in steps", errors);
  EXPECT_LE(errors.Median(), 2.5);
  EXPECT_LE(errors.P90(), 6.0);
}

// The rows time eager calls: the host's issue adds to the kernels, and hides what is under 100 us. As in the fit, the kernels'
// launch is replaced by a host constant per backend and pass.
double EagerAttention(const ComputeModel& model, const Kernel& kernel, double host) {
  double time = model.CostAtFullClock(kernel).time.microseconds() - 3 + host;
  if (!kernel.backward) return time;
  const auto rows = static_cast<double>(kernel.sequences * kernel.heads * kernel.sequence);
  const double elements = rows * static_cast<double>(kernel.head_dim);
  time += model.CostAtFullClock(Memory("dot_do_o", 4 * elements + 4 * rows)).time.microseconds() - 2.7;
  return time + model.CostAtFullClock(Memory("convert_dq", 6 * elements)).time.microseconds() - 2.0;
}

TEST_F(MeasuredKernelsTest, AttentionAlone) {
  const struct {
    const char* variant;
    const char* op;
    AttentionBackend backend;
    double host, median, p90;
  } kCases[] = {{"flash", "attention_fwd", AttentionBackend::kFlash2, 48.8, 3.2, 11.5},
                {"flash", "attention_bwd", AttentionBackend::kFlash2, 166.9, 2.5, 10.5},
                {"cudnn", "attention_fwd", AttentionBackend::kCudnn, 57.9, 3.8, 20},
                {"cudnn", "attention_bwd", AttentionBackend::kCudnn, 129.5, 2.5, 20}};
  for (const auto& c : kCases) {
    Errors errors;
    for (const Row& row : rows_) {
      if (row.at("op") != c.op || row.at("variant") != c.variant) continue;
      const Kernel kernel = Attention(c.backend, c.op == std::string("attention_bwd"), IntegerOf(row, "batch"), IntegerOf(row, "heads"),
                                      IntegerOf(row, "seq"), IntegerOf(row, "head_dim"), NumberOf(row, "causal") > 0);
      errors.Add(EagerAttention(model_, kernel, c.host), NumberOf(row, "time_us"));
    }
    Report(std::string(c.variant) + " " + c.op, errors);
    ASSERT_EQ(errors.size(), 24u);
    EXPECT_LE(errors.Median(), c.median) << c.variant << c.op;
    EXPECT_LE(errors.P90(), c.p90) << c.variant << c.op;
  }
}

TEST(MeasuredStepsTest, CudnnAttentionInSteps) {
  // Kernel times in us of cuDNN attention in training steps on an H200, forward and main backward kernel, one GPU or two.
  const struct {
    int64_t sequences, heads, sequence, size;
    bool causal;
    double share;  // of tensor work in the busy time
    double forward, backward;
  } kSteps[] = {{32, 16, 512, 64, false, 0.56, 92.8, 243.0}, {4, 16, 2048, 128, true, 0.41, 136.5, 404.1},
                {4, 32, 2048, 64, true, 0.46, 187.1, 488.1}, {8, 32, 2048, 64, true, 0.78, 401.7, 1164},
                {8, 32, 2048, 64, true, 0.45, 369.2, 1037},  {4, 32, 2048, 64, true, 0.62, 187.3, 514.1},
                {1, 32, 1024, 64, true, 0.3, 21.1, 51.2},    {1, 32, 2048, 128, true, 0.5, 90.2, 220}};
  const ComputeModel model = H200Model();
  Errors forward, backward;
  for (const auto& s : kSteps) {
    const double factor = std::cbrt(std::max(1.0, s.share * model.rates().power_in_step));
    const auto time = [&](bool pass) {
      return factor * model.CostAtFullClock(Attention(AttentionBackend::kCudnn, pass, s.sequences, s.heads, s.sequence, s.size, s.causal))
                          .time.microseconds();
    };
    forward.Add(time(false), s.forward);
    backward.Add(time(true), s.backward);
  }
  Report("cudnn forward in steps", forward);
  Report("cudnn backward in steps", backward);
  EXPECT_LE(forward.Median(), 3.5);
  EXPECT_LE(forward.Percentile(1), 12);
  EXPECT_LE(backward.Median(), 5);
  EXPECT_LE(backward.Percentile(1), 19);
}

// The kernels that each operation of the table launches, with bytes per element.
const std::map<std::string, std::vector<std::pair<const char*, double>>>& Operations() {
  static const auto* operations = new std::map<std::string, std::vector<std::pair<const char*, double>>>{
      {"copy", {{"copy", 4}}},
      {"add", {{"add", 6}}},
      {"gelu", {{"gelu", 4}}},
      {"silu_mul", {{"silu", 4}, {"mul", 6}}},
      {"layer_norm", {{"layer_norm_16bit", 4}}},
      {"rms_norm_fused", {{"rms_norm", 4}}},
      {"softmax", {{"softmax_long_rows", 4}}},
      {"cast_fp32", {{"copy_bf", 6}}},
      {"dropout", {{"dropout", 5}}},
      // x.float(); pow; mean; x * rsqrt(mean + eps), one value a row; to 16 bit; * weight
      {"rms_norm_hf", {{"copy_bf", 6}, {"pow", 8}, {"mean", 4}, {"add_scalar", 0}, {"rsqrt", 0}, {"mul_row_f", 8}, {"copy_fb", 6}, {"mul_w_b", 4}}}};
  return *operations;
}

TEST_F(MeasuredKernelsTest, MemoryBoundOperationsAlone) {
  Errors all, large;
  for (const auto& [operation, kernels] : Operations()) {
    Errors errors;
    for (const Row& row : rows_) {
      if (row.at("op") != operation || row.at("variant") != "fwd") continue;
      double time = 0;
      for (const auto& [name, bytes] : kernels) {
        time += model_.CostAtFullClock(Memory(name, bytes * NumberOf(row, "m") * NumberOf(row, "n"))).time.microseconds() + 0.8;
      }
      const double measured = NumberOf(row, "time_us");
      errors.Add(time, measured);
      all.Add(time, measured);
      if (measured > 40) large.Add(time, measured);
    }
    Report(operation, errors);
  }
  Report("memory-bound", all);
  Report("memory-bound over 40 us", large);
  ASSERT_EQ(all.size(), 70u);
  EXPECT_LE(all.Median(), 6);
  EXPECT_LE(all.P90(), 35);
  EXPECT_LE(large.Median(), 4);
  EXPECT_LE(large.P90(), 17);
}

TEST_F(MeasuredKernelsTest, FusedOptimizerAlone) {
  Errors errors;
  for (const Row& row : rows_) {
    if (row.at("op") != "adamw" || row.at("variant") != "fused" || NumberOf(row, "m") < 1e8) continue;
    errors.Add(model_.CostAtFullClock(Memory("fused_adam_f", 28 * NumberOf(row, "m"))).time.microseconds(), NumberOf(row, "time_us"));
  }
  Report("fused AdamW", errors);  // the loop's rows reach 0.59 of the rate, steps 0.72: the class is of steps
  EXPECT_LE(errors.Percentile(1), 25);
}

}  // namespace
}  // namespace stepsim::sim
