// The system: demands, elements, and what was touched. Filling is in fair_share_fill.cc.
#include "sim/engine/fair_share.h"

#include <bit>

#include "sim/base/check.h"

namespace stepsim::sim {
namespace {

constexpr int64_t kMaxShare = int64_t{1} << 32;

}  // namespace

ResourceId FairShareSolver::AddResource(int64_t capacity) {
  SIM_CHECK(capacity >= 0 && capacity <= kMaxCapacity) << "capacity " << capacity;
  capacity_.push_back(capacity);
  head_.push_back(-1);
  free_capacity_.push_back(0);
  load_.push_back(0);
  resource_epoch_.push_back(0);
  return ResourceId(static_cast<int32_t>(capacity_.size()) - 1);
}

void FairShareSolver::SetCapacity(ResourceId resource, int64_t capacity) {
  SIM_CHECK(capacity >= 0 && capacity <= kMaxCapacity) << "capacity " << capacity;
  int64_t& current = capacity_[static_cast<size_t>(resource.value())];
  if (current == capacity) return;
  current = capacity;
  dirty_resources_.push_back(resource.value());
}

DemandId FairShareSolver::Add(const Demand& demand) {
  SIM_CHECK(demand.rate_cap >= 0) << "cap " << demand.rate_cap;
  SIM_CHECK(demand.share >= 1 && demand.share <= kMaxShare) << "share " << demand.share;
  SIM_CHECK(demand.multiplicity >= 1) << "multiplicity " << demand.multiplicity;
  if (free_demands_.empty()) {
    free_demands_.push_back(static_cast<int32_t>(first_.size()));
    for (auto* column : {&first_, &size_, &shared_, &demand_epoch_}) column->push_back(0);
    for (auto* column : {&rate_cap_, &share_, &multiplicity_, &rate_}) column->push_back(0);
    bottleneck_.emplace_back();
    unfixed_.push_back(0);
  }
  const int32_t id = free_demands_.back();
  free_demands_.pop_back();
  const auto d = static_cast<size_t>(id);
  rate_cap_[d] = demand.rate_cap;
  share_[d] = demand.share;
  multiplicity_[d] = demand.multiplicity;
  rate_[d] = 0;
  bottleneck_[d] = ResourceId();
  shared_[d] = 0;
  size_[d] = static_cast<int32_t>(demand.elements.size());
  first_[d] = TakeBlock(demand.elements.size());
  ResourceId previous;
  int32_t e = first_[d];
  for (const Element& element : demand.elements) {
    SIM_CHECK(element.resource > previous && static_cast<size_t>(element.resource.value()) < capacity_.size() &&
              element.weight > 0)
        << "resource " << element.resource.value() << " after " << previous.value() << ", weight " << element.weight;
    previous = element.resource;
    element_resource_[static_cast<size_t>(e)] = element.resource;
    element_weight_[static_cast<size_t>(e)] = element.weight;
    Link(e++, id);
  }
  dirty_demands_.push_back(id);
  return DemandId(id);
}

void FairShareSolver::Remove(DemandId demand) {
  const size_t d = Index(demand);
  for (int32_t e = first_[d]; e < first_[d] + size_[d]; ++e) Unlink(e);
  if (size_[d] > 0) {
    free_blocks_[static_cast<size_t>(std::bit_width(static_cast<uint32_t>(size_[d]) - 1))].push_back(first_[d]);
  }
  multiplicity_[d] = 0;
  free_demands_.push_back(demand.value());
}

void FairShareSolver::SetRateCap(DemandId demand, int64_t rate_cap) {
  SIM_CHECK(rate_cap >= 0) << "cap " << rate_cap;
  rate_cap_[Index(demand)] = rate_cap;
  dirty_demands_.push_back(demand.value());
}

void FairShareSolver::SetMultiplicity(DemandId demand, int64_t multiplicity) {
  SIM_CHECK(multiplicity >= 1) << "multiplicity " << multiplicity;
  multiplicity_[Index(demand)] = multiplicity;
  dirty_demands_.push_back(demand.value());
}

absl::Span<const ResourceId> FairShareSolver::resources(DemandId demand) const {
  const size_t d = Index(demand);
  return {element_resource_.data() + first_[d], static_cast<size_t>(size_[d])};
}

absl::Span<const int64_t> FairShareSolver::weights(DemandId demand) const {
  const size_t d = Index(demand);
  return {element_weight_.data() + first_[d], static_cast<size_t>(size_[d])};
}

int64_t FairShareSolver::Usage(ResourceId resource) const {
  int64_t usage = 0;
  for (int32_t e = head_[static_cast<size_t>(resource.value())]; e >= 0; e = next_[static_cast<size_t>(e)]) {
    const auto d = static_cast<size_t>(element_demand_[static_cast<size_t>(e)]);
    usage += multiplicity_[d] * element_weight_[static_cast<size_t>(e)] * rate_[d];
  }
  return usage;
}

size_t FairShareSolver::Index(DemandId demand) const {
  const auto d = static_cast<size_t>(demand.value());
  SIM_CHECK(demand.valid() && d < multiplicity_.size() && multiplicity_[d] > 0) << "no demand " << demand.value();
  return d;
}

// Blocks are of 2^k elements, so that one freed serves the next demand of about its size.
int32_t FairShareSolver::TakeBlock(size_t size) {
  if (size == 0) return 0;
  const auto log2 = static_cast<size_t>(std::bit_width(size - 1));
  std::vector<int32_t>& blocks = free_blocks_[log2];
  if (blocks.empty()) {
    const size_t first = element_resource_.size();
    const size_t end = first + (size_t{1} << log2);
    SIM_CHECK(end <= INT32_MAX) << "too many elements";
    element_resource_.resize(end);
    element_weight_.resize(end);
    for (auto* column : {&element_demand_, &next_, &previous_}) column->resize(end);
    return static_cast<int32_t>(first);
  }
  const int32_t block = blocks.back();
  blocks.pop_back();
  return block;
}

void FairShareSolver::Link(int32_t element, int32_t demand) {
  const auto e = static_cast<size_t>(element);
  int32_t& head = head_[static_cast<size_t>(element_resource_[e].value())];
  element_demand_[e] = demand;
  previous_[e] = -1;
  next_[e] = head;
  if (head >= 0) {
    const auto second = static_cast<size_t>(head);
    previous_[second] = element;
    ++shared_[static_cast<size_t>(demand)];
    if (next_[second] < 0) ++shared_[static_cast<size_t>(element_demand_[second])];  // was alone there
  }
  head = element;
}

void FairShareSolver::Unlink(int32_t element) {
  const auto e = static_cast<size_t>(element);
  const int32_t resource = element_resource_[e].value();
  int32_t& head = head_[static_cast<size_t>(resource)];
  if (next_[e] >= 0) previous_[static_cast<size_t>(next_[e])] = previous_[e];
  if (previous_[e] >= 0) {
    next_[static_cast<size_t>(previous_[e])] = next_[e];
  } else {
    head = next_[e];
  }
  if (head < 0) return;
  dirty_resources_.push_back(resource);
  const auto first = static_cast<size_t>(head);
  if (next_[first] < 0) --shared_[static_cast<size_t>(element_demand_[first])];  // is alone there now
}

}  // namespace stepsim::sim
