// What the tests of this folder share: models of catalogue cards, kernels in one line, tables of measurements, error figures.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "sim/compute/compute_model.h"

namespace stepsim::sim {

Catalogue Configs();
ComputeModel ModelOfCard(const std::string& gpu);
// The H200 SXM by its sheet (HBM3e, 132 SMs, 700 W), whatever the catalogue says.
GpuSpec H200();
ComputeModel H200Model();

Kernel Gemm(int64_t m, int64_t n, int64_t k, DType dtype = DType::kBf16, int64_t batch = 1);
Kernel Attention(AttentionBackend backend, bool backward, int64_t sequences, int64_t heads, int64_t sequence, int64_t head_dim,
                 bool causal);
Kernel Memory(const std::string& kernel_class, double bytes);

using Row = std::map<std::string, std::string>;
// Rows of a CSV of the measurements beside the repository; empty if it is not there.
std::vector<Row> Measurements(const std::string& path);
double NumberOf(const Row& row, const std::string& column);  // 0 if blank

// |predicted / measured - 1| in percent.
class Errors {
 public:
  void Add(double predicted, double measured) { percent_.push_back(100 * (predicted / measured - 1)); }
  size_t size() const { return percent_.size(); }
  double Percentile(double share) const;  // nearest rank, of the absolute values
  double Median() const { return Percentile(0.5); }
  double P90() const { return Percentile(0.9); }
  std::string Text() const;  // "n 513 median 3.7 p90 10.9 signed -0.4"

 private:
  std::vector<double> percent_;
};

}  // namespace stepsim::sim
