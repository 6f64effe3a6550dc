// Constants of NCCL's planner: link rates it assumes, latencies and bandwidth caps of its tuner, speeds its
// search tries. Facts of NVIDIA/nccl v2.30.7-1, src/graph/{tuning.cc,topo.h,search.cc}. GB/s (1e9 B/s) and
// microseconds, as there.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/collective/protocol.h"
#include "sim/platform/platform.h"

namespace stepsim::sim {

// By compute capability: below 8, 8.x (Ada too), 9.x, 10 and above.
enum class GpuClass : uint8_t { kVolta, kAmpere, kHopper, kBlackwell };
GpuClass GpuClassOf(double compute_capability);

enum class NcclAlgorithm : uint8_t { kTree, kRing, kNvls, kNvlsTree, kPat };
constexpr int kNumNcclAlgorithms = 5;
const char* Name(NcclAlgorithm algorithm);

enum class Medium : uint8_t { kNvlink, kPci, kNetwork };

double BaseLatency(NcclAlgorithm algorithm, Protocol protocol);
double HopLatency(Medium medium, NcclAlgorithm algorithm, Protocol protocol);
// What posting a network step costs; the floor of every ring hop on several nodes (× 3 for Simple).
double NetOverhead(CpuVendor cpu);

// Columns of the caps: one node, two nodes, more.
double LlMaxBusBandwidth(GpuClass gpu, CpuVendor cpu, int nodes);
double RingLl128PerChannel(GpuClass gpu);
double TreeLl128PerChannel(GpuClass gpu, int nodes);
double TreePerChannel(GpuClass gpu, int nodes);
double NvlsTreePerHead(GpuClass gpu, int nodes);
double NvlsEfficiency(GpuClass gpu);
// Factor on the bandwidth of tree all-reduce by log2(size / 64 B).
double TreeCorrection(Protocol protocol, int64_t bytes);

// Per-channel speeds of the search, fastest first.
const std::vector<double>& SearchSpeeds(GpuClass gpu, bool several_nodes);

double NvlinkPlanRate(double compute_capability);  // one link, one direction
double PciePlanRate(int64_t generation, int64_t lanes);
// Rate assumed between two sockets. NCCL knows Intel's generations by CPU model; here the effective rate of
// the link tells them apart (Skylake 18, Sapphire Rapids 30, Emerald Rapids 40 GB/s).
double SocketPlanRate(CpuVendor cpu, double effective_rate);

}  // namespace stepsim::sim
