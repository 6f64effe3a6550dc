// How a collective runs on a platform: which algorithm, what it puts on each directed link, and its fixed
// latency.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/base/ids.h"
#include "sim/base/units.h"
#include "sim/platform/link_load.h"

namespace stepsim::sim {

struct CollectivePlan {
  std::string algorithm;  // registry name ("ring", "p2p"); "none" for one rank
  std::string protocol;   // "LL", "LL128", "Simple"
  int channels = 0;       // CTAs it holds on each GPU, one SM each
  Duration latency;  // all of the time that is not bytes over a rate: launch, hops, fill, last local copy
  Bytes message;     // NCCL's size
  // Sorted by link, each link once; empty for one rank. Never null; shared by plans of one (group, kind,
  // protocol).
  std::shared_ptr<const std::vector<LinkLoad>> loads = std::make_shared<const std::vector<LinkLoad>>();
  BytesPerSecond
      rate_cap;  // message bytes per second that no link imposes (host staging, channels); infinite if none
  LinkId bottleneck;          // slowest link on an idle platform; none if the cap is lower
  std::string cap_reason;     // why rate_cap, for people
  double memory_traffic = 0;  // HBM bytes per message byte on each GPU
  BytesPerSecond idle_rate;   // message bytes per second on an idle platform
  std::string note;           // a model limit worth a warning ("NCCL would choose …"); empty if none
};

}  // namespace stepsim::sim
