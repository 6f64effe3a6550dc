#include <iostream>
#include <memory>

#include "sim/base/file.h"
#include "sim/base/status.h"
#include "tools/cli/options.h"
#include "topology/export.h"

namespace stepsim::cli {
namespace {

struct TopoOptions {
  std::string cluster;
  std::string svg;
  std::string dot;
};

absl::Status ShowTopology(const TopoOptions& options) {
  SIM_ASSIGN_OR_RETURN(const sim::Catalogue catalogue, OpenCatalogue());
  // As the value of a scenario's `cluster:` key: a name or a path.
  SIM_ASSIGN_OR_RETURN(const sim::ConfigNode value, sim::ParseConfig(options.cluster, "command line"));
  sim::Diagnostics problems;
  const topology::Cluster cluster = topology::BuildCluster(catalogue, value, &problems);
  if (!problems.empty()) return problems.ToStatus();
  if (!options.svg.empty()) SIM_RETURN_IF_ERROR(sim::WriteFileAtomically(options.svg, topology::ToSvg(cluster)));
  if (!options.dot.empty()) SIM_RETURN_IF_ERROR(sim::WriteFileAtomically(options.dot, topology::ToDot(cluster)));
  std::cout << topology::Describe(cluster);
  return absl::OkStatus();
}

}  // namespace

void AddTopo(CLI::App* app, int* exit_code) {
  auto* verb = app->add_subcommand("topo", "inspects a topology: devices, path classes, links");
  auto options = std::make_shared<TopoOptions>();
  verb->add_option("cluster", options->cluster, "name in configs/clusters, or a path")->required();
  verb->add_option("--svg", options->svg, "file for a drawing");
  verb->add_option("--dot", options->dot, "file for Graphviz");
  verb->callback([options, exit_code] {
    const absl::Status status = ShowTopology(*options);
    *exit_code = status.ok() ? int{kOk} : Fail(status);
  });
}

}  // namespace stepsim::cli
