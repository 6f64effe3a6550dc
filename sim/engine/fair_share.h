// Weighted max-min fair sharing with rate caps, in exact integers.
//
// THE SYSTEM. A resource r has a capacity C_r ≥ 0 in whole units per second. A demand d stands for n_d identical
// activities, each of which progresses at the same rate x_d, in whole units of work per second, up to a cap k_d (which
// may be infinite). Per unit of its rate each of them loads resource r with w_dr / 65536 units; (r, w_dr), w_dr > 0, are
// the demand's elements. Rates are feasible when
//
//     Σ_d n_d w_dr x_d ≤ 65536 C_r    for every r         (1)
//     0 ≤ x_d ≤ k_d                   for every d         (2)
//
// FAIRNESS. A demand has a share s_d ≥ 1, and x_d / s_d is its normalised rate. Feasible rates are max-min fair when no
// normalised rate can grow without shrinking one that is not larger. That is so exactly when each demand is at its cap
// or has a bottleneck: a saturated resource on which no other demand has a larger normalised rate (Bertsekas and
// Gallager, "Data Networks", 2nd ed., §6.5.2). With all shares equal, demands on one bottleneck progress at equal rates
// whatever their weights.
//
// PROGRESSIVE FILLING (ibid.). The level of a resource is the normalised rate it could give to all that are not fixed yet:
//
//     L_r = (65536 C_r − Σ_{d fixed} n_d w_dr x_d) / Σ_{d not fixed} n_d w_dr s_d       (3)
//
// kept as the pair of numerator and denominator, compared by cross products. With L the least level of all, while any
// demand is not fixed:
//   a. if caps k_d ≤ s_d L exist, those demands are fixed at k_d, together (levels can only rise by it);
//   b. else all demands on the resources with L_r = L, which are now saturated, are fixed at floor(s_d L), together.
//
// INDEPENDENCE. Nothing above depends on an order, and n activities given one by one enter (3) as one demand of
// multiplicity n does: rates are the same to the last unit for every order and grouping. Each rounding is downwards, so
// (1) holds exactly; a saturated resource may be left with less than Σ n_d w_dr / 65536 units/s unused.
//
// LOCALITY. A demand's rate depends only on its connected component (demands that share a resource, transitively). The
// solver remembers what was touched, and Solve() fills only those components. A demand that is alone on its
// resources needs one pass over its elements. It knows nothing of what resources and activities are.
//
// Steady state allocates nothing: elements are parallel arrays, in blocks of one demand each, linked per resource.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "sim/base/ids.h"

namespace stepsim::sim {

using ResourceId = Id<struct ResourceTag>;
using DemandId = Id<struct DemandTag>;

class FairShareSolver {
 public:
  static constexpr int64_t kWeightUnit = 65536;
  static constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();  // as cap or rate
  // Limits that keep every product within 128 bits (checked).
  static constexpr int64_t kMaxCapacity = (int64_t{1} << 47) - 1;  // 140 T units/s
  static constexpr int64_t kMaxLoad = (int64_t{1} << 62) - 1;      // Σ n w s on a resource

  struct Element {
    ResourceId resource;
    int64_t weight = kWeightUnit;  // > 0
  };
  struct Demand {
    absl::Span<const Element> elements;  // by increasing resource, each once; copied
    int64_t rate_cap = kUnlimited;       // ≥ 0
    int64_t share = 1;                   // 1 … 2^32
    int64_t multiplicity = 1;            // ≥ 1
  };

  ResourceId AddResource(int64_t capacity);
  void SetCapacity(ResourceId resource, int64_t capacity);

  // Rate 0 until the next Solve.
  DemandId Add(const Demand& demand);
  // The id may then be given to another demand.
  void Remove(DemandId demand);
  void SetRateCap(DemandId demand, int64_t rate_cap);
  void SetMultiplicity(DemandId demand, int64_t multiplicity);

  // Brings the rates up to date and returns the demands whose rate or bottleneck changed, by id; valid until the next call.
  absl::Span<const DemandId> Solve();
  // The same from scratch, over all demands.
  absl::Span<const DemandId> SolveAll();

