#include <iostream>
#include <memory>

#include "sim/base/near_match.h"
#include "tools/app/study.h"
#include "tools/cli/options.h"

namespace stepsim::cli {

void AddSchema(CLI::App* app, int* exit_code) {
  auto* verb = app->add_subcommand("schema", "JSON Schema of the YAML files, for editors");
  auto what = std::make_shared<std::string>("scenario");
  verb->add_option("what", *what, "scenario (default), study, cluster");
  verb->callback([what, exit_code] {
    if (*what == "scenario") std::cout << app::ScenarioJsonSchema().dump(2) << "\n";
    else if (*what == "study") std::cout << app::StudyJsonSchema().dump(2) << "\n";
    else if (*what == "cluster") std::cout << topology::ClusterJsonSchema().dump(2) << "\n";
    else *exit_code = Fail(absl::InvalidArgumentError(sim::UnknownNameMessage("schema", *what, {"scenario", "study", "cluster"})));
  });
}

}  // namespace stepsim::cli
