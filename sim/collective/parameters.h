// Constants of the time of collectives that NCCL's own tables do not hold. Where each comes from:
// docs/models/collectives.md.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace stepsim::sim {

// Copies between GPUs that the driver does not let copy directly over PCIe, rates in bytes/s.
struct StagingParameters {
  // A byte staged through host memory is written to DRAM and read back, and reads are non-posted: a
  // resistance in series with the PCIe port, 1/d = 1/PCIe + 1/turn_around, and + 1/across_sockets when the
  // hop crosses sockets. Both directions busy. Set by the bus bandwidth of 4 (35 GB/s) and 8 (28 GB/s) RTX
  // 5090 on PCIe 5.0 (NVIDIA/nccl issue 1639); three A100-PCIe (20 GB/s, nccl-tests issue 178) and two H200
  // over shared memory (33 GB/s, measured) agree to 5 %.
  double turn_around = 103e9;
  double across_sockets = 140e9;
  // One direction only, as a broadcast between two GPUs: share of PCIe (two H200: 50 of 53 GB/s).
  double one_way_share = 0.95;
  // Channels of all-to-all reach this share of a ring's staged rate (two H200, measured).
  double pairwise_share = 0.75;
  // Direct copies through a root complex, share of PCIe within a socket and across (middle of published
  // ranges, no row).
  double root_complex_share = 0.75;
  double root_complex_across_share = 0.60;
};
inline constexpr StagingParameters kStaging;

// Terms of T_dev beside NCCL's latency tables. Fitted together on 381 single-node rows (published nccl-tests
// tables and sweeps measured on two H200) unless said otherwise; microseconds.
struct TimingParameters {
  double launch_us = 3.3;          // between NCCL's base latency and an event-timed call
  double all_reduce_copies = 2.0;  // HBM accesses per byte of the last local copy, which overlaps no transfer
  double gather_copies = 3.2;      // all-gather and reduce-scatter, out of place
  double all_to_all_copies = 1.0;
  double memory_share = 0.9;    // of the HBM rate
  double ll128_hop_us = 1.8;    // added per LL128 hop in a node: flag polling
  double fill_chunks = 1.10;    // Simple over NVLink: chunk times until the ring streams …
  double fill_half_size = 3.9;  // … half of it at channels × chunk × this × 2 / ranks
  double pipelined_share =
      0.25;  // broadcast and reduce move one step at a time, not four: a quarter of the fill
  double pairwise_start_us = 0.8;  // all-to-all: per peer beyond the first
  double one_connection_share =
      0.81;  // of a NIC that a single send/recv connection reaches (published point-to-point rows)
};
inline constexpr TimingParameters kTiming;

// Software and start-up costs of a fabric beyond NCCL's network hop. By hand from multi-node rows of each
// fabric.
struct FabricTiming {
  double hop_us = 0;    // added to each inter-node hop
  double fixed_us = 0;  // once a call
  double fill_us = 0;   // grows to this with size: fill × (1 - exp(-S / fill_mib))
  double fill_mib = 1;
};

// protocol: as in Fabric::protocol. Unimplemented for one without parameters.
absl::StatusOr<FabricTiming> FabricTimingOf(const std::string& protocol);

}  // namespace stepsim::sim
