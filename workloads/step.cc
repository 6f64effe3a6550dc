#include "workloads/step.h"

#include "absl/strings/str_cat.h"
#include "sim/base/check.h"
#include "workloads/optimizer/optimizer.h"

namespace stepsim::workloads {
namespace {

using sim::DType;
using sim::MemoryPart;

const ShardingEntry EntryOf(const ParallelismSpec& parallelism) {
  const auto entry = ShardingStrategies().Find(parallelism.strategy);
  SIM_CHECK(entry.ok()) << parallelism.strategy;
  return *entry;
}

// `casts`: the wrapper casts weights, so modules compute in 16 bit without autocast.
Precision PrecisionOf(PrecisionChoice choice, bool casts) {
  Precision precision;
  switch (choice) {
    case PrecisionChoice::kFp32: return precision;
    case PrecisionChoice::kTf32: precision.matmul_fp32 = DType::kTf32; return precision;
    case PrecisionChoice::kBf16:
      precision.master = precision.compute = precision.optimizer = DType::kBf16;
      return precision;
    case PrecisionChoice::kFp16Mixed: precision.low = DType::kFp16; break;
    case PrecisionChoice::kBf16Mixed: break;
  }
  precision.autocast = !casts;
  if (casts) precision.compute = precision.low;
  return precision;
}

ShardingOptions OptionsOf(const ModelSpec& model, const TrainingSpec& training, const ParallelismSpec& parallelism,
                          const FrameworkSpec& framework, int world_size, const Precision& precision) {
  ShardingOptions options;
  options.world_size = world_size;
  options.layers = static_cast<int32_t>(model.layers);
  options.gather_dtype = precision.compute;
  options.reduce_dtype = training.reduce_dtype.value_or(precision.master);
  options.reshard_root = parallelism.reshard_root;
  options.no_sync = training.no_sync.value_or(framework.no_sync);
  options.bucket_mb = training.bucket_mb > 0 ? training.bucket_mb : framework.bucket_mb;
  options.first_bucket_mb = framework.first_bucket_mb;
  return options;
}

}  // namespace

StepWriter::StepWriter(const ModelSpec& model, const TrainingSpec& training, const ParallelismSpec& parallelism,
                       const FrameworkSpec& framework, int world_size, bool cluster_gemm)
    : model_(model),
      training_(training),
      host_(framework.host),
      family_(FamilyOf(model)),
      micro_batches_(training.MicroBatches(world_size)),
      program_(model.name, HostCostOf(framework.host, model.family, cluster_gemm)),
      tape_(&program_, PrecisionOf(training.precision, EntryOf(parallelism).casts)),
      weights_(model, tape_.precision().compute) {
  SIM_CHECK(micro_batches_ > 0) << "global batch does not divide";
  strategy_ = EntryOf(parallelism).make(
      &tape_, &weights_, OptionsOf(model, training, parallelism, framework, world_size, tape_.precision()));
  tape_.set_gradient_sink(
      [this](Parameter& parameter, Tensor gradient) { strategy_->TakeGradient(parameter, std::move(gradient)); });
}

void StepWriter::AddPersistentMemory() {
  constexpr int64_t kCublasWorkspace = 64 << 20;  // two of 32 MiB: main and autograd thread
  constexpr int64_t kTokenIdSize = 8;
  MemoryTracker& memory = program_.memory();
  const Precision& precision = tape_.precision();
  for (const auto& parameter : weights_.all()) {
    const int64_t local = strategy_->LocalElements(*parameter);
    memory.AddPersistent(MemoryPart::kParameters, MemoryTracker::Rounded(local * ElementSize(precision.master)));
    memory.AddPersistent(
        MemoryPart::kOptimizerStates,
        OptimizerStates(training_.optimizer) * MemoryTracker::Rounded(local * ElementSize(precision.optimizer)));
  }
  memory.AddPersistent(MemoryPart::kActivations, training_.micro_batch * training_.sequence_length * kTokenIdSize);
  memory.AddPersistent(MemoryPart::kWorkspace, kCublasWorkspace);
}

sim::Program StepWriter::Write() {
  AddPersistentMemory();
  for (int64_t i = 0; i < micro_batches_; ++i) MicroBatch(i == micro_batches_ - 1);
  Optimize();
  sim::Program program = program_.Take();
  program.launch_latency = host_.launch_latency;
  program.kernel_gap = host_.kernel_gap;
  CountFlops(&program);
  return program;
}

void StepWriter::MicroBatch(bool is_last) {
  strategy_->BeginMicroBatch(is_last);
  program_.set_phase(sim::Phase::kForward);
  program_.BeginRange("forward");
  ForwardPass pass{tape_, model_, weights_, training_.micro_batch, training_.sequence_length,
                   training_.attention_or_default()};
  Tensor loss = Forward(pass);
  program_.EndRange("forward");
  program_.set_phase(sim::Phase::kBackward);
  program_.BeginRange("backward");
  if (training_.precision == PrecisionChoice::kFp16Mixed) tape_.Launch(KernelClass::kAmpScale, 0, 0);
  tape_.Backward(std::move(loss));
  strategy_->EndBackward();
  program_.EndRange("backward");
}

Tensor StepWriter::Forward(ForwardPass& pass) {
  tape_.BeginAutocast();
  strategy_->EnterUnit(kRootUnit, Tensor());
  Tensor x = family_.embed(pass);
  for (int layer = 0; layer < static_cast<int>(model_.layers); ++layer) {
    const std::string label = absl::StrCat("layer ", layer);
    program_.BeginRange(label);
    x = Layer(pass, layer, x);
    program_.EndRange(label);
  }
  program_.BeginRange("loss");
  Tensor loss = family_.loss(pass, std::move(x));
  tape_.EndAutocast();
  loss = strategy_->LeaveUnit(kRootUnit, std::move(loss));
  program_.EndRange("loss");
  return loss;
}

Tensor StepWriter::Layer(ForwardPass& pass, int layer, const Tensor& x) {
  Tensor input = strategy_->EnterUnit(layer, x);
  const bool recompute = training_.recompute == RecomputeChoice::kFull ||
                         (training_.recompute == RecomputeChoice::kEvery2 && layer % 2 == 0);
  Tensor output;
  if (recompute) {
    output = tape_.RunCheckpointed(
        [this, &pass, layer](Tensor again) { return family_.layer(pass, layer, std::move(again)); }, std::move(input));
  } else {
    output = family_.layer(pass, layer, std::move(input));
  }
  return strategy_->LeaveUnit(layer, std::move(output));
}

void StepWriter::Optimize() {
  program_.set_phase(sim::Phase::kOptimizer);
  program_.BeginRange("optimizer");
  LaunchOptimizer(tape_, weights_, *strategy_, training_);
  // zero_grad(set_to_none=True)
  for (auto& parameter : weights_.all()) parameter->gradient = Tensor();
  strategy_.reset();
  program_.EndRange("optimizer");
}

void StepWriter::CountFlops(sim::Program* program) const {
  const ProgramBuilder::FlopCount& forward = program_.forward_flops();
  const ProgramBuilder::FlopCount& recompute = program_.recompute_flops();
  program->model_flops = 3 * (forward.gemm + forward.attention);
  program->model_flops_causal = program->model_flops - (family_.causal ? 1.5 * forward.attention : 0);
  program->hardware_flops = program->model_flops + recompute.gemm + recompute.attention;
  program->samples = static_cast<double>(micro_batches_ * training_.micro_batch);
  program->tokens =
      program->samples * static_cast<double>(training_.sequence_length) * training_.packing_efficiency;
}

}  // namespace stepsim::workloads
