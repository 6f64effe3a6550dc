#include "sim/run/metrics.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "sim/run/energy.h"
#include "sim/run/link_use.h"

namespace stepsim::sim {
namespace {

constexpr double kPicosecond = 1e-12;

// Sums of the measured step, averaged over the ranks.
struct MeanSums {
  double compute = 0, communication = 0, transfer = 0, exposed = 0, idle = 0, host = 0, optimizer = 0, sm = 0, window = 0;
  std::array<double, kNumKernelCategories> category{};
};

MeanSums Average(const World& world) {
  MeanSums mean;
  const double scale = kPicosecond / static_cast<double>(world.ranks().size());
  for (const RankSlot& slot : world.ranks()) {
    const RankSums d = slot.certain.sums - slot.certain.window_begin_sums;
    mean.compute += static_cast<double>(d.compute) * scale;
    mean.communication += static_cast<double>(d.communication) * scale;
    mean.transfer += static_cast<double>(d.transfer) * scale;
    mean.exposed += static_cast<double>(d.exposed) * scale;
    mean.idle += static_cast<double>(d.idle) * scale;
    mean.host += static_cast<double>(d.host_bound) * scale;
    mean.optimizer += static_cast<double>(d.optimizer) * scale;
    mean.sm += static_cast<double>(d.sm) * scale;
    mean.window += static_cast<double>(slot.certain.end_ps - slot.certain.window_begin_ps) * scale;
    for (size_t i = 0; i < mean.category.size(); ++i) mean.category[i] += static_cast<double>(d.category[i]) * scale;
  }
  return mean;
}

// All ranks' steps end together or nearly so: from the last end of one step to the last end of the next.
double StepSeconds(const World& world) {
  int64_t begin = 0, end = 0;
  for (const RankSlot& slot : world.ranks()) {
    begin = std::max(begin, slot.certain.window_begin_ps);
    end = std::max(end, slot.certain.end_ps);
  }
  return static_cast<double>(end - begin) * kPicosecond;
}

FlopsPerSecond Peak(const GpuSpec& gpu, DType type) {
  switch (type) {
    case DType::kFp8: return gpu.fp8;
    case DType::kFp32: return gpu.fp32;
    case DType::kTf32: return gpu.tf32;
    case DType::kFp16: return gpu.fp16;
    default: return gpu.bf16.per_second() > 0 ? gpu.bf16 : gpu.fp16;
  }
}

void MeasureThroughput(const World& world, const Job& job, Result* r) {
  double tokens = 0, samples = 0, model = 0, causal = 0, hardware = 0, peak = 0;
  for (const Role& role : world.roles()) {
    const double n = role.count;
    tokens += n * role.program->tokens;
    samples += n * role.program->samples;
    model += n * role.program->model_flops;
    causal += n * role.program->model_flops_causal;
    hardware += n * role.program->hardware_flops;
    peak += n * Peak(*role.gpu, job.peak_dtype).per_second();
  }
  const double step = r->step_time_s, gpus = static_cast<double>(r->gpus);
  r->tokens_per_s = tokens / step;
  r->tokens_per_s_per_gpu = tokens / step / gpus;
  r->samples_per_s = samples / step;
  r->model_tflops_per_gpu = model / step / gpus * 1e-12;
  if (peak > 0) {
    r->mfu = model / step / peak;
    r->mfu_causal = causal / step / peak;
    r->hfu = hardware / step / peak;
  }
}

void MeasureKernels(const World& world, const MeanSums& mean, Result* r) {
  for (const Role& role : world.roles()) {
    const double share = static_cast<double>(role.count) / static_cast<double>(r->gpus);
    for (const Op& op : role.program->ops) {
      if (op.kind != OpKind::kKernel) continue;
      r->kernels[static_cast<size_t>(role.program->kernels[KernelId(op.index)].category)].count += share;
    }
  }
  for (size_t i = 0; i < mean.category.size(); ++i) r->kernels[i].time_s = mean.category[i];
}

// Traffic of a step over what the memory could move in it, averaged over ranks.
double MemoryUtilisation(const World& world, double step) {
  double use = 0;
  for (const Role& role : world.roles()) {
    double bytes = 0;
    for (const Op& op : role.program->ops) {
      if (op.kind == OpKind::kKernel) bytes += role.plan.costs[static_cast<size_t>(op.index)].memory_traffic.value();
      if (op.kind != OpKind::kCollective) continue;
      const CollectivePlan& plan = world.plans()[static_cast<size_t>(role.collective_plan[static_cast<size_t>(op.index)])];
      bytes += plan.memory_traffic * plan.message.value();
    }
    use += role.count * bytes / (role.gpu->memory_rate.per_second() * step);
  }
  return use / static_cast<double>(world.ranks().size());
}

// Time of a step's kernels by what bounds them, for the role of rank 0.
std::array<double, 6> SecondsByBound(const Role& role) {
  std::array<double, 6> seconds{};
  for (const Op& op : role.program->ops) {
    if (op.kind != OpKind::kKernel || op.stream != 0) continue;
    const KernelCost& cost = role.plan.costs[static_cast<size_t>(op.index)];
    seconds[static_cast<size_t>(cost.bound)] += cost.time.seconds();
  }
  return seconds;
}

void FindBottleneck(const World& world, const Platform& platform, Result* r) {
  const std::array<double, 6> bound = SecondsByBound(world.roles().front());
  const CollectivePlan* slowest = SlowestPlan(world);
  r->bottleneck.link = slowest != nullptr ? Limit(*slowest, platform) : "";
  struct Candidate {
    const char* kind;
    double seconds;
    std::string detail;
  };
  const std::vector<Candidate> candidates = {
      {"link", r->exposed_communication_s, r->bottleneck.link},
      {"tensor", bound[static_cast<size_t>(Bound::kTensor)], "tensor cores (GEMM and attention kernels)"},
      {"fp32", bound[static_cast<size_t>(Bound::kFp32)], "FP32 units"},
      {"memory-bandwidth", bound[static_cast<size_t>(Bound::kMemory)] + bound[static_cast<size_t>(Bound::kL2)],
       "GPU memory bandwidth (memory-bound kernels)"},
      {"host", r->host_bound_s, "launches from the host thread"}};
  const auto* worst = &candidates.front();
  for (const Candidate& candidate : candidates) {
    if (candidate.seconds > worst->seconds) worst = &candidate;
  }
  r->bottleneck.kind = worst->kind;
  r->bottleneck.detail = worst->detail;
  r->bottleneck.share = worst->seconds / r->step_time_s;
}

}  // namespace

void Measure(const World& world, const Platform& platform, const Job& job, Result* r) {
  const MeanSums mean = Average(world);
  r->gpus = static_cast<int64_t>(world.ranks().size());
  r->step_time_s = StepSeconds(world);
  MeasureThroughput(world, job, r);
  r->communication_share = mean.communication / r->step_time_s;
  r->transfer_share = mean.transfer / r->step_time_s;
  r->exposed_communication_share = mean.exposed / r->step_time_s;
  r->compute_s = mean.compute;
  r->communication_s = mean.communication;
  r->exposed_communication_s = mean.exposed;
  r->host_bound_s = mean.host;
  r->optimizer_s = mean.optimizer;
  r->idle_s = mean.idle;
  MeasureKernels(world, mean, r);
  r->gpu_utilisation = (mean.compute + mean.exposed) / r->step_time_s;
  r->sm_utilisation = mean.sm / r->step_time_s;
  r->memory_utilisation = MemoryUtilisation(world, r->step_time_s);
  MeasureLinks(world, platform, job, r);
  MeasureCollectives(world, platform, r);
  FindBottleneck(world, platform, r);
  MeasureEnergy(world, r);
}

MemoryResult MeasureMemory(const World& world) {
  MemoryResult worst;
  double worst_share = -1;
  for (const Role& role : world.roles()) {
    const MemoryProfile& profile = role.program->memory;
    MemoryResult memory;
    memory.peak = profile.peak;
    memory.context = ContextBytes(role, world);
    memory.capacity = role.gpu->memory;
    memory.fits = memory.peak + memory.context <= memory.capacity;
    memory.rank = role.first;
    memory.parts = profile.peak_parts;
    if (static_cast<size_t>(profile.peak_op) < role.program->ops.size()) {
      const Op& op = role.program->ops[static_cast<size_t>(profile.peak_op)];
      memory.moment = absl::StrCat(Name(op.phase), ", op ", profile.peak_op, " of ", role.program->ops.size());
      if (op.kind == OpKind::kKernel) absl::StrAppend(&memory.moment, " (", role.program->kernels[KernelId(op.index)].name, ")");
    }
    const double share = (memory.peak + memory.context).value() / std::max(1.0, memory.capacity.value());
    if (share > worst_share) {
      worst_share = share;
      worst = memory;
    }
  }
  return worst;
}

}  // namespace stepsim::sim
