// How calibration files are written: field, unit, meaning.
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "sim/compute/architecture.h"

namespace stepsim::sim {
namespace {

Field Required(const char* help) { return {.help = help, .required = true}; }
Field RequiredPositive(const char* help) { return {.help = help, .required = true, .positive = true}; }
Field RequiredShare(const char* help) { return {.help = help, .required = true, .min = 0, .max = 1}; }

// "256x128"
std::optional<GemmTile> ReadTile(const ConfigNode& node, Diagnostics* problems) {
  const std::vector<std::string> parts = absl::StrSplit(node.is_scalar() ? node.text() : std::string(), 'x');
  GemmTile tile;
  if (parts.size() == 2 && absl::SimpleAtoi(parts[0], &tile.rows) && absl::SimpleAtoi(parts[1], &tile.columns) &&
      tile.rows > 0 && tile.rows <= 4096 && tile.columns > 0 && tile.columns <= 4096) {
    return tile;
  }
  problems->Add(node.position(), "expected a tile such as 256x128 (rows x columns, each 1 to 4096)");
  return std::nullopt;
}

auto ReadTiles(std::vector<GemmTile> GemmParameters::*member) {
  return [member](const ConfigNode& node, GemmParameters* out, Diagnostics* problems) {
    if (!internal::ExpectSequence(node, problems)) return;
    for (const ConfigNode& item : node.items()) {
      if (const auto tile = ReadTile(item, problems)) (out->*member).push_back(*tile);
    }
    if (node.items().empty()) problems->Add(node.position(), "expected at least one tile");
  };
}

void ReadSplits(const ConfigNode& node, GemmParameters* out, Diagnostics* problems) {
  if (!internal::ExpectSequence(node, problems)) return;
  const Field field{.min = 1, .max = 64};
  for (const ConfigNode& item : node.items()) {
    if (const auto split = internal::ReadInteger(item, field, problems)) out->splits.push_back(*split);
  }
  if (node.items().empty()) problems->Add(node.position(), "expected at least the split 1");
}

nlohmann::json ListJson(const char* type) { return {{"type", "array"}, {"items", {{"type", type}}}}; }
nlohmann::json MapJson(const char* type) { return {{"type", "object"}, {"additionalProperties", {{"type", type}}}}; }

const Schema<GemmParameters>& GemmSchema() {
  using P = GemmParameters;
  static const auto* schema = new Schema<P>(Schema<P>("gemm")
      .Number("flops_per_clock", &P::flops_per_clock, RequiredPositive("16-bit tensor FLOP per clock and SM, full-rate parts"))
      .Custom("tiles", ReadTiles(&P::tiles), ListJson("string"), Required("rows x columns of a CTA, tensor cores"))
      .Custom("vector_tiles", ReadTiles(&P::vector_tiles), ListJson("string"), Required("the same for FP32 without tensor cores"))
      .Custom("splits", ReadSplits, ListJson("integer"), Required("over how many CTAs k may be split"))
      .Number("tensor_efficiency", &P::tensor_efficiency, RequiredShare("of the tensor rate at the clock reached"))
      .Number("half_rate_efficiency", &P::half_rate_efficiency, RequiredShare("the same on parts sold with a reduced tensor rate"))
      .Number("fp32_efficiency", &P::fp32_efficiency, RequiredShare("of the sheet's FP32 rate without tensor cores"))
      .Number("unaligned_flops_per_clock", &P::unaligned_flops_per_clock, RequiredPositive("FLOP per clock and SM, rows not 16-byte aligned"))
      .Number("operand_feed", &P::operand_feed, RequiredPositive("bytes per clock from L2 into an SM"))
      .Time("tile_time", &P::tile_time, Required("prologue and epilogue of a 256x128 tile"))
      .Number("tile_time_fixed_share", &P::tile_time_fixed_share, RequiredShare("of tile_time that does not scale with the tile"))
      .Number("l2_share", &P::l2_share, RequiredShare("of the L2, up to which an operand stays resident"))
      .Time("launch", &P::launch, Required("start and drain of the kernel"))
      .Time("split_time", &P::split_time, Required("reduction over split k, beside its bytes")));
  return *schema;
}

const Schema<BoardRule>& BoardSchema() {
  using P = BoardRule;
  static const auto* schema = new Schema<P>(Schema<P>("board rule")
      .Text("name_contains", &P::name_contains, Required("part of the card's catalogue name"))
      .Number("rate_factor", &P::rate_factor, {.help = "on the sheet's tensor rates", .positive = true})
      .Number("clock_factor", &P::clock_factor, {.help = "on the sheet's boost clock", .positive = true}));
  return *schema;
}

const Schema<PowerParameters>& PowerSchema() {
  using P = PowerParameters;
  static const auto* schema = new Schema<P>(Schema<P>("power")
      .Number("alone", &P::alone, RequiredPositive("tensor demand at full rate over the power budget, random data"))
      .Number("in_step", &P::in_step, RequiredPositive("the same with the data of training"))
      .Number("energy_per_flop", &P::energy_per_flop, {.help = "relative to the reference card", .positive = true})
      .Number("reference_watts", &P::reference_watts, RequiredPositive("power limit of the reference card"))
      .FlopRate("reference_rate", &P::reference_rate, RequiredPositive("its tensor rate at the clock reached")));
  return *schema;
}

const Schema<AttentionPass>& PassSchema() {
  using P = AttentionPass;
  static const auto* schema = new Schema<P>(Schema<P>("attention pass")
      .Integer("query_rows", &P::query_rows, {.help = "of one head per CTA", .required = true, .min = 1})
      .Integer("ctas_per_sm", &P::ctas_per_sm, {.help = "resident at once", .required = true, .min = 1})
      .Number("tensor_efficiency", &P::tensor_efficiency, RequiredPositive("of the tensor rate; above 1 where softmax overlaps"))
      .Number("half_rate_efficiency", &P::half_rate_efficiency, RequiredPositive("on parts with a reduced tensor rate"))
      .Number("tensor_limit", &P::tensor_limit, {.help = "FLOP per clock and SM of the instructions; 0: the card's", .min = 0})
      .Number("exponentials", &P::exponentials, {.help = "per clock and SM; 0: hidden", .min = 0})
      .Boolean("exponentials_overlap", &P::exponentials_overlap, {.help = "beside matrix work instead of after it"})
      .Time("cta_time", &P::cta_time, Required("start and end of a CTA"))
      .Number("tail", &P::tail, {.help = "exposed share of the longest CTA, causal", .required = true, .min = 0})
      .Number("side_passes", &P::side_passes, {.help = "further passes over a 16-bit tensor of the queries' size", .min = 0})
      .Time("launch", &P::launch, Required("start and drain of the kernel")));
  return *schema;
}

const Schema<AttentionKernels>& KernelsSchema() {
  using P = AttentionKernels;
  static const auto* schema = new Schema<P>(Schema<P>("attention kernels")
      .Struct("forward", &P::forward, PassSchema(), {.required = true})
      .Struct("backward", &P::backward, PassSchema(), {.required = true}));
  return *schema;
}

// `none` takes away what the file below has.
auto ReadKernels(AttentionKernels AttentionParameters::*member) {
  return [member](const ConfigNode& node, AttentionParameters* out, Diagnostics* problems) {
    if (node.is_scalar() && node.text() == "none") return;
    KernelsSchema().Read(node, &(out->*member), problems);
  };
}

nlohmann::json KernelsJson() { return {{"anyOf", {KernelsSchema().ToJson(), {{"const", "none"}}}}}; }

const Schema<AttentionParameters>& AttentionSchema() {
  using P = AttentionParameters;
  static const auto* schema = new Schema<P>(Schema<P>("attention")
      .Custom("flash1", ReadKernels(&P::flash1), KernelsJson(), {.help = "FlashAttention"})
      .Custom("flash2", ReadKernels(&P::flash2), KernelsJson(), {.help = "FlashAttention-2"})
      .Custom("flash3", ReadKernels(&P::flash3), KernelsJson(), {.help = "FlashAttention-3"})
      .Custom("cudnn", ReadKernels(&P::cudnn), KernelsJson(), {.help = "fused attention of cuDNN"}));
  return *schema;
}

const Schema<MemoryClass>& ClassSchema() {
  using P = MemoryClass;
  static const auto* schema = new Schema<P>(Schema<P>("memory class")
      .Number("share", &P::share, {.help = "of the reference card's memory rate", .required = true, .max = 1.2, .positive = true})
      .Time("launch", &P::launch, Required("ramp and drain"))
      .Time("floor", &P::floor, {.help = "never shorter"}));
  return *schema;
}

void ReadClasses(const ConfigNode& node, MemoryParameters* out, Diagnostics* problems) {
  if (!internal::ExpectMapping(node, problems)) return;
  for (const auto& [name, value] : node.fields()) ClassSchema().Read(value, &out->classes[name], problems);
}

void ReadFixed(const ConfigNode& node, MemoryParameters* out, Diagnostics* problems) {
  if (!internal::ExpectMapping(node, problems)) return;
  for (const auto& [name, value] : node.fields()) {
    if (const auto time = internal::ReadDuration(value, Field{}, problems)) out->fixed[name] = *time;
  }
}

void ReadCopyEfficiency(const ConfigNode& node, MemoryParameters* out, Diagnostics* problems) {
  if (!internal::ExpectMapping(node, problems)) return;
  const Field field{.max = 1, .positive = true};
  for (const auto& [name, value] : node.fields()) {
    if (const auto share = internal::ReadNumber(value, field, problems)) out->copy_efficiency[name] = *share;
  }
}

const Schema<MemoryParameters>& MemorySchema() {
  using P = MemoryParameters;
  nlohmann::json classes = {{"type", "object"}, {"additionalProperties", ClassSchema().ToJson()}};
  static const auto* schema = new Schema<P>(Schema<P>("memory")
      .Integer("reference_sms", &P::reference_sms, {.help = "SMs of the card the shares were measured on", .required = true, .min = 1})
      .Number("reference_clock_mhz", &P::reference_clock_mhz, RequiredPositive("its clock"))
      .ByteRate("reference_rate", &P::reference_rate, RequiredPositive("its memory rate by the sheet"))
      .Number("reference_copy_efficiency", &P::reference_copy_efficiency, RequiredShare("share of it that a plain copy reaches"))
      .Custom("copy_efficiency", ReadCopyEfficiency, MapJson("number"), Required("of the sheet's rate, by memory type"))
      .Number("l2_feed", &P::l2_feed, RequiredPositive("bytes per clock and SM from L2"))
      .Number("l2_resident_share", &P::l2_resident_share, RequiredShare("working set over L2 up to which everything hits"))
      .Number("l2_streaming_share", &P::l2_streaming_share, RequiredShare("the same from which nothing hits"))
      .Custom("classes", ReadClasses, classes, Required("by kernel class"))
      .Custom("fixed", ReadFixed, MapJson("string"), Required("time of kernels whose bytes do not matter"))
      .Check([](const ConfigNode& node, const P& value, Diagnostics* problems) {
        if (value.l2_streaming_share <= value.l2_resident_share) {
          problems->Add(node["l2_streaming_share"].position(), "expected more than l2_resident_share");
        }
      }));
  return *schema;
}

const Schema<CopyParameters>& CopySchema() {
  using P = CopyParameters;
  static const auto* schema = new Schema<P>(Schema<P>("copies")
      .Number("host_to_device", &P::host_to_device, RequiredShare("of the PCIe link's raw rate, pinned memory"))
      .Number("device_to_host", &P::device_to_host, RequiredShare("of the PCIe link's raw rate, pinned memory"))
      .Time("host_to_device_launch", &P::host_to_device_launch, Required("of a small copy"))
      .Time("device_to_host_launch", &P::device_to_host_launch, Required("of a small copy")));
  return *schema;
}

}  // namespace

const Schema<Architecture>& ArchitectureSchema() {
  using P = Architecture;
  static const auto* schema = new Schema<P>(Schema<P>("architecture")
      .Text("name", &P::name, Required("name of the file"))
      .Choice("calibration", &P::calibration, {{"calibrated", "calibrated"}, {"extrapolated", "extrapolated"}},
              Required("whether this architecture's own kernels were fitted"))
      .Text("based_on", &P::based_on, {.help = "calibration file whose values hold where this one is silent"})
      .Text("basis", &P::basis, Required("what it was fitted on"))
      .Struct("gemm", &P::gemm, GemmSchema(), {.required = true})
      .List("boards", &P::boards, BoardSchema(), {.help = "the first that matches holds"})
      .Struct("power", &P::power, PowerSchema(), {.required = true})
      .Struct("attention", &P::attention, AttentionSchema(), {.required = true})
      .Struct("memory", &P::memory, MemorySchema(), {.required = true})
      .Struct("copies", &P::copies, CopySchema(), {.required = true}));
  return *schema;
}

}  // namespace stepsim::sim
