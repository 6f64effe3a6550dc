// Random systems for the fair-share solver, and a solver written straight from the mathematics to judge it by.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/random.h"
#include "sim/engine/fair_share.h"
#include "sim/engine/wide.h"

namespace stepsim::sim {

struct RandomDemand {
  std::vector<FairShareSolver::Element> elements;
  int64_t rate_cap = FairShareSolver::kUnlimited;
  int64_t share = 1;
  int64_t multiplicity = 1;

  FairShareSolver::Demand AsDemand() const { return {elements, rate_cap, share, multiplicity}; }
};

struct RandomSystem {
  std::vector<int64_t> capacities;
  std::vector<RandomDemand> demands;
};

// Few distinct values, so that ties (equal levels, caps on a level) are common; sometimes none, so that rounding is.
inline int64_t RandomCapacity(RandomStream* random) {
  switch (random->Below(4)) {
    case 0: return 1000 * static_cast<int64_t>(random->Below(4));
    case 1: return static_cast<int64_t>(random->Below(50));
    default: return static_cast<int64_t>(random->Below(1'000'000'000'000));
  }
}

inline RandomDemand MakeDemand(RandomStream* random, size_t resources) {
  RandomDemand demand;
  const uint64_t span = 1 + random->Below(4);
  for (size_t r = random->Below(3); r < resources; r += 1 + random->Below(1 + resources / span)) {
    const int64_t weight = random->Below(2) == 0 ? FairShareSolver::kWeightUnit
                                                 : 1 + static_cast<int64_t>(random->Below(3 * FairShareSolver::kWeightUnit));
    demand.elements.push_back({ResourceId(static_cast<int32_t>(r)), weight});
  }
  if (random->Below(3) == 0) demand.rate_cap = RandomCapacity(random);
  if (random->Below(2) == 0) demand.share = 1 + static_cast<int64_t>(random->Below(100'000));
  if (random->Below(3) == 0) demand.multiplicity = 1 + static_cast<int64_t>(random->Below(9));
  return demand;
}

inline RandomSystem MakeSystem(RandomStream* random) {
  RandomSystem system;
  const size_t resources = 1 + random->Below(12);
  for (size_t r = 0; r < resources; ++r) system.capacities.push_back(RandomCapacity(random));
  const size_t demands = 1 + random->Below(20);
  for (size_t d = 0; d < demands; ++d) system.demands.push_back(MakeDemand(random, resources));
  return system;
}

// Rates by the definition in sim/engine/fair_share.h: every level anew in each round, no heap, no components.
class ReferenceSolver {
 public:
  explicit ReferenceSolver(const RandomSystem& system) : system_(system), rates_(system.demands.size(), -1) {
    while (Round()) continue;
  }
  const std::vector<int64_t>& rates() const { return rates_; }

 private:
  struct Level {
    Int128 numerator = 0;
    Int128 denominator = 0;
    bool operator<(const Level& o) const { return numerator * o.denominator < o.numerator * denominator; }
  };

  Level LevelOf(size_t resource) const {
    Level level{static_cast<Int128>(system_.capacities[resource]) * FairShareSolver::kWeightUnit, 0};
    for (size_t d = 0; d < rates_.size(); ++d) {
      const RandomDemand& demand = system_.demands[d];
      const Int128 load = static_cast<Int128>(WeightOn(demand, resource)) * demand.multiplicity;
      if (rates_[d] >= 0) level.numerator -= load * (load > 0 ? rates_[d] : 0);
      else level.denominator += load * demand.share;
    }
    return level;
  }

  static int64_t WeightOn(const RandomDemand& demand, size_t resource) {
    for (const FairShareSolver::Element& e : demand.elements) {
      if (static_cast<size_t>(e.resource.value()) == resource) return e.weight;
    }
    return 0;
  }

  bool Round() {
    std::vector<Level> levels;
    const Level* least = nullptr;
    for (size_t r = 0; r < system_.capacities.size(); ++r) levels.push_back(LevelOf(r));
    for (const Level& level : levels) {
      if (level.denominator > 0 && (least == nullptr || level < *least)) least = &level;
    }
    bool fixed = false;
    for (size_t d = 0; d < rates_.size(); ++d) {
      const RandomDemand& demand = system_.demands[d];
      if (rates_[d] >= 0) continue;
      if (demand.elements.empty() || (demand.rate_cap != FairShareSolver::kUnlimited &&
                                      demand.rate_cap * least->denominator <= demand.share * least->numerator)) {
        rates_[d] = demand.rate_cap;
        fixed = true;
      }
    }
    if (fixed || least == nullptr) return fixed;
    std::vector<std::pair<size_t, int64_t>> saturated;
    for (size_t d = 0; d < rates_.size(); ++d) {
      const RandomDemand& demand = system_.demands[d];
      const bool bound = std::any_of(demand.elements.begin(), demand.elements.end(), [&](const auto& e) {
        return !(*least < levels[static_cast<size_t>(e.resource.value())]);
      });
      if (rates_[d] < 0 && bound) {
        saturated.emplace_back(d, static_cast<int64_t>(demand.share * least->numerator / least->denominator));
      }
    }
    for (const auto& [d, rate] : saturated) rates_[d] = rate;
    return true;
  }

  const RandomSystem& system_;
  std::vector<int64_t> rates_;
};

}  // namespace stepsim::sim
