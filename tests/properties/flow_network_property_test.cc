// Laws of the fluid network on random traffic.
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "sim/base/random.h"
#include "sim/network/flow_network.h"
#include "tests/network/link_platform.h"

namespace stepsim::sim {
namespace {

struct Traffic {
  int64_t begin_ps;
  int64_t bytes;
  std::vector<LinkLoad> loads;
};

constexpr int kLinks = 10;

std::vector<Traffic> MakeTraffic(RandomStream* random, int flows) {
  std::vector<Traffic> traffic;
  int64_t now = 0;
  for (int i = 0; i < flows; ++i) {
    now += random->Below(3) == 0 ? 0 : static_cast<int64_t>(random->Below(2'000'000'000));
    Traffic flow{now, static_cast<int64_t>(random->Below(1 << 22)), {}};
    for (int link = static_cast<int>(random->Below(3)); link < kLinks; link += 1 + static_cast<int>(random->Below(kLinks))) {
      flow.loads.push_back({NthLink(link), 1 + static_cast<int64_t>(random->Below(2 * kLoadUnit))});
    }
    traffic.push_back(std::move(flow));
  }
  return traffic;
}

// Begins each flow at its time and notes when it ends.
class Player : public EventHandler {
 public:
  Player(std::shared_ptr<const Platform> platform, std::vector<Traffic> traffic)
      : traffic_(std::move(traffic)), handler_(simulator_.AddHandler(this)),
        network_(std::move(platform), &simulator_, handler_, kDone) {
    for (size_t i = 0; i < traffic_.size(); ++i) {
      simulator_.At(Time::Picoseconds(traffic_[i].begin_ps), EventPriority::kArrival,
                    Event{handler_, kBegin, static_cast<int64_t>(i), 0});
    }
  }
  void OnEvent(const Event& event) override {
    if (event.kind == kBegin) {
      const Traffic& flow = traffic_[static_cast<size_t>(event.a)];
      network_.Start({Bytes(flow.bytes), flow.loads, cap_, event.a, 1});
    } else {
      ended_ps_[event.b] = simulator_.Now().picoseconds();
    }
  }
  const std::map<int64_t, int64_t>& Run() {
    simulator_.Run();
    return ended_ps_;
  }
  FlowNetwork& network() { return network_; }

 private:
  enum Kind : int32_t { kBegin, kDone };
  BytesPerSecond cap_ = BytesPerSecond(std::numeric_limits<double>::infinity());
  std::vector<Traffic> traffic_;
  Simulator simulator_;
  HandlerId handler_;
  FlowNetwork network_;
  std::map<int64_t, int64_t> ended_ps_;
};

std::shared_ptr<const Platform> RandomLinks(RandomStream* random) {
  std::vector<double> capacities;
  for (int i = 0; i < kLinks; ++i) capacities.push_back(1e8 + static_cast<double>(random->Below(5'000'000'000)));
  return LinkPlatform(capacities);
}

TEST(FlowNetworkProperty, EveryLinkCarriesWhatTheFlowsPutOnIt) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    RandomStream random(seed, "conservation");
    const auto platform = RandomLinks(&random);
    const std::vector<Traffic> traffic = MakeTraffic(&random, 60);
    Player player(platform, traffic);
    ASSERT_EQ(player.Run().size(), traffic.size());
    std::vector<Int128> expected(kLinks);
    for (const Traffic& flow : traffic) {
      for (const LinkLoad& load : flow.loads) expected[static_cast<size_t>(load.link.value() / 2)] += Product(flow.bytes, load.weight);
    }
    const IdVector<LinkId, Bytes> carried = player.network().Carried();
    for (int i = 0; i < kLinks; ++i) {
      EXPECT_EQ(carried[NthLink(i)].count(), static_cast<int64_t>(expected[static_cast<size_t>(i)] / kLoadUnit));
      EXPECT_EQ(player.network().LinkRate(NthLink(i)).per_second(), 0);
    }
  }
}

TEST(FlowNetworkProperty, NoFlowIsFasterThanAloneOnThePlatform) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    RandomStream random(seed, "alone");
    const auto platform = RandomLinks(&random);
    const std::vector<Traffic> traffic = MakeTraffic(&random, 60);
    Player together(platform, traffic);
    const std::map<int64_t, int64_t> ended = together.Run();
    for (size_t i = 0; i < traffic.size(); ++i) {
      Player alone(platform, {traffic[i]});
      EXPECT_GE(ended.at(static_cast<int64_t>(i)), alone.Run().at(0)) << "seed " << seed << ", flow " << i;
    }
  }
}

TEST(FlowNetworkProperty, SameTrafficEndsAtTheSamePicosecond) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    RandomStream random(seed, "determinism");
    const auto platform = RandomLinks(&random);
    const std::vector<Traffic> traffic = MakeTraffic(&random, 100);
    Player first(platform, traffic), second(platform, traffic);
    EXPECT_EQ(first.Run(), second.Run());
  }
}

TEST(FlowNetworkProperty, DisjointTrafficChangesNothing) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    RandomStream random(seed, "disjoint");
    const auto platform = RandomLinks(&random);
    std::vector<Traffic> traffic = MakeTraffic(&random, 40);
    for (Traffic& flow : traffic) {  // forward directions only: even links
      for (const LinkLoad& load : flow.loads) ASSERT_EQ(load.link.value() % 2, 0);
    }
    Player quiet(platform, traffic);
    const std::map<int64_t, int64_t> expected = quiet.Run();
    for (Traffic flow : MakeTraffic(&random, 40)) {
      for (LinkLoad& load : flow.loads) load.link = platform->link(load.link).reverse;
      traffic.push_back(std::move(flow));
    }
    Player busy(platform, traffic);
    const std::map<int64_t, int64_t> actual = busy.Run();
    for (const auto& [flow, end] : expected) EXPECT_EQ(actual.at(flow), end);
  }
}

}  // namespace
}  // namespace stepsim::sim
