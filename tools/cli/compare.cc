#include "tools/app/compare.h"

#include <iostream>
#include <memory>

#include "sim/base/status.h"
#include "sim/run/result_json.h"
#include "tools/app/report_table.h"
#include "tools/app/study.h"
#include "tools/app/trace_output.h"
#include "tools/cli/options.h"

namespace stepsim::cli {
namespace {

// A name as part of a file name.
std::string FileSafe(std::string name) {
  for (char& c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    if (!plain) c = '-';
  }
  return name;
}

absl::Status CompareAll(const std::vector<std::string>& paths, const RunOptions& options) {
  SIM_ASSIGN_OR_RETURN(const sim::Catalogue catalogue, OpenCatalogue());
  SIM_ASSIGN_OR_RETURN(const app::Study study, app::LoadStudy(catalogue, paths, options.overrides));
  std::vector<app::Scenario> scenarios;  // all read before the first is simulated: errors come at once
  for (const app::StudyEntry& entry : study.entries) {
    SIM_ASSIGN_OR_RETURN(app::Scenario scenario, app::ReadScenario(catalogue, entry.scenario));
    scenarios.push_back(std::move(scenario));
  }
  std::vector<sim::Result> results;
  nlohmann::ordered_json json_results = nlohmann::ordered_json::array();
  for (const app::Scenario& scenario : scenarios) {
    RunOptions own = options;
    for (std::string& trace : own.traces) trace = app::WithInfix(trace, FileSafe(scenario.name));
    absl::StatusOr<sim::Result> result = app::Simulate(scenario, ToSimulateOptions(own, scenario.name));
    if (!result.ok()) return sim::Annotate(result.status(), scenario.name);
    json_results.push_back(sim::ToJson(*result, STEPSIM_VERSION));
    results.push_back(*std::move(result));
  }
  ClearProgress();
  if (!options.json.empty()) {
    SIM_RETURN_IF_ERROR(WriteJson(options.json, {{"study", study.name},
                                                 {"question", study.question},
                                                 {"results", json_results},
                                                 {"comparison", app::ComparisonJson(results, study.target_ratio)}}));
  }
  if (options.json != "-") {
    if (!study.question.empty()) std::cout << study.question << "\n\n";
    std::cout << app::ResultTable(results) << "\n" << app::ComparisonText(results, study.target_ratio);
    for (const sim::Result& result : results) std::cout << "\n" << result.name << "\n" << app::ResultDetails(result);
  }
  for (const sim::Result& result : results) SIM_RETURN_IF_ERROR(app::CheckFits(result));
  return absl::OkStatus();
}

}  // namespace

void AddCompare(CLI::App* app, int* exit_code) {
  auto* verb = app->add_subcommand("compare", "simulates scenarios side by side: ratios, and what explains the difference");
  auto paths = std::make_shared<std::vector<std::string>>();
  auto options = std::make_shared<RunOptions>();
  verb->add_option("files", *paths, "two or more scenarios (the first is the baseline), or one study")->required();
  AddRunOptions(verb, options.get());
  verb->callback([paths, options, exit_code] {
    const absl::Status status = CompareAll(*paths, *options);
    *exit_code = status.ok() ? int{kOk} : Fail(status);
  });
}

}  // namespace stepsim::cli
