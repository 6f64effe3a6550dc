#include "sim/run/result_json.h"

namespace stepsim::sim {
namespace {

using Json = nlohmann::ordered_json;

double Gib(Bytes bytes) { return bytes.value() / (1 << 30); }

Json KernelsJson(const Result& r) {
  Json json = Json::object();
  for (size_t i = 0; i < r.kernels.size(); ++i) {
    if (r.kernels[i].count == 0) continue;
    json[Name(static_cast<KernelCategory>(i))] = {{"count", r.kernels[i].count}, {"time_s", r.kernels[i].time_s}};
  }
  return json;
}

Json MemoryJson(const MemoryResult& memory) {
  Json parts = Json::object();
  for (size_t i = 0; i < memory.parts.size(); ++i) {
    if (memory.parts[i].count() > 0) parts[Name(static_cast<MemoryPart>(i))] = Gib(memory.parts[i]);
  }
  return {{"peak_gib", Gib(memory.peak)},         {"fits", memory.fits},
          {"context_gib", Gib(memory.context)},   {"capacity_gib", Gib(memory.capacity)},
          {"peak_moment", memory.moment},         {"peak_rank", memory.rank.value()},
          {"parts_gib", parts}};
}

Json CollectivesJson(const Result& r) {
  Json list = Json::array();
  for (const CollectiveUse& use : r.collectives) {
    list.push_back({{"kind", use.kind},
                    {"algorithm", use.algorithm},
                    {"protocol", use.protocol},
                    {"count", use.count},
                    {"gib", Gib(use.bytes)},
                    {"time_s", use.time_s},
                    {"busbw_gb_per_s", use.busbw_gbps},
                    {"limited_by", use.limited_by}});
  }
  return list;
}

Json LinksJson(const Result& r) {
  Json list = Json::array();
  for (const LinkUse& use : r.busiest_links) {
    list.push_back({{"link", use.name}, {"kind", Name(use.kind)}, {"utilisation", use.utilisation}, {"gib", Gib(use.bytes)}});
  }
  return list;
}

void AddCost(const Result& r, Json* json) {
  if (r.price_per_gpu_hour_usd <= 0) return;
  const double per_hour = r.price_per_gpu_hour_usd * static_cast<double>(r.gpus);
  (*json)["cost"] = {{"usd_per_hour", per_hour},
                     {"usd_per_step", per_hour / 3600 * r.step_time_s},
                     {"usd_per_million_tokens", r.tokens_per_s > 0 ? per_hour / 3600 / r.tokens_per_s * 1e6 : 0.0}};
}

}  // namespace

Json ToJson(const Result& r, const std::string& version) {
  Json json = {{"name", r.name},
               {"cluster", r.cluster},
               {"gpu", r.gpu_name},
               {"gpus", r.gpus},
               {"step_time_s", r.step_time_s},
               {"tokens_per_s", r.tokens_per_s},
               {"tokens_per_s_per_gpu", r.tokens_per_s_per_gpu},
               {"samples_per_s", r.samples_per_s},
               {"mfu", r.mfu},
               {"mfu_causal", r.mfu_causal},
               {"hfu", r.hfu},
               {"model_tflops_per_gpu", r.model_tflops_per_gpu},
               {"communication_share", r.communication_share},
               {"transfer_share", r.transfer_share},
               {"exposed_communication_share", r.exposed_communication_share},
               {"kernels", KernelsJson(r)}};
  json["time_s"] = {{"compute", r.compute_s},
                    {"communication", r.communication_s},
                    {"exposed_communication", r.exposed_communication_s},
                    {"host_bound", r.host_bound_s},
                    {"pipeline_bubble", r.pipeline_bubble_s},
                    {"optimizer", r.optimizer_s},
                    {"idle", r.idle_s}};
  json["utilisation"] = {{"gpu", r.gpu_utilisation},       {"sm", r.sm_utilisation},     {"hbm", r.memory_utilisation},
                         {"nvlink", r.nvlink_utilisation}, {"pcie", r.pcie_utilisation}, {"nic", r.nic_utilisation}};
  json["busiest_links"] = LinksJson(r);
  json["collectives"] = CollectivesJson(r);
  json["memory"] = MemoryJson(r.memory);
  json["bottleneck"] = {{"kind", r.bottleneck.kind}, {"detail", r.bottleneck.detail}, {"share", r.bottleneck.share}, {"link", r.bottleneck.link}};
  json["energy"] = {{"joules_per_token", r.joules_per_token}, {"watts_per_gpu", r.watts_per_gpu}};
  AddCost(r, &json);
  json["calibration"] = r.calibration;
  json["warnings"] = r.warnings;
  json["simulator"] = {{"version", version},
                       {"wall_s", r.wall_s},
                       {"events", r.events},
                       {"ranks_simulated", r.ranks_simulated},
                       {"ranks_represented", r.ranks_represented},
                       {"seed", r.seed},
                       {"scenario_hash", r.scenario_hash}};
  return json;
}

}  // namespace stepsim::sim
