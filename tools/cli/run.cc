#include <iostream>
#include <memory>

#include "sim/base/status.h"
#include "sim/run/result_json.h"
#include "tools/app/report_table.h"
#include "tools/cli/options.h"

namespace stepsim::cli {
namespace {

absl::Status RunScenario(const std::string& path, const RunOptions& options) {
  SIM_ASSIGN_OR_RETURN(const sim::Catalogue catalogue, OpenCatalogue());
  SIM_ASSIGN_OR_RETURN(const sim::ConfigNode root, app::LoadScenarioFile(path, options.overrides));
  SIM_ASSIGN_OR_RETURN(const app::Scenario scenario, app::ReadScenario(catalogue, root));
  SIM_ASSIGN_OR_RETURN(const sim::Result result, app::Simulate(scenario, ToSimulateOptions(options, scenario.name)));
  ClearProgress();
  if (!options.json.empty()) SIM_RETURN_IF_ERROR(WriteJson(options.json, sim::ToJson(result, STEPSIM_VERSION)));
  if (options.json != "-") std::cout << app::ResultTable({result}) << "\n" << app::ResultDetails(result);
  return app::CheckFits(result);
}

}  // namespace

void AddRun(CLI::App* app, int* exit_code) {
  auto* verb = app->add_subcommand("run", "simulates one scenario");
  auto path = std::make_shared<std::string>();
  auto options = std::make_shared<RunOptions>();
  verb->add_option("scenario", *path, "scenario file (YAML)")->required();
  AddRunOptions(verb, options.get());
  verb->callback([path, options, exit_code] { *exit_code = [&] {
    const absl::Status status = RunScenario(*path, *options);
    return status.ok() ? int{kOk} : Fail(status);
  }(); });
}

}  // namespace stepsim::cli
