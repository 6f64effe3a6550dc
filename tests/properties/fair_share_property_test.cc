// Laws of weighted max-min fairness on random systems.
#include <algorithm>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"
#include "tests/properties/random_system.h"

namespace stepsim::sim {
namespace {

constexpr int64_t kUnit = FairShareSolver::kWeightUnit;

struct Solved {
  FairShareSolver solver;
  std::vector<DemandId> ids;
  std::vector<int64_t> rates;
};

Solved Solve(const RandomSystem& system) {
  Solved solved;
  for (const int64_t capacity : system.capacities) solved.solver.AddResource(capacity);
  for (const RandomDemand& demand : system.demands) solved.ids.push_back(solved.solver.Add(demand.AsDemand()));
  solved.solver.Solve();
  for (const DemandId id : solved.ids) solved.rates.push_back(solved.solver.rate(id));
  return solved;
}

template <class Law>
void ForRandomSystems(absl::string_view name, uint64_t count, Law law) {
  for (uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed, name);
    law(MakeSystem(&random), &random);
    if (testing::Test::HasFatalFailure() || testing::Test::HasNonfatalFailure()) return;
  }
}

TEST(FairShareProperty, RatesAreThoseOfTheDefinition) {
  ForRandomSystems("definition", 1000, [](const RandomSystem& system, RandomStream*) {
    EXPECT_EQ(Solve(system).rates, ReferenceSolver(system).rates());
  });
}

TEST(FairShareProperty, NoResourceIsOverloadedAndNoCapExceeded) {
  ForRandomSystems("feasible", 1000, [](const RandomSystem& system, RandomStream*) {
    const Solved solved = Solve(system);
    for (size_t r = 0; r < system.capacities.size(); ++r) {
      EXPECT_LE(solved.solver.Usage(ResourceId(static_cast<int32_t>(r))), system.capacities[r] * kUnit);
    }
    for (size_t d = 0; d < system.demands.size(); ++d) EXPECT_LE(solved.rates[d], system.demands[d].rate_cap);
  });
}

// Σ n w over a resource: what it may be short of saturation when each rate was rounded down by less than a unit.
int64_t RoundingOn(const RandomSystem& system, ResourceId resource) {
  int64_t sum = 0;
  for (const RandomDemand& demand : system.demands) {
    for (const auto& e : demand.elements) sum += e.resource == resource ? demand.multiplicity * e.weight : 0;
  }
  return sum;
}

// Bertsekas and Gallager §6.5.2: the certificate of max-min fairness, to within the rounding of one unit per rate.
TEST(FairShareProperty, EveryDemandIsAtItsCapOrHasABottleneck) {
  ForRandomSystems("certificate", 1000, [](const RandomSystem& system, RandomStream*) {
    const Solved solved = Solve(system);
    for (size_t d = 0; d < system.demands.size(); ++d) {
      if (solved.rates[d] == system.demands[d].rate_cap) continue;
      const ResourceId bottleneck = solved.solver.bottleneck(solved.ids[d]);
      ASSERT_TRUE(bottleneck.valid());
      const int64_t unused = system.capacities[static_cast<size_t>(bottleneck.value())] * kUnit - solved.solver.Usage(bottleneck);
      EXPECT_LT(unused, RoundingOn(system, bottleneck));
      for (size_t e = 0; e < system.demands.size(); ++e) {
        const auto& elements = system.demands[e].elements;
        const bool there = std::any_of(elements.begin(), elements.end(), [&](const auto& x) { return x.resource == bottleneck; });
        if (!there) continue;
        // x_e / s_e ≤ (x_d + 1) / s_d
        EXPECT_LE(Product(solved.rates[e], system.demands[d].share) <= Product(solved.rates[d] + 1, system.demands[e].share), true);
      }
    }
  });
}

TEST(FairShareProperty, OrderOfDemandsDoesNotMatter) {
  ForRandomSystems("order", 500, [](const RandomSystem& system, RandomStream* random) {
    std::vector<size_t> order(system.demands.size());
    std::iota(order.begin(), order.end(), size_t{0});
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random->Below(i)]);
    RandomSystem shuffled{system.capacities, {}};
    for (const size_t d : order) shuffled.demands.push_back(system.demands[d]);
    const Solved one = Solve(system), other = Solve(shuffled);
    for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(other.rates[i], one.rates[order[i]]);
  });
}

