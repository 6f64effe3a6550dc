// What the tests of workloads share: the catalogue of the repository, small models, and ways to count a program's ops.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/program/program.h"
#include "workloads/build.h"

namespace stepsim::workloads {

sim::Catalogue TestCatalogue();
FrameworkSpec TestFramework();
ModelSpec CatalogueModel(const std::string& name);
// A few layers of a family, whose dimensions divide by 2, 4 and 8.
ModelSpec SmallModel(const std::string& family, int layers = 3);
TrainingSpec SmallTraining();

// A program for `world` ranks ("none" for one); checked by sim::CheckProgram.
sim::Program Build(const ModelSpec& model, const TrainingSpec& training, const std::string& strategy, int world,
                   bool reshard_root = false);

// Kernels of a class, optionally of one phase.
int CountKernels(const sim::Program& program, const std::string& kernel_class);
int CountKernels(const sim::Program& program, const std::string& kernel_class, sim::Phase phase);
int CountGemms(const sim::Program& program, sim::Phase phase);
// Labels of the collectives in host order.
std::vector<std::string> CollectiveLabels(const sim::Program& program);
// Issued collectives: how often and how many bytes by kind.
struct CollectiveTotals {
  int count = 0;
  int64_t bytes = 0;
};
std::map<sim::CollectiveKind, CollectiveTotals> TotalsByKind(const sim::Program& program);

}  // namespace stepsim::workloads
