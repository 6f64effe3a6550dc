#include "topology/routing/next_hops.h"

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>

#include "topology/graph_bgl.h"

namespace stepsim::topology {
namespace {

constexpr int kFar = -1;

// Hops from `leaf` to every switch.
std::vector<int> Distances(const Graph& switches, int leaf) {
  const auto& adjacency = switches.impl().adjacency;
  std::vector<int> distance(static_cast<size_t>(switches.num_vertices()), kFar);
  distance[static_cast<size_t>(leaf)] = 0;
  const auto map = boost::make_iterator_property_map(distance.begin(), boost::get(boost::vertex_index, adjacency));
  boost::breadth_first_search(
      adjacency, static_cast<size_t>(leaf),
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(map, boost::on_tree_edge()))));
  return distance;
}

struct Cable {
  int directed = 0;
  int to = 0;
};

std::vector<std::vector<Cable>> CablesBySwitch(const Graph& switches) {
  std::vector<std::vector<Cable>> cables(static_cast<size_t>(switches.num_vertices()));
  for (int edge = 0; edge < switches.num_edges(); ++edge) {
    const auto [a, b] = switches.ends(edge);
    cables[static_cast<size_t>(a)].push_back({2 * edge, b});
    cables[static_cast<size_t>(b)].push_back({2 * edge + 1, a});
  }
  return cables;
}

}  // namespace

NextHops ComputeNextHops(const Graph& switches, int num_leaves) {
  const std::vector<std::vector<Cable>> cables = CablesBySwitch(switches);
  const size_t leaves = static_cast<size_t>(num_leaves);
  NextHops result;
  result.next.assign(cables.size() * leaves, -1);
  std::vector<std::vector<int>> sets_of(cables.size());  // indices of the sets each switch has used so far
  std::vector<int> hops;
  for (size_t leaf = 0; leaf < leaves; ++leaf) {
    const std::vector<int> distance = Distances(switches, static_cast<int>(leaf));
    for (size_t at = 0; at < cables.size(); ++at) {
      if (distance[at] <= 0) continue;
      hops.clear();
      for (const Cable& cable : cables[at]) {
        if (distance[static_cast<size_t>(cable.to)] == distance[at] - 1) hops.push_back(cable.directed);
      }
      std::vector<int>& known = sets_of[at];
      const auto same = std::find_if(known.begin(), known.end(), [&result, &hops](int set) {
        return result.sets[static_cast<size_t>(set)] == hops;
      });
      if (same != known.end()) {
        result.next[at * leaves + leaf] = *same;
        continue;
      }
      known.push_back(static_cast<int>(result.sets.size()));
      result.next[at * leaves + leaf] = known.back();
      result.sets.push_back(hops);
    }
  }
  return result;
}

}  // namespace stepsim::topology
