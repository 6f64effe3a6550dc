#include "sim/collective/protocol.h"

#include "sim/base/check.h"
#include "sim/base/near_match.h"

namespace stepsim::sim {

const char* Name(Protocol protocol) {
  switch (protocol) {
    case Protocol::kLl:
      return "LL";
    case Protocol::kLl128:
      return "LL128";
    case Protocol::kSimple:
      return "Simple";
  }
  SIM_CHECK(false) << "no such protocol";
  return "";
}

absl::StatusOr<Protocol> ParseProtocol(const std::string& name) {
  std::vector<std::string> names;
  for (Protocol protocol : {Protocol::kLl, Protocol::kLl128, Protocol::kSimple}) {
    if (name == Name(protocol)) return protocol;
    names.push_back(Name(protocol));
  }
  return absl::InvalidArgumentError(UnknownNameMessage("collective protocol", name, names));
}

double WireFactor(Protocol protocol) {
  switch (protocol) {
    case Protocol::kLl:
      return 2.0;
    case Protocol::kLl128:
      return 1.0 / 0.92;
    case Protocol::kSimple:
      return 1.0;
  }
  SIM_CHECK(false) << "no such protocol";
  return 1.0;
}

}  // namespace stepsim::sim
