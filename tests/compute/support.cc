#include "support.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "sim/base/check.h"
#include "sim/platform/gpu_schema.h"

namespace stepsim::sim {
namespace {

// Quoted fields may hold commas; none of the tables has quotes or line breaks within fields.
std::vector<std::string> Split(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) fields.emplace_back();
    if (c != '"' && (c != ',' || quoted) && c != '\r') fields.back() += c;
  }
  return fields;
}

Architecture Load(const std::string& name) {
  absl::StatusOr<Architecture> architecture = LoadArchitecture(Configs(), name);
  SIM_CHECK(architecture.ok()) << architecture.status().ToString();
  return *std::move(architecture);
}

}  // namespace

Catalogue Configs() { return Catalogue(std::string(STEPSIM_SOURCE_DIR) + "/configs"); }

ComputeModel ModelOfCard(const std::string& gpu) {
  absl::StatusOr<GpuSpec> spec = LoadGpu(Configs(), gpu);
  SIM_CHECK(spec.ok()) << spec.status().ToString();
  Architecture architecture = Load(spec->architecture);
  return ComputeModel(*std::move(spec), std::move(architecture));
}

GpuSpec H200() {
  GpuSpec spec;
  spec.name = "h200-sxm";
  spec.architecture = "hopper";
  spec.sms = 132;
  spec.boost_mhz = 1980;
  spec.bf16 = spec.fp16 = FlopsPerSecond(989.4e12);
  spec.fp8 = FlopsPerSecond(1978.9e12);
  spec.tf32 = FlopsPerSecond(494.7e12);
  spec.fp32 = FlopsPerSecond(66.9e12);
  spec.memory_type = "HBM3e";
  spec.memory_rate = BytesPerSecond(4.8e12);
  spec.l2 = Bytes(50'000'000);
  spec.tdp_watts = 700;
  spec.pcie_generation = 5;
  spec.pcie_lanes = 16;
  return spec;
}

ComputeModel H200Model() { return ComputeModel(H200(), Load("hopper")); }

Kernel Gemm(int64_t m, int64_t n, int64_t k, DType dtype, int64_t batch) {
  Kernel kernel;
  kernel.kind = KernelKind::kGemm;
  kernel.dtype = dtype;
  kernel.m = m;
  kernel.n = n;
  kernel.k = k;
  kernel.batch = batch;
  return kernel;
}

Kernel Attention(AttentionBackend backend, bool backward, int64_t sequences, int64_t heads, int64_t sequence, int64_t head_dim,
                 bool causal) {
  Kernel kernel;
  kernel.kind = KernelKind::kAttention;
  kernel.backend = backend;
  kernel.backward = backward;
  kernel.sequences = sequences;
  kernel.heads = kernel.kv_heads = heads;
  kernel.sequence = sequence;
  kernel.head_dim = head_dim;
  kernel.causal = causal;
  return kernel;
}

Kernel Memory(const std::string& kernel_class, double bytes) {
  Kernel kernel;
  kernel.kernel_class = kernel_class;
  kernel.read = Bytes(static_cast<int64_t>(bytes));
  return kernel;
}

std::vector<Row> Measurements(const std::string& path) {
  std::ifstream file(std::string(STEPSIM_SOURCE_DIR) + "/../shared/" + path);
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> header = Split(line);
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = Split(line);
    Row row;
    for (size_t i = 0; i < std::min(header.size(), fields.size()); ++i) row[header[i]] = fields[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

double NumberOf(const Row& row, const std::string& column) {
  const auto found = row.find(column);
  double value = 0;
  return found != row.end() && absl::SimpleAtod(found->second, &value) ? value : 0;
}

double Errors::Percentile(double share) const {
  std::vector<double> sorted;
  for (const double percent : percent_) sorted.push_back(std::abs(percent));
  std::sort(sorted.begin(), sorted.end());
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted.empty() ? 0 : sorted[std::max<size_t>(rank, 1) - 1];
}

std::string Errors::Text() const {
  std::vector<double> sorted = percent_;
  std::sort(sorted.begin(), sorted.end());
  const double middle = sorted.empty() ? 0 : sorted[sorted.size() / 2];
  return absl::StrFormat("n %d median %.1f p90 %.1f signed %+.1f", sorted.size(), Median(), P90(), middle);
}

}  // namespace stepsim::sim
