#include "sim/collective/load_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "absl/strings/str_cat.h"

namespace stepsim::sim {

template <class Key>
void SumByKey(std::vector<Weighted<Key>>* items) {
  std::stable_sort(items->begin(), items->end(),
                   [](const Weighted<Key>& a, const Weighted<Key>& b) { return a.key < b.key; });
  size_t kept = 0;
  for (size_t i = 0; i < items->size();) {
    Weighted<Key> sum = (*items)[i];
    for (++i; i < items->size() && (*items)[i].key == sum.key; ++i) sum.weight += (*items)[i].weight;
    if (std::abs(sum.weight) > 1e-9) (*items)[kept++] = sum;
  }
  items->resize(kept);
}
template void SumByKey<LinkId>(std::vector<LinkWeight>*);
template void SumByKey<int32_t>(std::vector<Weighted<int32_t>>*);

void NodeLoads::Add(const Leg& leg, double weight, double staged_share) {
  for (int32_t link : leg.links) links.push_back({.key = link, .weight = weight});
  const double share = IsStaged(leg.limit) ? staged_share : 1;
  if (leg.limits_first) ports.push_back({.link = leg.links.front(), .limit = leg.limit, .share = share});
  if (leg.limits_last) ports.push_back({.link = leg.links.back(), .limit = leg.limit, .share = share});
}

void NodeLoads::Finish() {
  SumByKey(&links);
  const auto key = [](const LimitedPort& port) { return std::tuple(port.link, port.limit, port.share); };
  std::sort(ports.begin(), ports.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  ports.erase(
      std::unique(ports.begin(), ports.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
      ports.end());
}

double NodeLoads::Weight(int32_t link) const {
  const auto found =
      std::lower_bound(links.begin(), links.end(), link,
                       [](const Weighted<int32_t>& item, int32_t key) { return item.key < key; });
  return found != links.end() && found->key == link ? found->weight : 0;
}

RateCap PortCap(const GroupLayout& layout, const GroupLayout::Member& member, const NodeLoads& loads) {
  RateCap cap{.rate = std::numeric_limits<double>::infinity(), .reason = ""};
  const LimitedPort* slowest = nullptr;
  for (const LimitedPort& port : loads.ports) {
    const double weight = loads.Weight(port.link);
    if (weight <= 0) continue;
    const Link& link = layout.platform->link(layout.AbsoluteLink(member, port.link));
    const double rate =
        LimitedRate(port.limit, link.capacity.per_second() * link.payload) * port.share / weight;
    if (rate < cap.rate * (1 - 1e-9)) cap.rate = rate, slowest = &port;
  }
  if (slowest != nullptr) {
    cap.reason = absl::StrCat(Name(slowest->limit), " on ",
                              layout.platform->LinkName(layout.AbsoluteLink(member, slowest->link)));
  }
  return cap;
}

}  // namespace stepsim::sim
