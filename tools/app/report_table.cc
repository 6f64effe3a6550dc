#include "tools/app/report_table.h"

#include <algorithm>
#include <functional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "sim/config/quantity.h"

namespace stepsim::app {
namespace {

using sim::Result;

// Columns that a terminal shows: UTF-8 continuation bytes take none.
size_t Width(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string Percent(double share) { return absl::StrFormat("%.1f %%", 100 * share); }
std::string Seconds(double s) { return s >= 1 ? absl::StrFormat("%.3f s", s) : absl::StrFormat("%.1f ms", s * 1e3); }
std::string Thousands(double value) {
  std::string digits = absl::StrFormat("%.0f", value);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

struct Row {
  const char* name;
  std::function<std::string(const Result&)> text;
  std::function<double(const Result&)> value;  // for the ratio; empty: none
};

const std::vector<Row>& Rows() {
  static const auto* rows = new std::vector<Row>{
      {"GPUs", [](const Result& r) { return absl::StrCat(r.gpus, " × ", r.gpu_name); }, nullptr},
      {"step time", [](const Result& r) { return Seconds(r.step_time_s); }, [](const Result& r) { return r.step_time_s; }},
      {"tokens/s", [](const Result& r) { return Thousands(r.tokens_per_s); }, [](const Result& r) { return r.tokens_per_s; }},
      {"tokens/s/GPU", [](const Result& r) { return Thousands(r.tokens_per_s_per_gpu); },
       [](const Result& r) { return r.tokens_per_s_per_gpu; }},
      {"MFU", [](const Result& r) { return Percent(r.mfu); }, nullptr},
      {"HFU (with recompute)", [](const Result& r) { return Percent(r.hfu); }, nullptr},
      {"compute", [](const Result& r) { return Seconds(r.compute_s); }, [](const Result& r) { return r.compute_s; }},
      {"communication share", [](const Result& r) { return Percent(r.communication_share); }, nullptr},
      {"  exposed", [](const Result& r) { return Percent(r.exposed_communication_share); }, nullptr},
      {"host-bound", [](const Result& r) { return Percent(r.host_bound_s / r.step_time_s); }, nullptr},
      {"GPU utilisation", [](const Result& r) { return Percent(r.gpu_utilisation); }, nullptr},
      {"SM utilisation", [](const Result& r) { return Percent(r.sm_utilisation); }, nullptr},
      {"GPU memory bandwidth", [](const Result& r) { return Percent(r.memory_utilisation); }, nullptr},
      {"NVLink (mean link)", [](const Result& r) { return Percent(r.nvlink_utilisation); }, nullptr},
      {"PCIe (mean link)", [](const Result& r) { return Percent(r.pcie_utilisation); }, nullptr},
      {"NIC (mean link)", [](const Result& r) { return Percent(r.nic_utilisation); }, nullptr},
      {"peak memory", [](const Result& r) { return sim::FormatBytes(r.memory.peak); }, nullptr},
      {"  of", [](const Result& r) { return absl::StrCat(sim::FormatBytes(r.memory.capacity), r.memory.fits ? "" : " DOES NOT FIT"); },
       nullptr},
      {"power per GPU", [](const Result& r) { return absl::StrFormat("%.0f W", r.watts_per_gpu); }, nullptr},
      {"energy per token", [](const Result& r) { return absl::StrFormat("%.3f J", r.joules_per_token); },
       [](const Result& r) { return r.joules_per_token; }},
      {"bound by", [](const Result& r) { return absl::StrCat(r.bottleneck.kind, " ", Percent(r.bottleneck.share)); }, nullptr},
      {"calibration", [](const Result& r) { return r.calibration; }, nullptr}};
  return *rows;
}

}  // namespace

std::string AlignedTable(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], Width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string pad(width[i] - Width(row[i]), ' ');
      absl::StrAppend(&line, i == 0 ? "" : "  ", i == 0 ? absl::StrCat(row[i], pad) : absl::StrCat(pad, row[i]));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, line, "\n");
  }
  return text;
}

std::string ResultTable(const std::vector<Result>& results) {
  std::vector<std::vector<std::string>> rows = {{""}};
  for (size_t i = 0; i < results.size(); ++i) {
    rows[0].push_back(results[i].name);
    if (i > 0) rows[0].push_back("ratio");
  }
  for (const Row& row : Rows()) {
    std::vector<std::string> cells = {row.name};
    for (size_t i = 0; i < results.size(); ++i) {
      cells.push_back(row.text(results[i]));
      if (i == 0) continue;
      const double base = row.value ? row.value(results[0]) : 0;
      cells.push_back(base > 0 ? absl::StrFormat("%.2f", row.value(results[i]) / base) : "");
    }
    rows.push_back(std::move(cells));
  }
  return AlignedTable(rows);
}

std::string ResultDetails(const Result& r) {
  std::string text = absl::StrCat("bound by ", r.bottleneck.kind, ": ", r.bottleneck.detail, " (", Percent(r.bottleneck.share),
                                  " of the step)\n");
  if (!r.bottleneck.link.empty()) absl::StrAppend(&text, "bottleneck link: ", r.bottleneck.link, "\n");
  for (const sim::CollectiveUse& use : r.collectives) {
    absl::StrAppend(&text, absl::StrFormat("%s: %d calls, %s, %s/%s, %s in transfer, busbw %.1f GB/s, limited by %s\n", use.kind,
                                           use.count, sim::FormatBytes(use.bytes), use.algorithm, use.protocol,
                                           Seconds(use.time_s), use.busbw_gbps, use.limited_by));
  }
  for (const sim::LinkUse& use : r.busiest_links) {
    absl::StrAppend(&text, "busiest ", sim::Name(use.kind), " link: ", use.name, ", ", Percent(use.utilisation), "\n");
  }
  for (const std::string& warning : r.warnings) absl::StrAppend(&text, "warning: ", warning, "\n");
  return text;
}

}  // namespace stepsim::app
