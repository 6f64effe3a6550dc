// Kernel counts and peak memory of the training steps measured on one and two H200 (PyTorch 2.11, transformers 5.17).
#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/workloads/fixtures.h"

namespace stepsim::workloads {
namespace {

using Row = nlohmann::json;

const std::map<std::string, std::string>& ModelNames() {
  static const auto* names = new std::map<std::string, std::string>{
      {"gpt2-125m", "gpt2-125m-padded"}, {"gpt2-350m", "gpt2-350m-padded"}, {"gpt-1.3b", "gpt-1.3b"},
      {"gpt-2.7b", "gpt-2.7b-padded"},   {"gpt-6.7b", "gpt-6.7b-padded"},   {"llama-1.1b", "tinyllama-1.1b"},
      {"llama-3.2-3b", "llama3.2-3b-untied"}, {"llama2-7b", "llama2-7b"},   {"llama2-13b", "llama2-13b"},
      {"llama3-8b", "llama3-8b"},        {"bert-large", "bert-large-uncased"}};
  return *names;
}

// LLaMA-70B's width with 8 layers is a shape of the measurement only.
std::optional<ModelSpec> ModelOf(const std::string& name) {
  if (name == "llama-l8-70bwidth") {
    ModelSpec model = CatalogueModel("llama2-70b");
    model.layers = 8;
    return model;
  }
  const auto found = ModelNames().find(name);
  if (found == ModelNames().end()) return std::nullopt;
  return CatalogueModel(found->second);
}

struct Recipe {
  TrainingSpec training;
  std::string strategy = "none";
  bool reshard_root = false;
};

// Nothing for what is not modelled: FSDP1, tensor parallelism, LoRA, torch.compile, offload.
std::optional<Recipe> RecipeOf(const Row& row) {
  Recipe recipe;
  const std::string strategy = row.value("strategy", "none");
  if (strategy == "fsdp2-full") {
    recipe.strategy = "fsdp";
    recipe.reshard_root = true;  // the runs set reshard_after_forward on the root
  } else if (strategy == "fsdp2-shard-grad-op") {
    recipe.strategy = "fsdp-grad-op";
  } else if (strategy == "none" || strategy == "ddp") {
    recipe.strategy = strategy;
  } else {
    return std::nullopt;
  }
  if (row.value("compile", false) || row.value("offload", false) || row.value("lora", 0) != 0) return std::nullopt;
  TrainingSpec& training = recipe.training;
  training.sequence_length = row["seq"];
  training.micro_batch = row["micro_batch"];
  training.gradient_accumulation = row.value("accum", 1);
  if (row.value("precision", "bf16-mixed") == "bf16-pure") training.precision = PrecisionChoice::kBf16;
  const std::string recompute = row.value("ckpt", "none");
  if (recompute == "full") training.recompute = RecomputeChoice::kFull;
  if (recompute == "every2") training.recompute = RecomputeChoice::kEvery2;
  training.attention = row.value("attn", "sdpa") == "eager" ? AttentionChoice::kEager : AttentionChoice::kCudnn;
  if (!row.value("fused_adam", true)) training.optimizer = OptimizerChoice::kAdamWSingleTensor;
  training.no_sync = row.value("no_sync", false);
  if (row.value("clip", false)) training.clip = 1.0;
  return recipe;
}

// Launches without memsets and copies by the driver, as the rows count them.
int64_t LaunchedKernels(const sim::Program& program) {
  int64_t count = 0;
  for (const sim::Op& op : program.ops) {
    if (op.kind == sim::OpKind::kCollective) ++count;
    if (op.kind != sim::OpKind::kKernel) continue;
    const sim::KernelCategory category = program.kernels[sim::KernelId(op.index)].category;
    if (category != sim::KernelCategory::kMemset && category != sim::KernelCategory::kMemcpy) ++count;
  }
  return count;
}

int64_t MeasuredKernels(const Row& row) {
  int64_t count = 0;
  for (const auto& [category, number] : row["kernel_count"].items()) {
    if (category != "memcpy" && category != "memset") count += number.get<int64_t>();
  }
  return count;
}

struct Errors {
  std::vector<double> values;
  double Quantile(double q) {
    std::sort(values.begin(), values.end());
    return values[static_cast<size_t>(std::ceil(q * static_cast<double>(values.size()))) - 1];
  }
};

TEST(MeasuredSteps, KernelCountsAndPeakMemoryMatch) {
  Errors kernels, memory;
  for (const char* file : {"steps-1gpu.jsonl", "steps-2gpu-nvlink.jsonl", "steps-2gpu-shm.jsonl"}) {
    std::ifstream lines(std::string(STEPSIM_SOURCE_DIR "/../shared/measured/h200/") + file);
    if (!lines) GTEST_SKIP() << "no measurements here";
    for (std::string line; std::getline(lines, line);) {
      const Row row = Row::parse(line);
      const std::optional<ModelSpec> model = ModelOf(row["model"]);
      const std::optional<Recipe> recipe = RecipeOf(row);
      if (!model || !recipe) continue;
      const std::string id = row["id"];
      EXPECT_EQ(model->layers == 8 ? CountParameters(*model) : model->parameters, row["params"].get<int64_t>()) << id;
      const int world = recipe->strategy == "none" ? 1 : 2;
      const sim::Program program = Build(*model, recipe->training, recipe->strategy, world, recipe->reshard_root);
      const double measured_kernels = static_cast<double>(MeasuredKernels(row));
      const double kernel_error = static_cast<double>(LaunchedKernels(program)) / measured_kernels - 1;
      const double peak_gib = program.memory.peak.value() / (1 << 30);
      const double memory_error = peak_gib / row["peak_alloc_gib"].get<double>() - 1;
      std::printf("%-42s kernels %6ld / %6.0f %+6.2f %%   peak %7.2f GiB %+6.2f %%\n", id.c_str(),
                  LaunchedKernels(program), measured_kernels, 100 * kernel_error, peak_gib, 100 * memory_error);
      EXPECT_LT(std::abs(kernel_error), 0.01) << id;
      // Two rows lie outside 1 %: 0.1 GiB of llama-1.1b at 1024 tokens, and llama3-8b at 8192 with recompute.
      EXPECT_LT(std::abs(memory_error), 0.014) << id;
      kernels.values.push_back(std::abs(kernel_error));
      memory.values.push_back(std::abs(memory_error));
    }
  }
  ASSERT_GE(kernels.values.size(), 45u);
  EXPECT_LT(kernels.Quantile(0.5), 0.0005);
  EXPECT_LT(memory.Quantile(0.5), 0.0005);
  EXPECT_LT(memory.Quantile(0.9), 0.006);
  std::printf("%zu rows: kernels median %.3f %% p90 %.3f %%, memory median %.3f %% p90 %.3f %%\n", kernels.values.size(),
              100 * kernels.Quantile(0.5), 100 * kernels.Quantile(0.9), 100 * memory.Quantile(0.5),
              100 * memory.Quantile(0.9));
}

}  // namespace
}  // namespace stepsim::workloads
