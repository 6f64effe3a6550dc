// Solving: the touched components, and progressive filling within them. Steps a and b are those of fair_share.h.
#include <algorithm>

#include "sim/base/check.h"
#include "sim/engine/fair_share.h"
#include "sim/engine/wide.h"

namespace stepsim::sim {

absl::Span<const DemandId> FairShareSolver::Solve() {
  changed_.clear();
  if (!dirty_demands_.empty() || !dirty_resources_.empty()) SolveDirty();
  return changed_;
}

absl::Span<const DemandId> FairShareSolver::SolveAll() {
  dirty_demands_.clear();
  for (size_t d = 0; d < multiplicity_.size(); ++d) {
    if (multiplicity_[d] > 0) dirty_demands_.push_back(static_cast<int32_t>(d));
  }
  return Solve();
}

// Several components are filled in one go: they do not see each other.
void FairShareSolver::SolveDirty() {
  if (++epoch_ == INT32_MAX) {
    epoch_ = 1;
    std::fill(resource_epoch_.begin(), resource_epoch_.end(), 0);
    std::fill(demand_epoch_.begin(), demand_epoch_.end(), 0);
  }
  component_.clear();
  component_resources_.clear();
  for (const int32_t resource : dirty_resources_) VisitResource(resource);
  for (const int32_t demand : dirty_demands_) Visit(demand);
  dirty_resources_.clear();
  dirty_demands_.clear();
  for (size_t i = 0; i < component_.size(); ++i) {  // grows while it runs
    const auto d = static_cast<size_t>(component_[i]);
    for (int32_t e = first_[d]; e < first_[d] + size_[d]; ++e) {
      VisitResource(element_resource_[static_cast<size_t>(e)].value());
    }
  }
  if (!component_.empty()) Fill();
  std::sort(changed_.begin(), changed_.end());
}

void FairShareSolver::VisitResource(int32_t resource) {
  const auto r = static_cast<size_t>(resource);
  if (resource_epoch_[r] == epoch_) return;
  resource_epoch_[r] = epoch_;
  component_resources_.push_back(resource);
  for (int32_t e = head_[r]; e >= 0; e = next_[static_cast<size_t>(e)]) {
    Visit(element_demand_[static_cast<size_t>(e)]);
  }
}

// Demands alone on their resources are solved at once and join no component.
void FairShareSolver::Visit(int32_t demand) {
  const auto d = static_cast<size_t>(demand);
  if (demand_epoch_[d] == epoch_ || multiplicity_[d] == 0) return;
  demand_epoch_[d] = epoch_;
  if (shared_[d] == 0) {
    SolveAlone(d);
  } else {
    component_.push_back(demand);
  }
}

// Its level on r is 65536 C_r / (n w s), so floor(s L) = floor(65536 C_r / (n w)).
void FairShareSolver::SolveAlone(size_t demand) {
  const int64_t n = multiplicity_[demand];
  const auto begin = static_cast<size_t>(first_[demand]);
  const size_t end = begin + static_cast<size_t>(size_[demand]);
  int64_t capacity = 1;  // of the slowest so far, with its weight; 1 / 0 is infinite
  int64_t weight = 0;
  ResourceId slowest;
  for (size_t e = begin; e < end; ++e) {
    const int64_t c = capacity_[static_cast<size_t>(element_resource_[e].value())];
    if (Product(c, weight) < Product(capacity, element_weight_[e])) {
      capacity = c;
      weight = element_weight_[e];
      slowest = element_resource_[e];
    }
  }
  if (!slowest.valid()) return SetResult(demand, rate_cap_[demand], ResourceId());
  const auto fair = static_cast<int64_t>(Product(capacity, kWeightUnit) / Product(n, weight));
  if (rate_cap_[demand] <= fair) return SetResult(demand, rate_cap_[demand], ResourceId());
  SetResult(demand, fair, slowest);
}

void FairShareSolver::Fill() {
  PrepareLevels();
  size_t next_cap = 0;
  num_unfixed_ = component_.size();
  while (num_unfixed_ > 0) {
    SIM_CHECK(RefreshTop()) << "a demand on no resource of its component";
    const Level level = heap_.front().level;
    if (FixCapped(level, &next_cap)) continue;
    saturated_.clear();
    do {
      saturated_.push_back(heap_.front().resource);
      std::pop_heap(heap_.begin(), heap_.end(), Above);
      heap_.pop_back();
    } while (RefreshTop() && !Less(level, heap_.front().level));
    FixSaturated(level);
  }
}

void FairShareSolver::PrepareLevels() {
  for (const int32_t resource : component_resources_) {
    const auto r = static_cast<size_t>(resource);
    free_capacity_[r] = capacity_[r] * kWeightUnit;
    load_[r] = 0;
  }
  by_cap_.clear();
  for (const int32_t demand : component_) {
    const auto d = static_cast<size_t>(demand);
    unfixed_[d] = 1;
    if (rate_cap_[d] != kUnlimited) by_cap_.push_back(demand);
    const Int128 per_weight = Product(multiplicity_[d], share_[d]);
    for (int32_t e = first_[d]; e < first_[d] + size_[d]; ++e) {
      int64_t& load = load_[static_cast<size_t>(element_resource_[static_cast<size_t>(e)].value())];
      const Int128 sum = load + per_weight * element_weight_[static_cast<size_t>(e)];
      SIM_CHECK(sum <= kMaxLoad) << "load beyond 2^62 on resource " << element_resource_[static_cast<size_t>(e)].value();
      load = static_cast<int64_t>(sum);
    }
  }
  std::sort(by_cap_.begin(), by_cap_.end(), [this](int32_t x, int32_t y) {
    const auto i = static_cast<size_t>(x);
    const auto j = static_cast<size_t>(y);
    return Product(rate_cap_[i], share_[j]) < Product(rate_cap_[j], share_[i]);
  });
  heap_.clear();
  for (const int32_t demand : component_) PushLowestPrivate(demand);
  for (const int32_t resource : component_resources_) {
    const int32_t head = head_[static_cast<size_t>(resource)];
    if (head >= 0 && next_[static_cast<size_t>(head)] >= 0) heap_.push_back(Current(resource));
  }
  std::make_heap(heap_.begin(), heap_.end(), Above);
}

// Of the resources that a demand has for itself only the one of lowest level can ever bind: the heap holds no other, and a
// demand with thousands of elements costs the heap one entry.
void FairShareSolver::PushLowestPrivate(int32_t demand) {
  const auto d = static_cast<size_t>(demand);
  HeapEntry lowest{{0, 0}, -1};
  for (int32_t e = first_[d]; e < first_[d] + size_[d]; ++e) {
    if (next_[static_cast<size_t>(e)] >= 0 || previous_[static_cast<size_t>(e)] >= 0) continue;
    const HeapEntry entry = Current(element_resource_[static_cast<size_t>(e)].value());
    if (lowest.resource < 0 || Less(entry.level, lowest.level)) lowest = entry;
  }
  if (lowest.resource >= 0) heap_.push_back(lowest);
}

// Levels only rise while demands are fixed, so an entry that was current and lowest once is a lower bound later: it
// is brought up to date only when it surfaces. False when no resource is left that can bind.
bool FairShareSolver::RefreshTop() {
  while (!heap_.empty()) {
    const HeapEntry now = Current(heap_.front().resource);
    const Level& then = heap_.front().level;
    if (now.level.numerator == then.numerator && now.level.denominator == then.denominator) return true;
    std::pop_heap(heap_.begin(), heap_.end(), Above);
    if (now.level.denominator == 0) {
      heap_.pop_back();
      continue;
    }
    heap_.back() = now;
    std::push_heap(heap_.begin(), heap_.end(), Above);
  }
  return false;
}

// Step a.
bool FairShareSolver::FixCapped(const Level& level, size_t* next_cap) {
  bool any = false;
  for (; *next_cap < by_cap_.size(); ++*next_cap) {
    const int32_t demand = by_cap_[*next_cap];
    const auto d = static_cast<size_t>(demand);
    if (unfixed_[d] == 0) continue;
    if (Product(rate_cap_[d], level.denominator) > Product(share_[d], level.numerator)) break;
    Fix(demand, rate_cap_[d], ResourceId());
    any = true;
  }
  return any;
}

// Step b, for the resources in saturated_; the first by id is named as the bottleneck.
void FairShareSolver::FixSaturated(const Level& level) {
  std::sort(saturated_.begin(), saturated_.end());
  for (const int32_t resource : saturated_) {
    for (int32_t e = head_[static_cast<size_t>(resource)]; e >= 0; e = next_[static_cast<size_t>(e)]) {
      const int32_t demand = element_demand_[static_cast<size_t>(e)];
      const auto d = static_cast<size_t>(demand);
      if (unfixed_[d] == 0) continue;
      Fix(demand, static_cast<int64_t>(Product(share_[d], level.numerator) / level.denominator), ResourceId(resource));
    }
  }
}

void FairShareSolver::Fix(int32_t demand, int64_t rate, ResourceId bottleneck) {
  const auto d = static_cast<size_t>(demand);
  unfixed_[d] = 0;
  --num_unfixed_;
  const int64_t all = multiplicity_[d] * rate;
  const int64_t per_weight = multiplicity_[d] * share_[d];
  for (int32_t e = first_[d]; e < first_[d] + size_[d]; ++e) {
    const auto r = static_cast<size_t>(element_resource_[static_cast<size_t>(e)].value());
    const int64_t weight = element_weight_[static_cast<size_t>(e)];
    free_capacity_[r] -= weight * all;
    load_[r] -= weight * per_weight;
  }
  SetResult(d, rate, bottleneck);
}

void FairShareSolver::SetResult(size_t demand, int64_t rate, ResourceId bottleneck) {
  if (rate_[demand] == rate && bottleneck_[demand] == bottleneck) return;
  rate_[demand] = rate;
  bottleneck_[demand] = bottleneck;
  changed_.emplace_back(static_cast<int32_t>(demand));
}

FairShareSolver::HeapEntry FairShareSolver::Current(int32_t resource) const {
  const auto r = static_cast<size_t>(resource);
  return HeapEntry{{free_capacity_[r], load_[r]}, resource};
}

bool FairShareSolver::Less(const Level& x, const Level& y) {
  return Product(x.numerator, y.denominator) < Product(y.numerator, x.denominator);
}

}  // namespace stepsim::sim
