#include "tools/cli/options.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "sim/base/file.h"
#include "sim/base/status.h"

namespace stepsim::cli {

int ExitCodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk: return kOk;
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDataLoss: return kIo;
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kFailedPrecondition: return kImpossible;
    case absl::StatusCode::kInternal: return kInternal;
    default: return kInvalidInput;
  }
}

int Fail(const absl::Status& status) {
  ClearProgress();
  std::cerr << "stepsim: " << sim::ToString(status.message()) << "\n";
  return ExitCodeOf(status);
}

void AddRunOptions(CLI::App* verb, RunOptions* options) {
  verb->add_option("--set", options->overrides, "path=value: changes one key of the scenario, e.g. training.micro_batch=4")
      ->allow_extra_args(false);
  verb->add_option("--json", options->json, "file for the machine form of the result; - is stdout");
  verb->add_option("--trace", options->traces, "trace file; the suffix names the format (.pftrace)")->allow_extra_args(false);
  verb->add_option("--trace-ranks", options->trace_ranks, "ranks to trace, e.g. 0,8-15 (default: the first 16)");
  verb->add_option("--threads", options->threads, "threads; the result does not depend on it")->check(CLI::Range(1, 1024));
}

app::SimulateOptions ToSimulateOptions(const RunOptions& options, const std::string& what) {
  app::SimulateOptions simulate;
  simulate.threads = options.threads;
  simulate.trace_files = options.traces;
  simulate.trace_ranks = options.trace_ranks;
  simulate.version = STEPSIM_VERSION;
  if (isatty(STDERR_FILENO) != 0) {
    simulate.progress = [what](double fraction) { ShowProgress(what, fraction); };
  }
  return simulate;
}

absl::Status WriteJson(const std::string& path, const nlohmann::ordered_json& json) {
  const std::string text = json.dump(2) + "\n";
  if (path != "-") return sim::WriteFileAtomically(path, text);
  std::cout << text << std::flush;
  return std::cout ? absl::OkStatus() : absl::UnavailableError("cannot write to stdout");
}

absl::StatusOr<sim::Catalogue> OpenCatalogue() {
  SIM_ASSIGN_OR_RETURN(const std::string root, sim::FindConfigRoot());
  return sim::Catalogue(root);
}

void ShowProgress(const std::string& what, double fraction) {
  std::fprintf(stderr, "\r\x1b[Ksimulating %s: %3.0f %%", what.c_str(), 100 * fraction);
  std::fflush(stderr);
}

void ClearProgress() {
  if (isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace stepsim::cli
