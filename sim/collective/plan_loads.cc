#include "sim/collective/plan_loads.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stepsim::sim {

PlanLoads MakePlanLoads(const Platform& platform, const std::vector<LinkWeight>& links, double wire_factor) {
  auto loads = std::make_shared<std::vector<LinkLoad>>();
  loads->reserve(links.size());
  PlanLoads result{.loads = nullptr,
                   .rate = BytesPerSecond(std::numeric_limits<double>::infinity()),
                   .bottleneck = LinkId()};
  for (const LinkWeight& item : links) {
    const Link& link = platform.link(item.key);
    const double units = item.weight * wire_factor / link.payload * static_cast<double>(kLoadUnit);
    const int64_t weight = std::max<int64_t>(1, std::llround(units));
    loads->push_back({.link = item.key, .weight = weight});
    const BytesPerSecond rate =
        link.capacity * (static_cast<double>(kLoadUnit) / static_cast<double>(weight));
    if (rate < result.rate) result.rate = rate, result.bottleneck = item.key;
  }
  result.loads = std::move(loads);
  return result;
}

double RateOfLinks(const Platform& platform, const std::vector<LinkWeight>& links) {
  double rate = std::numeric_limits<double>::infinity();
  for (const LinkWeight& item : links) {
    const Link& link = platform.link(item.key);
    rate = std::min(rate, link.capacity.per_second() * link.payload / item.weight);
  }
  return rate;
}

}  // namespace stepsim::sim
