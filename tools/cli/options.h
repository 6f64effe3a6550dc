// What the verbs share: options, output, exit codes.
#pragma once

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "nlohmann/json.hpp"
#include "sim/config/catalogue.h"
#include "tools/app/simulate.h"

namespace stepsim::cli {

enum ExitCode : int { kOk = 0, kInvalidInput = 1, kUsage = 2, kIo = 3, kImpossible = 4, kInternal = 70 };

int ExitCodeOf(const absl::Status& status);

// Prints the error to stderr and gives its exit code.
int Fail(const absl::Status& status);

struct RunOptions {
  std::vector<std::string> overrides;
  std::string json;
  std::vector<std::string> traces;
  std::string trace_ranks;
  int threads = 1;
};

// --set, --json, --trace, --trace-ranks, --threads.
void AddRunOptions(CLI::App* verb, RunOptions* options);

app::SimulateOptions ToSimulateOptions(const RunOptions& options, const std::string& what);

// "-" is stdout. Indented, one trailing newline.
absl::Status WriteJson(const std::string& path, const nlohmann::ordered_json& json);

absl::StatusOr<sim::Catalogue> OpenCatalogue();

// A line on a terminal's stderr that is overwritten; nothing in a pipe. Erased by ClearProgress.
void ShowProgress(const std::string& what, double fraction);
void ClearProgress();

// Each verb adds itself and stores its exit code when it has run.
void AddRun(CLI::App* app, int* exit_code);
void AddCompare(CLI::App* app, int* exit_code);
void AddTopo(CLI::App* app, int* exit_code);
void AddList(CLI::App* app, int* exit_code);
void AddSchema(CLI::App* app, int* exit_code);

}  // namespace stepsim::cli
