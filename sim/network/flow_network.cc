#include "sim/network/flow_network.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"

namespace stepsim::sim {
namespace {

static_assert(FairShareSolver::kWeightUnit == kLoadUnit);
static_assert(FairShareSolver::kUnlimited == kUnlimitedRate);

// A share of 2^32 / weight keeps share · weight near 2^32 on the bounding link; 2^44 on any other leaves room for 2^18
// flows a link within the solver's 2^62.
constexpr int64_t kShareScale = int64_t{1} << 32;
constexpr int64_t kMaxShareTimesWeight = int64_t{1} << 44;

// Whole bytes per second. What is faster than the solver's 140 TB/s is no bottleneck; what is slower than 1 B/s is 1 B/s.
int64_t WholeCapacity(BytesPerSecond rate) {
  if (!(rate.per_second() > 0)) return 0;
  if (rate.per_second() >= static_cast<double>(FairShareSolver::kMaxCapacity)) return FairShareSolver::kMaxCapacity;
  return std::max<int64_t>(1, static_cast<int64_t>(rate.per_second()));
}

int64_t WholeCap(BytesPerSecond rate) {
  SIM_CHECK(rate.per_second() >= 0) << "rate cap " << rate.per_second();
  return rate.per_second() >= 9.2e18 ? FairShareSolver::kUnlimited : static_cast<int64_t>(rate.per_second());
}

}  // namespace

FlowNetwork::FlowNetwork(std::shared_ptr<const Platform> platform, Simulator* simulator, HandlerId receiver,
                         int32_t done_kind)
    : platform_(std::move(platform)),
      simulator_(simulator),
      receiver_(receiver),
      done_kind_(done_kind),
      handler_(simulator->AddHandler(this)),
      activities_(simulator, handler_, kFlowDone),
      carried_(static_cast<size_t>(platform_->num_links())) {
  for (const Link& link : platform_->data().links) solver_.AddResource(WholeCapacity(link.capacity));
}

FlowId FlowNetwork::Start(const FlowSpec& flow) {
  const DemandId demand = AddDemand(flow);
  const ActivityId activity = activities_.Start(flow.message.count(), 0, flow.token);
  const auto row = static_cast<size_t>(activity.value());
  if (row >= flows_.size()) flows_.resize(row + 1);
  flows_[row] = Flow{demand, 0};
  const FlowId id(activity.value());
  const auto column = static_cast<size_t>(demand.value());
  if (column >= flow_of_.size()) flow_of_.resize(column + 1);
  flow_of_[column] = id;
  if (solver_.alone(demand) && !rates_requested_) {
    UpdateRates();
  } else {
    RequestRates();
  }
  return id;
}

void FlowNetwork::ScaleCapacity(LinkId link, double factor) {
  SIM_CHECK(factor >= 0 && std::isfinite(factor)) << "capacity factor " << factor;
  solver_.SetCapacity(ResourceId(link.value()), WholeCapacity(platform_->link(link).capacity * factor));
  RequestRates();
}

IdVector<LinkId, Bytes> FlowNetwork::Carried() {
  for (const FlowId id : flow_of_) {
    if (id.valid()) Settle(id);
  }
  IdVector<LinkId, Bytes> carried;
  carried.reserve(carried_.size());
  for (const Int128 amount : carried_) carried.push_back(Bytes(static_cast<int64_t>(amount / kLoadUnit)));
  return carried;
}

BytesPerSecond FlowNetwork::rate(FlowId flow) const {
  return BytesPerSecond(static_cast<double>(activities_.rate(ActivityId(flow.value()))));
}

LinkId FlowNetwork::bottleneck(FlowId flow) const { return LinkId(solver_.bottleneck(DemandOf(flow)).value()); }

BytesPerSecond FlowNetwork::LinkRate(LinkId link) const {
  return BytesPerSecond(static_cast<double>(solver_.Usage(ResourceId(link.value()))) / static_cast<double>(kLoadUnit));
}

std::vector<FlowId> FlowNetwork::Stalled() const {
  std::vector<FlowId> flows;
  for (const ActivityId activity : activities_.Stalled()) flows.emplace_back(activity.value());
  return flows;
}

void FlowNetwork::OnEvent(const Event& event) {
  switch (static_cast<EventKind>(event.kind)) {
    case kFlowDone:
      return Finish(FlowId(static_cast<int32_t>(event.a)));
    case kRates:
      rates_requested_ = false;
      return UpdateRates();
  }
}

DemandId FlowNetwork::AddDemand(const FlowSpec& flow) {
  elements_.clear();
  for (const LinkLoad& load : flow.loads) {
    if (load.weight != 0) elements_.push_back({ResourceId(load.link.value()), load.weight});
  }
  FairShareSolver::Demand demand;
  demand.elements = elements_;
  demand.rate_cap = WholeCap(flow.rate_cap);
  demand.share = ShareOf(elements_);
  demand.multiplicity = flow.multiplicity;
  return solver_.Add(demand);
}

// The bounding link has the most weight per capacity of the platform; on a tie the one with the most weight.
int64_t FlowNetwork::ShareOf(const std::vector<FairShareSolver::Element>& elements) const {
  double highest = -1;
  int64_t weight = 1, heaviest = 1;
  for (const FairShareSolver::Element& element : elements) {
    const LinkId link(element.resource.value());
    const double pressure = static_cast<double>(element.weight) / platform_->link(link).capacity.per_second();
    heaviest = std::max(heaviest, element.weight);
    if (pressure < highest || (pressure == highest && element.weight <= weight)) continue;
    highest = pressure;
    weight = element.weight;
  }
  return std::max<int64_t>(1, std::min((kShareScale + weight / 2) / weight, kMaxShareTimesWeight / heaviest));
}

void FlowNetwork::Finish(FlowId id) {
  const ActivityId activity(id.value());
  const DemandId demand = DemandOf(id);
  Settle(id);
  const bool others_gain = !solver_.alone(demand);
  solver_.Remove(demand);
  flow_of_[static_cast<size_t>(demand.value())] = FlowId();
  const Event done{receiver_, done_kind_, id.value(), activities_.token(activity)};
  activities_.Remove(activity);
  if (others_gain) RequestRates();
  simulator_->Deliver(done);
}

void FlowNetwork::Settle(FlowId id) {
  Flow& flow = flows_[static_cast<size_t>(id.value())];
  const int64_t done = activities_.WorkDone(ActivityId(id.value()));
  const int64_t bytes = (done - flow.settled) * solver_.multiplicity(flow.demand);
  flow.settled = done;
  if (bytes == 0) return;
  const absl::Span<const ResourceId> links = solver_.resources(flow.demand);
  const absl::Span<const int64_t> weights = solver_.weights(flow.demand);
  for (size_t i = 0; i < links.size(); ++i) {
    carried_[static_cast<size_t>(links[i].value())] += Product(weights[i], bytes);
  }
}

void FlowNetwork::RequestRates() {
  if (rates_requested_) return;
  rates_requested_ = true;
  simulator_->At(simulator_->Now(), EventPriority::kRateUpdate, Event{handler_, kRates, 0, 0});
}

void FlowNetwork::UpdateRates() {
  for (const DemandId demand : solver_.Solve()) {
    activities_.SetRate(ActivityId(flow_of_[static_cast<size_t>(demand.value())].value()), solver_.rate(demand));
  }
}

}  // namespace stepsim::sim
