// A flow network whose ends are noted by token.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "sim/network/flow_network.h"
#include "tests/network/link_platform.h"

namespace stepsim::sim {

class NetworkFixture : public ::testing::Test, public EventHandler {
 protected:
  void Build(const std::vector<double>& bytes_per_second) {
    platform_ = LinkPlatform(bytes_per_second);
    network_ = std::make_unique<FlowNetwork>(platform_, &simulator_, simulator_.AddHandler(this), kDone);
  }
  void OnEvent(const Event& event) override {
    EXPECT_EQ(event.kind, kDone);
    ended_ps[event.b] = simulator_.Now().picoseconds();
  }
  FlowId Start(int64_t bytes, const std::vector<LinkLoad>& loads, int64_t token,
               std::optional<double> cap = std::nullopt, int64_t multiplicity = 1) {
    FlowSpec flow;
    flow.message = Bytes(bytes);
    flow.loads = loads;
    if (cap) flow.rate_cap = BytesPerSecond(*cap);
    flow.token = token;
    flow.multiplicity = multiplicity;
    return network_->Start(flow);
  }
  void RunTo(int64_t ps) { simulator_.RunUntil(Time::Picoseconds(ps)); }
  double Rate(FlowId flow) const { return network_->rate(flow).per_second(); }
  int64_t Carried(int link) { return network_->Carried()[NthLink(link)].count(); }

  static constexpr int32_t kDone = 17;
  static constexpr int64_t kSecond = 1'000'000'000'000;  // ps
  Simulator simulator_;
  std::shared_ptr<const Platform> platform_;
  std::unique_ptr<FlowNetwork> network_;
  std::map<int64_t, int64_t> ended_ps;
};

}  // namespace stepsim::sim
