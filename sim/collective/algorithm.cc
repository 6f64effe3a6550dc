#include "sim/collective/algorithm.h"

#include <cmath>

namespace stepsim::sim {
namespace {
constexpr double kMebi = 1 << 20;
constexpr double kChunk = 2 * kMebi;  // ring Simple: 4 steps of 512 KiB (src/include/device.h)
}  // namespace

double RingShare(CollectiveKind kind, int ranks) {
  const double others = static_cast<double>(ranks - 1) / ranks;
  switch (kind) {
    case CollectiveKind::kAllReduce:
      return 2 * others;
    case CollectiveKind::kAllGather:
    case CollectiveKind::kReduceScatter:
    case CollectiveKind::kAllToAll:
      return others;
    default:
      return 1;
  }
}

double PipelineFillUs(double bytes, int channels, double rate, int ranks) {
  if (!(rate > 0) || std::isinf(rate)) return 0;
  const double chunk_us = kChunk / (rate / channels) * 1e6;
  const double half_size = channels * kChunk * kTiming.fill_half_size * 2 / ranks;
  return kTiming.fill_chunks * chunk_us * bytes / (bytes + half_size);
}

double FabricFillUs(const FabricTiming& fabric, double bytes) {
  return fabric.fixed_us + fabric.fill_us * (1 - std::exp(-bytes / (fabric.fill_mib * kMebi)));
}

}  // namespace stepsim::sim
