// Parameters of a GPU architecture that no data sheet has: how much of the peak its kernels reach. One file per architecture
// (configs/calibration/*.yaml), fitted on kernels; scaled to a card by its spec sheet. Meaning: docs/models/kernels.md.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/units.h"
#include "sim/config/catalogue.h"
#include "sim/config/schema.h"

namespace stepsim::sim {

struct Architecture;
const Schema<Architecture>& ArchitectureSchema();

// Rows × columns of the output that one CTA computes.
struct GemmTile {
  int64_t rows = 0;
  int64_t columns = 0;
};

struct GemmParameters {
  double flops_per_clock = 0;           // 16-bit tensor rate of one SM of a full-rate part of the architecture
  std::vector<GemmTile> tiles;          // tensor cores
  std::vector<GemmTile> vector_tiles;   // FP32 without tensor cores
  std::vector<int64_t> splits;          // of k over CTAs
  double tensor_efficiency = 0;
  double half_rate_efficiency = 0;      // parts that sell a reduced tensor rate: feed and issue no longer bind
  double fp32_efficiency = 0;           // of the sheet's FP32 rate, without tensor cores
  double unaligned_flops_per_clock = 0; // one SM, rows not a multiple of 16 bytes
  double operand_feed = 0;              // bytes per clock from L2 into one SM
  Duration tile_time;                   // prologue and epilogue of a 256 × 128 tile
  double tile_time_fixed_share = 0;     // of tile_time, the same for every tile
  double l2_share = 0;                  // of the L2, up to which an operand stays resident
  Duration launch;
  Duration split_time;
};

// Alternatives by the name of the board, since sheets of some boards quote a clock that they exceed.
struct BoardRule {
  std::string name_contains;  // of the catalogue name
  double rate_factor = 1;     // on the sheet's tensor rates
  double clock_factor = 1;    // on the sheet's boost clock
};

struct PowerParameters {
  double alone = 0;    // tensor demand at full rate and clock over the budget of the reference card, random data
  double in_step = 0;  // the same with the data of training
  double energy_per_flop = 1;         // relative to the reference card
  double reference_watts = 0;
  FlopsPerSecond reference_rate;
};

struct AttentionPass {
  int64_t query_rows = 0;             // of one head per CTA; 0: the pass has no kernel
  int64_t ctas_per_sm = 1;
  double tensor_efficiency = 0;       // of min(the card's rate, tensor_limit)
  double half_rate_efficiency = 0;    // on parts with a reduced tensor rate
  double tensor_limit = 0;            // FLOP per clock and SM of the instructions used; 0: the card's
  double exponentials = 0;            // per clock and SM; 0: hidden
  bool exponentials_overlap = false;  // beside matrix work instead of after it
  Duration cta_time;
  double tail = 0;                    // exposed share of the longest CTA, causal
  double side_passes = 0;             // further passes over one 16-bit tensor of the queries' size
  Duration launch;
};

struct AttentionKernels {
  AttentionPass forward;
  AttentionPass backward;
};

struct AttentionParameters {
  AttentionKernels flash1, flash2, flash3, cudnn;
};

struct MemoryClass {
  double share = 0;   // of the reference card's memory rate, large kernels
  Duration launch;    // ramp and drain
  Duration floor;     // never shorter
};

struct MemoryParameters {
  int64_t reference_sms = 0;           // card on which the shares were measured
  double reference_clock_mhz = 0;
  BytesPerSecond reference_rate;
  double reference_copy_efficiency = 0;
  std::map<std::string, double> copy_efficiency;  // of the sheet's rate, by memory type
  double l2_feed = 0;                  // bytes per clock and SM from L2
  double l2_resident_share = 0;        // working set over L2 up to which everything hits
  double l2_streaming_share = 0;       // … from which nothing hits
  std::map<std::string, MemoryClass> classes;
  std::map<std::string, Duration> fixed;  // kernels whose bytes do not matter
};

struct CopyParameters {
  double host_to_device = 0;  // share of the PCIe link's raw rate, pinned memory
  double device_to_host = 0;
  Duration host_to_device_launch;
  Duration device_to_host_launch;
};

struct Architecture {
  std::string name;         // "ada"
  std::string calibration;  // "calibrated" (fitted on this architecture's kernels) or "extrapolated"
  std::string based_on;     // file whose values hold where this one is silent; empty: none
  std::string basis;        // what it was fitted on, for people
  GemmParameters gemm;
  std::vector<BoardRule> boards;
  PowerParameters power;
  AttentionParameters attention;
  MemoryParameters memory;
  CopyParameters copies;
};

// configs/calibration/<name>.yaml laid over the file its `based_on` names.
absl::StatusOr<Architecture> LoadArchitecture(const Catalogue& catalogue, const std::string& name);

}  // namespace stepsim::sim
