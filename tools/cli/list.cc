#include <iostream>
#include <memory>

#include "sim/base/near_match.h"
#include "sim/base/status.h"
#include "sim/collective/algorithm.h"
#include "sim/trace/writer.h"
#include "tools/cli/options.h"
#include "workloads/model/family.h"
#include "workloads/sharding/strategy.h"

namespace stepsim::cli {
namespace {

template <class Factory>
void Print(const sim::Registry<Factory>& registry) {
  for (const auto& entry : registry.entries()) std::cout << entry.name << "\t" << entry.help << "\n";
}

absl::Status List(const std::string& what) {
  const std::vector<std::string> catalogues = {"gpus", "nics", "links", "nodes", "clusters", "models", "scenarios", "studies"};
  if (std::find(catalogues.begin(), catalogues.end(), what) != catalogues.end()) {
    SIM_ASSIGN_OR_RETURN(const sim::Catalogue catalogue, OpenCatalogue());
    for (const std::string& name : catalogue.Names(what)) std::cout << name << "\n";
    return absl::OkStatus();
  }
  if (what == "algorithms") Print(sim::CollectiveAlgorithms());
  else if (what == "strategies") Print(workloads::ShardingStrategies());
  else if (what == "families") Print(workloads::Families());
  else if (what == "formats") Print(sim::TraceWriters());
  else {
    std::vector<std::string> known = catalogues;
    known.insert(known.end(), {"algorithms", "strategies", "families", "formats"});
    return absl::InvalidArgumentError(sim::UnknownNameMessage("list", what, known));
  }
  return absl::OkStatus();
}

}  // namespace

void AddList(CLI::App* app, int* exit_code) {
  auto* verb = app->add_subcommand("list", "what is known: gpus, clusters, models, algorithms, strategies, formats, …");
  auto what = std::make_shared<std::string>();
  verb->add_option("what", *what, "gpus nics links nodes clusters models scenarios studies algorithms strategies families formats")->required();
  verb->callback([what, exit_code] {
    const absl::Status status = List(*what);
    *exit_code = status.ok() ? int{kOk} : Fail(status);
  });
}

}  // namespace stepsim::cli
