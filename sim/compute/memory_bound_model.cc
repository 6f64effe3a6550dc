// Kernels bound by the bytes they move: t = launch + bytes · ( hit / L2 rate + (1 - hit) / HBM rate ), rates by the class of
// the kernel (KERNELS.md §4). hit is 1 for working sets well inside L2 and 0 for those that flow through it.
#include <algorithm>
#include <cmath>

#include "sim/base/check.h"
#include "sim/compute/kernel_model.h"

namespace stepsim::sim {
namespace {

// PyTorch's vectorised elementwise kernel: 128 threads with 4 elements each, 16 CTAs fill an SM's 2048 threads. A CTA of a
// typical one moves 4 KiB.
constexpr double kCtaBytes = 4096;
constexpr double kCtasPerSm = 16;

double HitShare(double bytes, double l2, const MemoryParameters& p) {
  if (l2 <= 0) return 0;
  return std::clamp((p.l2_streaming_share - bytes / l2) / (p.l2_streaming_share - p.l2_resident_share), 0.0, 1.0);
}

class MemoryBound : public KernelModel {
 public:
  KernelCost Cost(const Kernel& kernel, const CardRates& card, const Architecture& architecture) const override {
    const auto found = card.classes.find(ClassOf(kernel));
    SIM_CHECK(found != card.classes.end()) << "unknown kernel class " << kernel.kernel_class;
    const MemoryClassRate& rate = found->second;
    const double bytes = kernel.bytes().value();
    const double hit = HitShare(bytes, card.l2_bytes, architecture.memory);
    const double l2_time = bytes * hit / rate.l2;
    const double hbm_time = bytes * (1 - hit) / rate.hbm;
    const double ctas = std::max(1.0, std::ceil(bytes / kCtaBytes));
    KernelCost cost;
    cost.time = Duration::FromMicroseconds(std::max(rate.launch + l2_time + hbm_time, rate.floor));
    cost.bound = rate.launch > l2_time + hbm_time ? Bound::kLaunch : l2_time > hbm_time ? Bound::kL2 : Bound::kMemory;
    cost.waves = std::max(1.0, ctas / (card.sms * kCtasPerSm));
    cost.sm_share = std::min(1.0, ctas / card.sms);
    cost.memory_traffic = Bytes(static_cast<int64_t>(bytes * (1 - hit)));
    return cost;
  }

  absl::Status Check(const Kernel& kernel, const CardRates& card, const Architecture& architecture) const override {
    const std::string& name = ClassOf(kernel);
    if (card.classes.count(name) > 0) return absl::OkStatus();
    std::vector<std::string> known;
    for (const auto& [key, rate] : card.classes) known.push_back(key);
    return absl::NotFoundError(absl::StrCat("calibration ", architecture.name, ": ", UnknownNameMessage("kernel class", name, known)));
  }

 private:
  static const std::string& ClassOf(const Kernel& kernel) {
    static const auto* memset = new std::string("memset");
    return kernel.kind == KernelKind::kMemset ? *memset : kernel.kernel_class;
  }
};

}  // namespace

const KernelModel& MemoryBoundModel() {
  static const auto* model = new MemoryBound();
  return *model;
}

}  // namespace stepsim::sim
