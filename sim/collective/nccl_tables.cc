#include "sim/collective/nccl_tables.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "sim/base/check.h"

namespace stepsim::sim {
namespace {

using ByProtocol = std::array<double, kNumProtocols>;
using ByNodes = std::array<double, 3>;

size_t Column(int nodes) {
  return static_cast<size_t>(std::clamp(nodes, 1, 3) - 1);
}
template <class T, size_t n>
const T& At(const std::array<T, n>& table, GpuClass gpu) {
  return table[static_cast<size_t>(gpu)];
}

constexpr std::array<ByNodes, 4> kLlMax = {
    {{39.0, 39.0, 20.4}, {87.7, 22.5, 19.0}, {141.0, 45.0, 35.0}, {282.0, 90.0, 70.0}}};
constexpr std::array<double, 4> kRingLl128 = {20.0, 20.0, 36.7, 40.0};
constexpr std::array<ByNodes, 4> kTreeLl128 = {
    {{20, 20, 20}, {20, 20, 20}, {36.7, 36.7, 29.0}, {55.6, 31.67, 20.0}}};
constexpr std::array<ByNodes, 4> kTree = {
    {{26.5, 18.5, 10.0}, {24.0, 23.6, 17.8}, {38.7, 41.4, 36.0}, {70.0, 42.8, 24.0}}};
constexpr std::array<ByNodes, 4> kNvlsTree = {
    {{26.5, 18.5, 10.0}, {24.0, 23.6, 17.8}, {0, 57.7, 45.5}, {0, 96.0, 80.0}}};

// [algorithm][protocol]
constexpr std::array<ByProtocol, kNumNcclAlgorithms> kBase = {
    {{6.8, 14.0, 8.4}, {6.6, 14.0, 8.4}, {0, 0, 0}, {0, 0, 0}, {8.0, 8.0, 8.0}}};
// [medium][algorithm][protocol]
constexpr std::array<std::array<ByProtocol, kNumNcclAlgorithms>, 3> kHop = {{
    {{{0.6, 1.25, 4.0}, {0.6, 1.9, 3.4}, {0, 0, 25.0}, {0, 0, 25.0}, {0, 0, 4.0}}},
    {{{1.0, 1.9, 4.0}, {1.0, 2.5, 5.7}, {0, 0, 0}, {0, 0, 0}, {0, 0, 4.0}}},
    {{{5.0, 8.5, 14.0}, {2.7, 4.0, 14.0}, {0, 0, 18.0}, {0, 0, 20.9}, {0, 0, 14.0}}},
}};
constexpr std::array<std::array<double, 24>, kNumProtocols> kTreeCorrection = {{
    {1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1, 1},
    {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9},
}};

}  // namespace

GpuClass GpuClassOf(double compute_capability) {
  if (compute_capability < 8.0) return GpuClass::kVolta;
  if (compute_capability < 9.0) return GpuClass::kAmpere;
  return compute_capability < 10.0 ? GpuClass::kHopper : GpuClass::kBlackwell;
}

const char* Name(NcclAlgorithm algorithm) {
  constexpr std::array<const char*, kNumNcclAlgorithms> kNames = {"Tree", "Ring", "NVLS", "NVLSTree", "PAT"};
  return kNames[static_cast<size_t>(algorithm)];
}

double BaseLatency(NcclAlgorithm algorithm, Protocol protocol) {
  return kBase[static_cast<size_t>(algorithm)][static_cast<size_t>(protocol)];
}

double HopLatency(Medium medium, NcclAlgorithm algorithm, Protocol protocol) {
  return kHop[static_cast<size_t>(medium)][static_cast<size_t>(algorithm)][static_cast<size_t>(protocol)];
}

double NetOverhead(CpuVendor cpu) {
  return cpu == CpuVendor::kAmd ? 2.0 : 1.0;
}

double LlMaxBusBandwidth(GpuClass gpu, CpuVendor cpu, int nodes) {
  // On several nodes the row goes by CPU vendor, not by GPU.
  const GpuClass row = nodes == 1 ? gpu : cpu == CpuVendor::kAmd ? GpuClass::kAmpere : GpuClass::kVolta;
  return At(kLlMax, row)[Column(nodes)];
}

double RingLl128PerChannel(GpuClass gpu) {
  return At(kRingLl128, gpu);
}
double TreeLl128PerChannel(GpuClass gpu, int nodes) {
  return At(kTreeLl128, gpu)[Column(nodes)];
}
double TreePerChannel(GpuClass gpu, int nodes) {
  return At(kTree, gpu)[Column(nodes)];
}
double NvlsTreePerHead(GpuClass gpu, int nodes) {
  return At(kNvlsTree, gpu)[Column(nodes)];
}
double NvlsEfficiency(GpuClass gpu) {
  return gpu == GpuClass::kHopper ? 0.85 : gpu == GpuClass::kBlackwell ? 0.74 : 0;
}

double TreeCorrection(Protocol protocol, int64_t bytes) {
  const auto units = static_cast<uint64_t>(std::max<int64_t>(1, bytes / 64));
  return kTreeCorrection[static_cast<size_t>(protocol)]
                        [std::min<size_t>(23, static_cast<size_t>(std::bit_width(units)) - 1)];
}

const std::vector<double>& SearchSpeeds(GpuClass gpu, bool several_nodes) {
  using Speeds = std::vector<double>;
  static const auto* old_one = new Speeds{40, 30, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3};
  static const auto* old_more =
      new Speeds{48, 30, 28, 24, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3, 2.4, 1.2, .24, .12};
  static const auto* hopper_one = new Speeds{60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3};
  static const auto* hopper_more =
      new Speeds{48, 45, 42, 40, 30, 24, 22, 20, 17.5, 15, 12, 6, 3, 2.4, 1.2, .24, .12};
  static const auto* blackwell_one = new Speeds{90, 80, 70, 60, 50, 45, 40, 30, 24, 20, 19, 18};
  static const auto* blackwell_more =
      new Speeds{96, 86, 80, 48, 45.1, 42, 40, 30, 24, 22, 20, 17.5, 15, 12, 6, 3, 2.4, 1.2, .24, .12};
  switch (gpu) {
    case GpuClass::kHopper:
      return several_nodes ? *hopper_more : *hopper_one;
    case GpuClass::kBlackwell:
      return several_nodes ? *blackwell_more : *blackwell_one;
    default:
      return several_nodes ? *old_more : *old_one;
  }
}

double NvlinkPlanRate(double compute_capability) {
  if (compute_capability >= 10.0) return 40.1;
  if (compute_capability >= 9.0) return 20.6;
  if (std::abs(compute_capability - 8.6) < 0.01) return 12.0;
  return compute_capability >= 7.0 ? 20.0 : 18.0;
}

double PciePlanRate(int64_t generation, int64_t lanes) {
  // 0.1875 GB/s a lane for generation 1, doubling; an unknown generation counts as 3, no width as 16
  // (topo.cc).
  const int64_t known = generation >= 1 && generation <= 6 ? generation : 3;
  return 0.1875 * static_cast<double>(int64_t{1} << (known - 1)) *
         static_cast<double>(lanes > 0 ? lanes : 16);
}

double SocketPlanRate(CpuVendor cpu, double effective_rate) {
  if (cpu == CpuVendor::kAmd) return 16;
  if (cpu == CpuVendor::kArm) return 6;
  return effective_rate >= 38 ? 40 : effective_rate >= 26 ? 22 : effective_rate >= 15 ? 10 : 6;
}

}  // namespace stepsim::sim
