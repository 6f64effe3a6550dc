#include "tests/workloads/fixtures.h"

#include "sim/base/check.h"
#include "sim/program/check.h"

namespace stepsim::workloads {

sim::Catalogue TestCatalogue() { return sim::Catalogue(STEPSIM_SOURCE_DIR "/configs"); }

FrameworkSpec TestFramework() {
  auto framework = LoadFramework(TestCatalogue());
  SIM_CHECK(framework.ok()) << framework.status().ToString();
  return *framework;
}

ModelSpec CatalogueModel(const std::string& name) {
  const auto node = sim::ParseConfig("model: " + name, "test");
  sim::Diagnostics problems;
  auto model = ReadModel(TestCatalogue(), (*node)["model"], &problems);
  SIM_CHECK(model.has_value()) << problems.ToStatus().ToString();
  return *model;
}

ModelSpec SmallModel(const std::string& family, int layers) {
  ModelSpec model;
  model.name = "small " + family;
  model.family = family;
  model.layers = layers;
  model.hidden = 256;
  model.heads = 4;
  model.kv_heads = family == "llama" ? 2 : 4;
  model.head_dim = 64;
  model.ffn = 1024;
  model.vocab = 512;
  model.max_positions = 128;
  model.token_types = family == "bert" ? 2 : 0;
  model.tied_embeddings = family != "llama";
  model.parameters = CountParameters(model);
  return model;
}

TrainingSpec SmallTraining() {
  TrainingSpec training;
  training.sequence_length = 128;
  training.micro_batch = 2;
  return training;
}

sim::Program Build(const ModelSpec& model, const TrainingSpec& training, const std::string& strategy, int world,
                   bool reshard_root) {
  ParallelismSpec parallelism;
  parallelism.strategy = strategy;
  parallelism.reshard_root = reshard_root;
  sim::Program program = BuildProgram(model, training, parallelism, TestFramework(), world, /*cluster_gemm=*/true);
  const absl::Status status = sim::CheckProgram(program);
  SIM_CHECK(status.ok()) << status.ToString();
  return program;
}

namespace {

template <class Predicate>
int CountOps(const sim::Program& program, Predicate predicate) {
  int count = 0;
  for (const sim::Op& op : program.ops) {
    if (op.kind == sim::OpKind::kKernel && predicate(op, program.kernels[sim::KernelId(op.index)])) ++count;
  }
  return count;
}

}  // namespace

int CountKernels(const sim::Program& program, const std::string& kernel_class) {
  return CountOps(program, [&](const sim::Op&, const sim::Kernel& k) { return k.kernel_class == kernel_class; });
}

int CountKernels(const sim::Program& program, const std::string& kernel_class, sim::Phase phase) {
  return CountOps(program, [&](const sim::Op& op, const sim::Kernel& k) {
    return op.phase == phase && k.kernel_class == kernel_class;
  });
}

int CountGemms(const sim::Program& program, sim::Phase phase) {
  return CountOps(program, [&](const sim::Op& op, const sim::Kernel& k) {
    return op.phase == phase && k.kind == sim::KernelKind::kGemm;
  });
}

std::vector<std::string> CollectiveLabels(const sim::Program& program) {
  std::vector<std::string> labels;
  for (const sim::Op& op : program.ops) {
    if (op.kind != sim::OpKind::kCollective) continue;
    labels.push_back(program.labels[program.collectives[sim::CollectiveId(op.index)].label]);
  }
  return labels;
}

std::map<sim::CollectiveKind, CollectiveTotals> TotalsByKind(const sim::Program& program) {
  std::map<sim::CollectiveKind, CollectiveTotals> totals;
  for (const sim::Op& op : program.ops) {
    if (op.kind != sim::OpKind::kCollective) continue;
    const sim::Collective& collective = program.collectives[sim::CollectiveId(op.index)];
    CollectiveTotals& total = totals[collective.kind];
    ++total.count;
    total.bytes += collective.bytes.count();
  }
  return totals;
}

}  // namespace stepsim::workloads
