// How a collective runs on a platform: which algorithm, what it puts on each directed link, and its fixed latency.
#pragma once

#include <string>
#include <vector>

#include "sim/base/ids.h"
#include "sim/base/units.h"

namespace stepsim::sim {

// Wire bytes on a link per byte of message, in 1/65536 (integer, so that sums do not depend on their order).
struct LinkLoad {
  LinkId link;
  int64_t weight = 0;
};
constexpr int64_t kLoadUnit = 65536;

struct CollectivePlan {
  std::string algorithm;  // "ring"
  std::string protocol;   // "LL", "LL128", "Simple"
  int channels = 0;       // CTAs it holds on each GPU, one SM each
  Duration latency;       // before bytes flow: launch, hops, pipeline fill
  Bytes message;          // NCCL's size
  std::vector<LinkLoad> loads;  // sorted by link, each link once; empty for one rank
  BytesPerSecond rate_cap;      // message bytes per second that no link imposes (host staging, channels); infinite if none
  LinkId bottleneck;            // slowest link on an idle platform; none if the cap is lower
  std::string cap_reason;       // why rate_cap, for people
  double memory_traffic = 0;    // HBM bytes per message byte on each GPU
  BytesPerSecond idle_rate;     // message bytes per second on an idle platform
};

}  // namespace stepsim::sim
