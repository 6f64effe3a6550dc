// stepsim: one training step of a large model on a GPU cluster, simulated.
#include <csignal>
#include <iostream>

#include "sim/base/log.h"
#include "tools/cli/options.h"

int main(int argc, char** argv) {
  using namespace stepsim;  // NOLINT: main only
  sim::InitLogging();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a write error, not a death
  CLI::App app("stepsim predicts what one training step of a large model costs on a GPU cluster, and why.", "stepsim");
  app.require_subcommand(1);
  app.footer("Exit codes: 0 ok, 1 invalid input, 2 wrong usage, 3 I/O, 4 the job is impossible, 70 internal error.");
  int exit_code = cli::kOk;
  cli::AddRun(&app, &exit_code);
  cli::AddCompare(&app, &exit_code);
  cli::AddTopo(&app, &exit_code);
  cli::AddList(&app, &exit_code);
  cli::AddSchema(&app, &exit_code);
  app.add_subcommand("version", "prints the version")->callback([] { std::cout << "stepsim " << STEPSIM_VERSION << "\n"; });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? cli::kOk : cli::kUsage;
  }
  return exit_code;
}
