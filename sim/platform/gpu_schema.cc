#include "sim/platform/gpu_schema.h"

#include "sim/base/status.h"

namespace stepsim::sim {
namespace {

// Nested mappings write into the one flat GpuSpec.
const Schema<GpuSpec>& RatesSchema() {
  static const auto* schema = new Schema<GpuSpec>(
      Schema<GpuSpec>("rates")
          .FlopRate("bf16", &GpuSpec::bf16, {.help = "dense BF16, FP32 accumulate: the peak of MFU"})
          .FlopRate("fp16", &GpuSpec::fp16, {.help = "dense FP16, FP32 accumulate"})
          .FlopRate("fp16_fp16_accumulate", &GpuSpec::fp16_fp16_accumulate, {.help = "dense FP16, FP16 accumulate"})
          .FlopRate("fp8", &GpuSpec::fp8, {.help = "dense FP8, FP32 accumulate"})
          .FlopRate("fp4", &GpuSpec::fp4, {.help = "dense FP4"})
          .FlopRate("tf32", &GpuSpec::tf32, {.help = "dense TF32"})
          .FlopRate("fp32", &GpuSpec::fp32, {.help = "vector units", .required = true, .positive = true}));
  return *schema;
}

const Schema<GpuSpec>& MemorySchema() {
  static const auto* schema = new Schema<GpuSpec>(
      Schema<GpuSpec>("memory")
          .Size("size", &GpuSpec::memory, {.help = "usable, as CUDA reports it", .required = true, .positive = true})
          .Text("type", &GpuSpec::memory_type, {.help = "HBM2e, GDDR6 ECC, …", .required = true})
          .ByteRate("rate", &GpuSpec::memory_rate, {.help = "peak", .required = true, .positive = true})
          .Size("l2", &GpuSpec::l2, {.help = "last-level cache on the die", .required = true, .positive = true}));
  return *schema;
}

const Schema<GpuSpec>& NvlinkSchema() {
  static const auto* schema = new Schema<GpuSpec>(
      Schema<GpuSpec>("nvlink")
          .Integer("generation", &GpuSpec::nvlink_generation, {.help = "NVLink or Infinity Fabric", .required = true, .min = 1})
          .Integer("links", &GpuSpec::nvlink_links, {.help = "links of the GPU", .required = true, .min = 1})
          .ByteRate("rate", &GpuSpec::nvlink_rate,
                    {.help = "all links, one direction", .required = true, .positive = true})
          .Text("link", &GpuSpec::nvlink_link, {.help = "row of configs/links", .required = true}));
  return *schema;
}

const Schema<GpuSpec>& PcieSchema() {
  static const auto* schema = new Schema<GpuSpec>(
      Schema<GpuSpec>("pcie")
          .Integer("generation", &GpuSpec::pcie_generation, {.help = "", .required = true, .min = 1, .max = 6})
          .Integer("lanes", &GpuSpec::pcie_lanes, {.help = "", .required = true, .min = 1, .max = 16})
          .Boolean("peer_to_peer", &GpuSpec::pcie_peer_to_peer,
                   {.help = "whether the driver lets two cards copy directly", .required = true}));
  return *schema;
}

// Read into the flat struct by the nested schema.
Schema<GpuSpec>::ReadFunction Nested(const Schema<GpuSpec>& schema) {
  return [&schema](const ConfigNode& node, GpuSpec* out, Diagnostics* problems) { schema.Read(node, out, problems); };
}

void ReadSource(const ConfigNode& node, GpuSpec*, Diagnostics* problems) { internal::ReadText(node, Field{}, problems); }

}  // namespace

const Schema<GpuSpec>& GpuSchema() {
  static const auto* schema = new Schema<GpuSpec>(
      Schema<GpuSpec>("gpu")
          .Text("name", &GpuSpec::name, {.help = "catalogue name", .required = true})
          .Text("display_name", &GpuSpec::display_name, {.help = "name as marketed", .required = true})
          .Choice("vendor", &GpuSpec::vendor, {{"NVIDIA", "NVIDIA"}, {"AMD", "AMD"}}, {.help = "maker", .required = true})
          .Text("architecture", &GpuSpec::architecture, {.help = "row of configs/calibration", .required = true})
          .Number("compute_capability", &GpuSpec::compute_capability, {.help = "8.0, 8.9, …; absent on AMD", .min = 0})
          .Integer("sms", &GpuSpec::sms, {.help = "streaming multiprocessors or compute units", .required = true, .min = 1})
          .Number("boost_mhz", &GpuSpec::boost_mhz, {.help = "highest clock", .required = true, .positive = true})
          .Number("tdp_watts", &GpuSpec::tdp_watts, {.help = "power limit", .required = true, .positive = true})
          .Custom("rates", Nested(RatesSchema()), RatesSchema().ToJson(), {.help = "peak rates", .required = true})
          .Custom("memory", Nested(MemorySchema()), MemorySchema().ToJson(), {.help = "device memory", .required = true})
          .Custom("nvlink", Nested(NvlinkSchema()), NvlinkSchema().ToJson(), {.help = "absent: none"})
          .Custom("pcie", Nested(PcieSchema()), PcieSchema().ToJson(), {.help = "host link", .required = true})
          .Number("price_usd", &GpuSpec::price_usd, {.help = "of one card; absent: unknown", .positive = true})
          .Custom("source", ReadSource, {{"type", "string"}}, {.help = "where the numbers come from", .required = true}));
  return *schema;
}

absl::StatusOr<GpuSpec> LoadGpu(const Catalogue& catalogue, const std::string& name) {
  SIM_ASSIGN_OR_RETURN(const ConfigNode node, catalogue.Load("gpus", name));
  return ReadWith(GpuSchema(), node);
}

}  // namespace stepsim::sim
