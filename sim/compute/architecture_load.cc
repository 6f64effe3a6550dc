#include <algorithm>

#include "sim/base/status.h"
#include "sim/compute/architecture.h"

namespace stepsim::sim {
namespace {

constexpr size_t kMaxChain = 4;  // files deep

}  // namespace

absl::StatusOr<Architecture> LoadArchitecture(const Catalogue& catalogue, const std::string& name) {
  SIM_ASSIGN_OR_RETURN(ConfigNode node, catalogue.Load("calibration", name));
  std::vector<std::string> chain = {name};
  ConfigNode base = node["based_on"];
  while (base.is_scalar()) {
    if (chain.size() == kMaxChain || std::find(chain.begin(), chain.end(), base.text()) != chain.end()) {
      Diagnostics problems;
      problems.Add(base.position(), "calibration files build on each other in a loop or more than four deep");
      return problems.ToStatus();
    }
    chain.push_back(base.text());
    SIM_ASSIGN_OR_RETURN(const ConfigNode parent, catalogue.Load("calibration", base.text()));
    base = parent["based_on"];
    node = Merged(parent, node);
  }
  return ReadWith(ArchitectureSchema(), node);
}

}  // namespace stepsim::sim
