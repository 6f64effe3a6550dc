// Kernels too small, or too irregular, for their bytes to matter: a time by class, measured on the reference card. Latencies
// of launches and of memory hardly differ between cards, so it holds on all of them.
#include "sim/base/check.h"
#include "sim/compute/kernel_model.h"

namespace stepsim::sim {
namespace {

class Fixed : public KernelModel {
 public:
  KernelCost Cost(const Kernel& kernel, const CardRates& card, const Architecture& architecture) const override {
    const auto found = architecture.memory.fixed.find(kernel.kernel_class);
    SIM_CHECK(found != architecture.memory.fixed.end()) << "unknown kernel class " << kernel.kernel_class;
    KernelCost cost;
    cost.time = found->second;
    cost.bound = Bound::kLaunch;
    cost.sm_share = 1 / card.sms;  // a few CTAs
    cost.memory_traffic = kernel.bytes();
    return cost;
  }

  absl::Status Check(const Kernel& kernel, const CardRates&, const Architecture& architecture) const override {
    if (architecture.memory.fixed.count(kernel.kernel_class) > 0) return absl::OkStatus();
    std::vector<std::string> known;
    for (const auto& [key, time] : architecture.memory.fixed) known.push_back(key);
    return absl::NotFoundError(
        absl::StrCat("calibration ", architecture.name, ": ", UnknownNameMessage("fixed kernel class", kernel.kernel_class, known)));
  }
};

}  // namespace

const KernelModel& FixedModel() {
  static const auto* model = new Fixed();
  return *model;
}

}  // namespace stepsim::sim
