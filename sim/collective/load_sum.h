// Sums what legs and routes put on directed links, sparse: memory grows with the links touched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/collective/group_layout.h"
#include "sim/collective/transport.h"

namespace stepsim::sim {

template <class Key>
struct Weighted {
  Key key;
  double weight = 0;
};
using LinkWeight = Weighted<LinkId>;

// Sorts by key and adds up equal keys in the order in which they were added; sums that cancel are dropped.
template <class Key>
void SumByKey(std::vector<Weighted<Key>>* items);

// A limit on a GPU's PCIe port: it holds for all traffic through the port while any of it is limited
// (models of staged hops were fitted in that form).
struct LimitedPort {
  int32_t link = 0;  // relative to the node's first link
  PortLimit limit = PortLimit::kNone;
  double share = 1;  // of the limit's rate that the kind of traffic reaches
};

// Loads within one node, links relative to its first link. Payload bytes per message byte.
struct NodeLoads {
  std::vector<Weighted<int32_t>> links;
  std::vector<LimitedPort> ports;

  // staged_share: the share of the staged rate that this kind of traffic reaches.
  void Add(const Leg& leg, double weight, double staged_share = 1);
  void Finish();                      // sums; until then `links` has duplicates
  double Weight(int32_t link) const;  // 0 if none; after Finish
};

// The lowest rate (message bytes/s) that the limited ports of a node allow.
struct RateCap {
  double rate;
  std::string reason;
};
RateCap PortCap(const GroupLayout& layout, const GroupLayout::Member& member, const NodeLoads& loads);

}  // namespace stepsim::sim
