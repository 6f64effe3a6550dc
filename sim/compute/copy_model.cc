// DMA between pinned host memory and the device, alone on the card's PCIe link: launch + bytes / (share · raw rate). Pageable
// memory (a staging copy by the host, 1–20 GB/s) is not modelled.
#include "sim/base/check.h"
#include "sim/compute/kernel_model.h"

namespace stepsim::sim {
namespace {

class Copy : public KernelModel {
 public:
  KernelCost Cost(const Kernel& kernel, const CardRates& card, const Architecture& architecture) const override {
    const CopyParameters& p = architecture.copies;
    const bool to_device = kernel.kernel_class == "h2d";
    const double rate = card.pcie * (to_device ? p.host_to_device : p.device_to_host);
    SIM_CHECK(rate > 0) << "copy over a PCIe link without a rate";
    const double launch = (to_device ? p.host_to_device_launch : p.device_to_host_launch).microseconds();
    const double transfer = Size(kernel) / rate;
    KernelCost cost;
    cost.time = Duration::FromMicroseconds(launch + transfer);
    cost.bound = launch > transfer ? Bound::kLaunch : Bound::kPcie;
    cost.sm_share = 0;  // a copy engine does it
    cost.memory_traffic = Bytes(static_cast<int64_t>(Size(kernel)));
    return cost;
  }

  absl::Status Check(const Kernel& kernel, const CardRates& card, const Architecture&) const override {
    if (kernel.kernel_class != "h2d" && kernel.kernel_class != "d2h") {
      return absl::NotFoundError(UnknownNameMessage("copy direction", kernel.kernel_class, {"h2d", "d2h"}));
    }
    if (card.pcie <= 0) return absl::InvalidArgumentError("a copy between host and device needs the card's PCIe generation and lanes");
    return absl::OkStatus();
  }

 private:
  // Programs may state one side or both.
  static double Size(const Kernel& kernel) { return std::max(kernel.read.value(), kernel.written.value()); }
};

}  // namespace

const KernelModel& CopyModel() {
  static const auto* model = new Copy();
  return *model;
}

}  // namespace stepsim::sim
