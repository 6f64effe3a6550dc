// Fused attention. A CTA holds a block of query rows of one head and walks the keys (KERNELS.md §3; FlashAttention-2,
// arXiv 2307.08691 §3). Grouped heads move fewer keys and values and change nothing else: their gradients are summed by
// kernels of their own, as are the row sums of dO·O and the cast of dQ.
#include <algorithm>
#include <cmath>

#include "sim/base/check.h"
#include "sim/compute/kernel_model.h"

namespace stepsim::sim {
namespace {

constexpr double kSideMemoryShare = 0.8;  // of the sheet's rate: side passes of the backward (KERNELS.md §3)
constexpr double kElement = 2;            // 16-bit formats only

const AttentionKernels& KernelsOf(AttentionBackend backend, const AttentionParameters& p) {
  switch (backend) {
    case AttentionBackend::kFlash1: return p.flash1;
    case AttentionBackend::kFlash2: return p.flash2;
    case AttentionBackend::kFlash3: return p.flash3;
    case AttentionBackend::kCudnn: break;
  }
  return p.cudnn;
}

const char* Name(AttentionBackend backend) {
  switch (backend) {
    case AttentionBackend::kFlash1: return "flash1";
    case AttentionBackend::kFlash2: return "flash2";
    case AttentionBackend::kFlash3: return "flash3";
    case AttentionBackend::kCudnn: break;
  }
  return "cudnn";
}

const AttentionPass& PassOf(const Kernel& kernel, const AttentionParameters& p) {
  const AttentionKernels& kernels = KernelsOf(kernel.backend, p);
  return kernel.backward ? kernels.backward : kernels.forward;
}

// us for a CTA that sees every key, with its neighbours on the SM.
double CtaTime(const Kernel& kernel, const AttentionPass& pass, const CardRates& card) {
  const double products = kernel.backward ? 5 : 2;  // S, P·V; and dV, dP, dS·K, dSᵀ·Q beside S again
  const double elements = static_cast<double>(pass.query_rows * kernel.sequence);
  double rate = card.tensor_16bit / card.sms;
  if (pass.tensor_limit > 0) rate = std::min(rate, pass.tensor_limit * card.clocks_per_us);
  rate *= card.half_rate ? pass.half_rate_efficiency : pass.tensor_efficiency;
  const double matrix = 2 * products * static_cast<double>(kernel.head_dim) / rate;
  const double exponentials = pass.exponentials > 0 ? 1 / (pass.exponentials * card.clocks_per_us) : 0;
  const double per_element = pass.exponentials_overlap ? std::max(matrix, exponentials) : matrix + exponentials;
  return static_cast<double>(pass.ctas_per_sm) * elements * per_element;
}

double Body(const Kernel& kernel, const AttentionPass& pass, double ctas, double slots, double blocks, double cta) {
  const double edge = pass.cta_time.microseconds();
  if (!kernel.causal) return std::ceil(ctas / slots) * (cta + edge);
  const double filled = ctas * (cta * (blocks + 1) / (2 * blocks) + edge) / slots + pass.tail * cta * (1 - 1 / blocks);
  return std::max(filled, cta + edge);
}

// Forward: q, k, v read, o and the log-sum-exp written. Backward reads those and dO, and writes dq, dk, dv.
double Traffic(const Kernel& kernel, const AttentionPass& pass) {
  const auto tokens = static_cast<double>(kernel.sequences * kernel.sequence);
  const double query = tokens * static_cast<double>(kernel.heads * kernel.head_dim) * kElement;
  const double key = tokens * static_cast<double>(kernel.kv_heads * kernel.head_dim) * kElement;
  const double sums = tokens * static_cast<double>(kernel.heads) * 4;
  return kernel.backward ? 2 * query + 4 * key + 2 * sums + pass.side_passes * query : 2 * query + 2 * key + sums;
}

class Attention : public KernelModel {
 public:
  KernelCost Cost(const Kernel& kernel, const CardRates& card, const Architecture& architecture) const override {
    const AttentionPass& pass = PassOf(kernel, architecture.attention);
    SIM_CHECK(pass.query_rows > 0 && card.tensor_16bit > 0) << "attention kernel that " << architecture.name << " does not have";
    const double blocks = std::ceil(static_cast<double>(kernel.sequence) / static_cast<double>(pass.query_rows));
    const double ctas = static_cast<double>(kernel.sequences * kernel.heads) * blocks;
    const double slots = card.sms * static_cast<double>(pass.ctas_per_sm);
    const double body = Body(kernel, pass, ctas, slots, blocks, CtaTime(kernel, pass, card));
    const double query = static_cast<double>(kernel.sequences * kernel.sequence * kernel.heads * kernel.head_dim) * kElement;
    const double side = pass.side_passes * query / (kSideMemoryShare * card.memory);
    const double traffic = Traffic(kernel, pass);
    const double memory = traffic / (card.copy_efficiency * card.memory);
    const double launch = pass.launch.microseconds();
    KernelCost cost;
    cost.time = Duration::FromMicroseconds(launch + std::max(body + side, memory));
    cost.bound = memory >= body + side || side > body ? Bound::kMemory : launch > body ? Bound::kLaunch : Bound::kTensor;
    cost.waves = std::max(1.0, ctas / slots);
    cost.sm_share = std::min(1.0, ctas / card.sms);
    cost.memory_traffic = Bytes(static_cast<int64_t>(traffic));
    return cost;
  }

  absl::Status Check(const Kernel& kernel, const CardRates& card, const Architecture& architecture) const override {
    const std::string what = absl::StrCat("attention kernel ", Name(kernel.backend), kernel.backward ? " backward" : " forward");
    if (PassOf(kernel, architecture.attention).query_rows == 0) {
      return absl::InvalidArgumentError(absl::StrCat(what, " does not exist on ", architecture.name, "; use another `attention`"));
    }
    if ((kernel.dtype != DType::kBf16 && kernel.dtype != DType::kFp16) || card.Tensor(kernel.dtype) <= 0) {
      return absl::InvalidArgumentError(absl::StrCat(what, " works in a 16-bit format that the card has, not in ", stepsim::sim::Name(kernel.dtype)));
    }
    if (kernel.sequences < 1 || kernel.heads < 1 || kernel.kv_heads < 1 || kernel.sequence < 1 || kernel.head_dim < 1) {
      return absl::InvalidArgumentError(absl::StrCat(what, ": sequences, heads, sequence and head size must be at least 1"));
    }
    return absl::OkStatus();
  }
};

}  // namespace

const KernelModel& AttentionModel() {
  static const auto* model = new Attention();
  return *model;
}

}  // namespace stepsim::sim