TEST(FairShareProperty, GroupingOfDemandsDoesNotMatter) {
  ForRandomSystems("grouping", 500, [](const RandomSystem& system, RandomStream*) {
    RandomSystem apart{system.capacities, {}};
    for (const RandomDemand& demand : system.demands) {
      apart.demands.insert(apart.demands.end(), static_cast<size_t>(demand.multiplicity), demand);
      for (size_t i = 1; i <= static_cast<size_t>(demand.multiplicity); ++i) {
        apart.demands[apart.demands.size() - i].multiplicity = 1;
      }
    }
    const Solved grouped = Solve(system), single = Solve(apart);
    size_t next = 0;
    for (size_t d = 0; d < system.demands.size(); ++d) {
      for (int64_t i = 0; i < system.demands[d].multiplicity; ++i) EXPECT_EQ(single.rates[next++], grouped.rates[d]);
    }
  });
}

// With equal shares: the least rate is the first level filled (or the least cap), and that only grows.
TEST(FairShareProperty, AddingCapacityNeverReducesTheLeastRate) {
  ForRandomSystems("monotone", 500, [](RandomSystem system, RandomStream* random) {
    for (RandomDemand& demand : system.demands) demand.share = 1;
    const std::vector<int64_t> before = Solve(system).rates;
    system.capacities[random->Below(system.capacities.size())] += 1 + RandomCapacity(random);
    const std::vector<int64_t> after = Solve(system).rates;
    EXPECT_GE(*std::min_element(after.begin(), after.end()), *std::min_element(before.begin(), before.end()));
  });
}

// One random change of system and solver alike.
void Change(RandomSystem* system, Solved* solved, RandomStream* random) {
  const uint64_t choice = random->Below(6);
  if (choice < 2 || system->demands.empty()) {
    system->demands.push_back(MakeDemand(random, system->capacities.size()));
    solved->ids.push_back(solved->solver.Add(system->demands.back().AsDemand()));
    return;
  }
  if (choice == 2) {
    const size_t r = random->Below(system->capacities.size());
    system->capacities[r] = RandomCapacity(random);
    solved->solver.SetCapacity(ResourceId(static_cast<int32_t>(r)), system->capacities[r]);
    return;
  }
  const size_t d = random->Below(system->demands.size());
  if (choice == 3) {
    system->demands[d].rate_cap = random->Below(2) == 0 ? FairShareSolver::kUnlimited : RandomCapacity(random);
    solved->solver.SetRateCap(solved->ids[d], system->demands[d].rate_cap);
  } else if (choice == 4) {
    system->demands[d].multiplicity = 1 + static_cast<int64_t>(random->Below(5));
    solved->solver.SetMultiplicity(solved->ids[d], system->demands[d].multiplicity);
  } else {
    solved->solver.Remove(solved->ids[d]);
    solved->ids.erase(solved->ids.begin() + static_cast<std::ptrdiff_t>(d));
    system->demands.erase(system->demands.begin() + static_cast<std::ptrdiff_t>(d));
  }
}

bool Alone(const RandomSystem& system, size_t demand) {
  for (size_t other = 0; other < system.demands.size(); ++other) {
    for (const auto& x : system.demands[demand].elements) {
      for (const auto& y : system.demands[other].elements) {
        if (other != demand && x.resource == y.resource) return false;
      }
    }
  }
  return true;
}

TEST(FairShareProperty, IncrementalSolveEqualsAFullSolve) {
  ForRandomSystems("incremental", 300, [](RandomSystem system, RandomStream* random) {
    // Many small components: long chains of changes that touch part of the system only.
    if (random->Below(2) == 0) system.capacities.resize(system.capacities.size() + 30, 1'000'003);
    Solved incremental = Solve(system);
    for (int step = 0; step < 60; ++step) {
      for (uint64_t changes = 1 + random->Below(3); changes > 0; --changes) Change(&system, &incremental, random);
      incremental.solver.Solve();
      const Solved full = Solve(system);
      for (size_t d = 0; d < system.demands.size(); ++d) {
        ASSERT_EQ(incremental.solver.rate(incremental.ids[d]), full.rates[d]) << "step " << step << ", demand " << d;
        ASSERT_EQ(incremental.solver.bottleneck(incremental.ids[d]), full.solver.bottleneck(full.ids[d]));
        ASSERT_EQ(incremental.solver.alone(incremental.ids[d]), Alone(system, d));
      }
      ASSERT_TRUE(incremental.solver.SolveAll().empty());
    }
  });
}

}  // namespace
}  // namespace stepsim::sim
