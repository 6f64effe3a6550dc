// C[m,n] = A[m,k] · B[k,n], batch times. The tile and split of k that are fastest by the model, as cuBLAS's heuristics aim
// at (KERNELS.md §2; errors and limits in docs/models/kernels.md). The operand layouts of the three products of a Linear layer
// need no factor: forward, data and weight gradient rows are fitted equally well without.
#include <algorithm>
#include <cmath>

#include "sim/base/check.h"
#include "sim/compute/kernel_model.h"

namespace stepsim::sim {
namespace {

double CubeSumRoot(double a, double b) { return std::cbrt(a * a * a + b * b * b); }

// The shape in doubles, and rates of the card for its number format.
struct Problem {
  double m, n, k, batch;
  double input_size, output_size;  // bytes per element
  double rate_per_sm;              // FLOP/us of one SM
  double feed_per_sm;              // B/us from L2 into one SM
  double memory;                   // B/us that a copy reaches
  double resident;                 // bytes up to which an operand stays in L2
  double sms;
  const std::vector<GemmTile>* tiles;
};

struct Choice {
  double time = HUGE_VAL;  // without launch
  double body = 0;
  double bytes = 0;
  double units = 0;
  bool fed = false;  // the operand feed takes longer than the arithmetic
};

bool Aligned(const Kernel& kernel) {
  const int64_t elements = 16 / ElementSize(kernel.dtype);
  return kernel.m % elements == 0 && kernel.n % elements == 0 && kernel.k % elements == 0;
}

double RatePerSm(const Kernel& kernel, const CardRates& card, const GemmParameters& p) {
  if (kernel.dtype == DType::kFp32) return p.fp32_efficiency * card.fp32 / card.sms;
  double rate = card.Tensor(kernel.dtype) / card.sms;
  // Unaligned rows fall back to kernels with 2- and 4-byte loads (BERT's vocabulary of 30,522 on an H200: 252–268 TFLOPS).
  if (!Aligned(kernel)) {
    const double width = 2.0 / static_cast<double>(ElementSize(kernel.dtype));
    rate = std::min(rate, p.unaligned_flops_per_clock * width * card.clocks_per_us);
  }
  return rate * (card.half_rate ? p.half_rate_efficiency : p.tensor_efficiency);
}

Problem MakeProblem(const Kernel& kernel, const CardRates& card, const GemmParameters& p) {
  Problem q;
  q.m = static_cast<double>(kernel.m);
  q.n = static_cast<double>(kernel.n);
  q.k = static_cast<double>(kernel.k);
  q.batch = static_cast<double>(kernel.batch);
  q.input_size = static_cast<double>(ElementSize(kernel.dtype));
  q.output_size = std::max(q.input_size, 2.0);  // FP8 products leave as 16 bit
  q.rate_per_sm = RatePerSm(kernel, card, p);
  q.feed_per_sm = p.operand_feed * card.clocks_per_us;
  q.memory = card.copy_efficiency * card.memory;
  q.resident = p.l2_share * card.l2_bytes;
  q.sms = card.sms;
  q.tiles = kernel.dtype == DType::kFp32 ? &p.vector_tiles : &p.tiles;
  return q;
}

// Bytes from HBM. The CTAs resident at once form a near-square block of gm × gn tiles; an operand that does not stay in L2
// is read again for every block along the other dimension.
double Traffic(const Problem& q, const GemmTile& tile, double rows, double columns, double split) {
  const double resident = std::min(q.sms / split, rows * columns);
  const double aspect = static_cast<double>(tile.columns) / static_cast<double>(tile.rows);
  double gm = std::clamp(std::sqrt(resident * aspect), 1.0, rows);
  const double gn = std::clamp(resident / gm, 1.0, columns);
  gm = std::clamp(resident / gn, 1.0, rows);
  const double a = q.m * q.k * q.input_size;
  const double b = q.n * q.k * q.input_size;
  const double a_reads = a <= q.resident ? 1 : std::ceil(columns / gn);
  const double b_reads = b <= q.resident ? 1 : std::ceil(rows / gm);
  return q.batch * (a * a_reads + b * b_reads + q.m * q.n * q.output_size);
}

void TryTile(const Problem& q, const GemmTile& tile, const GemmParameters& p, Choice* best) {
  const auto bm = static_cast<double>(tile.rows);
  const auto bn = static_cast<double>(tile.columns);
  const double rows = std::ceil(q.m / bm);
  const double columns = std::ceil(q.n / bn);
  const double arithmetic = 2 * bm * bn / q.rate_per_sm;
  const double feed = (bm + bn) * q.input_size / q.feed_per_sm;
  const double per_k = CubeSumRoot(arithmetic, feed);
  const double share = p.tile_time_fixed_share;
  const double edges = p.tile_time.microseconds() * (share + (1 - share) * bm * bn / (256.0 * 128.0));
  for (const int64_t split : p.splits) {
    const auto s = static_cast<double>(split);
    const double units = rows * columns * q.batch * s;
    const double body = std::ceil(units / q.sms) * (std::ceil(q.k / s / 64) * 64 * per_k + edges);
    // Partial sums are written and read in FP32.
    const double partial = split > 1 ? units * bm * bn * 8 : 0;
    const double reduction = split > 1 ? p.split_time.microseconds() + partial / q.memory : 0;
    if (body + reduction >= best->time) continue;
    const double bytes = Traffic(q, tile, rows, columns, s);
    const double time = CubeSumRoot(body, bytes / q.memory) + reduction;
    if (time < best->time) *best = {time, body + reduction, bytes + partial, units, feed > arithmetic};
  }
}

Bound BoundOf(const Kernel& kernel, const Choice& choice, double memory_time, double launch) {
  if (launch > choice.time) return Bound::kLaunch;
  if (memory_time > choice.body) return Bound::kMemory;
  if (choice.fed) return Bound::kL2;
  return kernel.dtype == DType::kFp32 ? Bound::kFp32 : Bound::kTensor;
}

class Gemm : public KernelModel {
 public:
  KernelCost Cost(const Kernel& kernel, const CardRates& card, const Architecture& architecture) const override {
    const GemmParameters& p = architecture.gemm;
    const Problem q = MakeProblem(kernel, card, p);
    SIM_CHECK(q.rate_per_sm > 0 && q.memory > 0) << "matrix product in " << Name(kernel.dtype) << " on a card without that rate";
    Choice best;
    for (const GemmTile& tile : *q.tiles) TryTile(q, tile, p, &best);
    const double launch = p.launch.microseconds();
    KernelCost cost;
    cost.time = Duration::FromMicroseconds(launch + best.time);
    cost.bound = BoundOf(kernel, best, best.bytes / q.memory, launch);
    cost.waves = std::max(1.0, best.units / q.sms);
    cost.sm_share = std::min(1.0, best.units / q.sms);
    cost.memory_traffic = Bytes(static_cast<int64_t>(best.bytes));
    return cost;
  }

  absl::Status Check(const Kernel& kernel, const CardRates& card, const Architecture& architecture) const override {
    if (kernel.m < 1 || kernel.n < 1 || kernel.k < 1 || kernel.batch < 1) {
      return absl::InvalidArgumentError(absl::StrCat("matrix product ", kernel.m, " x ", kernel.n, " x ", kernel.k, ", batch ",
                                                     kernel.batch, ": every size must be at least 1"));
    }
    const bool known = kernel.dtype == DType::kFp32 ? card.fp32 > 0 : card.Tensor(kernel.dtype) > 0;
    if (known) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("a matrix product in ", Name(kernel.dtype), " needs a card with that rate; the sheet of this ",
                                                   architecture.name, " card has none"));
  }
};

}  // namespace

const KernelModel& GemmModel() {
  static const auto* model = new Gemm();
  return *model;
}

}  // namespace stepsim::sim
