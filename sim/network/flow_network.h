// Fluid network: at every instant the flows share the links max-min fairly, and each progresses at its rate until a flow
// begins, a flow ends or a capacity changes. Equations, sources and validity: docs/models/network.md.
//
// On the link that would bound it on an idle platform a flow counts with its wire bytes: two flows that contend there get
// equal wire rates, so the one with twice the weight gets half the message rate (FairShareSolver's share, s = 1 / weight).
//
// A flow alone on its links starts and ends in one pass over them, without a solve. Otherwise all begins and ends of an
// instant are solved together, once, for the flows connected to them; others are not touched.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/engine/activity.h"
#include "sim/engine/fair_share.h"
#include "sim/engine/simulator.h"
#include "sim/network/network_model.h"
#include "sim/platform/platform.h"

namespace stepsim::sim {

class FlowNetwork : public NetworkModel, public EventHandler {
 public:
  // The end of a flow reaches `receiver` as Event{kind = done_kind, a = flow id, b = token}. The simulator must outlive
  // the network, and must not run any more once the network is gone.
  FlowNetwork(std::shared_ptr<const Platform> platform, Simulator* simulator, HandlerId receiver, int32_t done_kind);

  using NetworkModel::Start;
  FlowId Start(const FlowSpec& flow) override;
  void ScaleCapacity(LinkId link, double factor) override;
  IdVector<LinkId, Bytes> Carried() override;

  // Message bytes per second; 0 until the sharing of the instant at which the flow began is solved.
  BytesPerSecond rate(FlowId flow) const;
  // The saturated link that sets the flow's rate now; none when its cap does.
  LinkId bottleneck(FlowId flow) const;
  // Wire bytes per second on a link now.
  BytesPerSecond LinkRate(LinkId link) const;
  // Flows that will not end as things stand (no capacity, or beyond the clock's range), by id.
  std::vector<FlowId> Stalled() const;
  int64_t num_flows() const { return activities_.size(); }
  int64_t token(FlowId flow) const { return activities_.token(ActivityId(flow.value())); }

  void OnEvent(const Event& event) override;

 private:
  enum EventKind : int32_t { kFlowDone, kRates };

  // By flow id, which is the id of its activity too.
  struct Flow {
    DemandId demand;
    int64_t settled = 0;  // message bytes already counted in carried_
  };

  DemandId AddDemand(const FlowSpec& flow);
  int64_t ShareOf(const std::vector<FairShareSolver::Element>& elements) const;
  void Finish(FlowId id);
  void Settle(FlowId id);
  void RequestRates();
  void UpdateRates();
  DemandId DemandOf(FlowId id) const { return flows_[static_cast<size_t>(id.value())].demand; }

  std::shared_ptr<const Platform> platform_;
  Simulator* simulator_;
  HandlerId receiver_;
  int32_t done_kind_;
  HandlerId handler_;
  ActivitySet activities_;
  FairShareSolver solver_;  // resource = link
  std::vector<Flow> flows_;
  std::vector<FlowId> flow_of_;  // by demand
  std::vector<Int128> carried_;  // by link, 1/65536 bytes
  std::vector<FairShareSolver::Element> elements_;  // scratch
  bool rates_requested_ = false;
};

}  // namespace stepsim::sim