  // As of the last Solve.
  int64_t rate(DemandId demand) const { return rate_[Index(demand)]; }
  // The saturated resource that fixed the rate (the first by id if several); none when the cap did.
  ResourceId bottleneck(DemandId demand) const { return bottleneck_[Index(demand)]; }
  // Whether no other demand is on any of its resources.
  bool alone(DemandId demand) const { return shared_[Index(demand)] == 0; }
  int64_t multiplicity(DemandId demand) const { return multiplicity_[Index(demand)]; }
  absl::Span<const ResourceId> resources(DemandId demand) const;
  absl::Span<const int64_t> weights(DemandId demand) const;
  int64_t capacity(ResourceId resource) const { return capacity_[static_cast<size_t>(resource.value())]; }
  // Σ n w x, in 1/65536 units per second.
  int64_t Usage(ResourceId resource) const;
  size_t num_resources() const { return capacity_.size(); }

 private:
  // A normalised rate as the exact fraction (3); denominator 0 when all on the resource are fixed.
  struct Level {
    int64_t numerator;
    int64_t denominator;
  };
  struct HeapEntry {
    Level level;
    int32_t resource;
  };
  static bool Less(const Level& x, const Level& y);
  static bool Above(const HeapEntry& x, const HeapEntry& y) { return Less(y.level, x.level); }
  size_t Index(DemandId demand) const;

  int32_t TakeBlock(size_t size);
  void Link(int32_t element, int32_t demand);
  void Unlink(int32_t element);

  // In fair_share_fill.cc.
  void SolveDirty();
  void Visit(int32_t demand);
  void VisitResource(int32_t resource);
  void SolveAlone(size_t demand);
  void Fill();
  void PrepareLevels();
  void PushLowestPrivate(int32_t demand);
  bool RefreshTop();
  bool FixCapped(const Level& level, size_t* next_cap);
  void FixSaturated(const Level& level);
  void Fix(int32_t demand, int64_t rate, ResourceId bottleneck);
  void SetResult(size_t demand, int64_t rate, ResourceId bottleneck);
  HeapEntry Current(int32_t resource) const;

  // By resource.
  std::vector<int64_t> capacity_;
  std::vector<int32_t> head_;  // first element on it, -1: none
  std::vector<int64_t> free_capacity_;  // during Fill: numerator of (3)
  std::vector<int64_t> load_;           // during Fill: denominator of (3)
  std::vector<int32_t> resource_epoch_;

  // By demand. A free row has multiplicity 0.
  std::vector<int32_t> first_;  // its block of elements
  std::vector<int32_t> size_;
  std::vector<int32_t> shared_;  // elements on resources where another demand is too
  std::vector<int64_t> rate_cap_;
  std::vector<int64_t> share_;
  std::vector<int64_t> multiplicity_;
  std::vector<int64_t> rate_;
  std::vector<ResourceId> bottleneck_;
  std::vector<int32_t> demand_epoch_;
  std::vector<uint8_t> unfixed_;  // during Fill
  std::vector<int32_t> free_demands_;

  // By element.
  std::vector<ResourceId> element_resource_;
  std::vector<int64_t> element_weight_;
  std::vector<int32_t> element_demand_;
  std::vector<int32_t> next_;  // on the same resource, -1: none
  std::vector<int32_t> previous_;
  std::array<std::vector<int32_t>, 31> free_blocks_;  // by log2 of their size

  // Touched since the last Solve.
  std::vector<int32_t> dirty_demands_;
  std::vector<int32_t> dirty_resources_;

  // Scratch of Solve.
  int32_t epoch_ = 0;
  std::vector<int32_t> component_;            // demands
  size_t num_unfixed_ = 0;
  std::vector<int32_t> component_resources_;
  std::vector<int32_t> by_cap_;
  std::vector<HeapEntry> heap_;
  std::vector<int32_t> saturated_;
  std::vector<DemandId> changed_;
};

}  // namespace stepsim::sim
