#include "sim/collective/collective_model.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "sim/base/status.h"
#include "sim/collective/algorithms.h"
#include "sim/collective/plan_loads.h"
#include "sim/collective/tuner.h"

namespace stepsim::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Bytes kBarrierMessage(4);

struct KindEntry {
  const CollectiveAlgorithm* algorithm = nullptr;
  std::string algorithm_name;
  AlgorithmLoads loads;
  double simple_rate = 0;  // message bytes/s on an idle platform, protocol Simple
  std::array<std::optional<PlanLoads>, kNumProtocols> by_protocol;
};

struct GroupEntry {
  GroupLayout layout;
  GroupTraits traits;
  std::map<CollectiveKind, KindEntry> kinds;
};

bool IsPairwise(CollectiveKind kind) {
  return kind == CollectiveKind::kAllToAll || kind == CollectiveKind::kSendRecv;
}

absl::StatusOr<std::string> AlgorithmName(const CollectiveOptions& options, CollectiveKind kind) {
  if (IsPairwise(kind)) return std::string("p2p");
  if (options.algorithm == "auto") return std::string("ring");
  SIM_ASSIGN_OR_RETURN(const auto factory, CollectiveAlgorithms().Find(options.algorithm));
  if (factory()->Supports(kind)) return options.algorithm;
  return absl::UnimplementedError(
      absl::StrCat("collective algorithm ", options.algorithm, " does not do ", Name(kind)));
}

struct Choice {
  Protocol protocol = Protocol::kSimple;
  std::string note;
};

absl::StatusOr<Choice> Choose(const CollectiveOptions& options, const GroupTraits& traits,
                              CollectiveKind kind, int64_t bytes) {
  Choice choice;
  if (IsPairwise(kind)) return choice;
  if (options.protocol != "auto") {
    SIM_ASSIGN_OR_RETURN(choice.protocol, ParseProtocol(options.protocol));
    return choice;
  }
  const std::vector<TunerCost> costs = TunerCosts(traits, kind, bytes);
  choice.protocol = CheapestCost(costs, NcclAlgorithm::kRing).protocol;
  const TunerCost best = CheapestCost(costs, std::nullopt);
  if (best.algorithm != NcclAlgorithm::kRing && options.algorithm == "auto") {
    choice.note = absl::StrCat("NCCL would choose ", Name(best.algorithm), " ", Name(best.protocol),
                               " here; ring ", Name(choice.protocol), " is modelled");
  }
  return choice;
}

CollectivePlan LocalPlan(Bytes message) {
  CollectivePlan plan;
  plan.algorithm = "none";
  plan.protocol = Name(Protocol::kSimple);
  plan.message = message;
  plan.rate_cap = plan.idle_rate = BytesPerSecond(kInfinity);
  return plan;
}

// Rate and latency of the plan from its loads, the algorithm's time terms and the protocol.
CollectivePlan Assemble(const KindEntry& entry, const PlanLoads& loads, const AlgorithmContext& context,
                        const TimeQuery& query) {
  const AlgorithmTime time = entry.algorithm->Time(context, entry.loads, query);
  CollectivePlan plan;
  plan.algorithm = entry.algorithm_name;
  plan.protocol = Name(query.protocol);
  plan.channels = time.channels;
  plan.latency = Duration::FromMicroseconds(time.latency_us);
  plan.message = Bytes(query.bytes);
  plan.loads = loads.loads;
  plan.memory_traffic = time.memory_traffic;
  const double factor = entry.loads.cap_is_total ? 1 : WireFactor(query.protocol);
  plan.rate_cap = BytesPerSecond(std::min(entry.loads.rate_cap / factor, time.rate_cap));
  plan.cap_reason = entry.loads.rate_cap / factor <= time.rate_cap ? entry.loads.cap_reason : time.cap_reason;
  plan.idle_rate = std::min(plan.rate_cap, loads.rate);
  if (loads.rate <= plan.rate_cap) plan.bottleneck = loads.bottleneck;
  return plan;
}

}  // namespace

struct CollectiveModel::Cache {
  std::mutex mutex;
  absl::flat_hash_map<std::vector<GpuId>, std::unique_ptr<GroupEntry>> groups;  // looked up, never iterated

  absl::StatusOr<GroupEntry*> Group(const Platform& platform, const std::vector<GpuId>& gpus) {
    const auto found = groups.find(gpus);
    if (found != groups.end()) return found->second.get();
    auto entry = std::make_unique<GroupEntry>();
    SIM_ASSIGN_OR_RETURN(entry->layout, LayOut(platform, gpus));
    if (gpus.size() > 1) {
      SIM_ASSIGN_OR_RETURN(entry->traits, DeriveTraits(entry->layout));
    }
    return groups.emplace(gpus, std::move(entry)).first->second.get();
  }
};

namespace {

absl::StatusOr<KindEntry*> FindKind(const CollectiveOptions& options, const AlgorithmContext& context,
                                    CollectiveKind kind, GroupEntry* group) {
  const auto found = group->kinds.find(kind);
  if (found != group->kinds.end()) return &found->second;
  KindEntry entry;
  SIM_ASSIGN_OR_RETURN(entry.algorithm_name, AlgorithmName(options, kind));
  SIM_ASSIGN_OR_RETURN(const auto factory, CollectiveAlgorithms().Find(entry.algorithm_name));
  entry.algorithm = factory();
  SIM_ASSIGN_OR_RETURN(entry.loads, entry.algorithm->Loads(context, kind));
  entry.simple_rate =
      std::min(entry.loads.rate_cap, RateOfLinks(*context.layout->platform, entry.loads.links));
  return &group->kinds.emplace(kind, std::move(entry)).first->second;
}

}  // namespace

CollectiveModel::CollectiveModel(std::shared_ptr<const Platform> platform, CollectiveOptions options)
    : platform_(std::move(platform)), options_(std::move(options)), cache_(std::make_unique<Cache>()) {}
CollectiveModel::~CollectiveModel() = default;

absl::StatusOr<CollectivePlan> CollectiveModel::Plan(CollectiveKind kind, const std::vector<GpuId>& gpus,
                                                     Bytes message) const {
  if (message < Bytes()) return absl::InvalidArgumentError("a collective of a negative size");
  if (options_.qps_per_connection < 1)
    return absl::InvalidArgumentError("queue pairs per connection: at least 1");
  if (kind == CollectiveKind::kBarrier) message = kBarrierMessage;
  const std::lock_guard lock(cache_->mutex);
  SIM_ASSIGN_OR_RETURN(GroupEntry* const group, cache_->Group(*platform_, gpus));
  if (gpus.size() == 1) return LocalPlan(message);
  const AlgorithmContext context{
      .layout = &group->layout, .traits = &group->traits, .qps_per_connection = options_.qps_per_connection};
  SIM_ASSIGN_OR_RETURN(KindEntry* const entry, FindKind(options_, context, kind, group));
  SIM_ASSIGN_OR_RETURN(Choice choice, Choose(options_, group->traits, kind, message.count()));
  std::optional<PlanLoads>& loads = entry->by_protocol[static_cast<size_t>(choice.protocol)];
  if (!loads) loads = MakePlanLoads(*platform_, entry->loads.links, WireFactor(choice.protocol));
  const TimeQuery query{
      .kind = kind, .protocol = choice.protocol, .bytes = message.count(), .simple_rate = entry->simple_rate};
  CollectivePlan plan = Assemble(*entry, *loads, context, query);
  plan.note = std::move(choice.note);
  return plan;
}

}  // namespace stepsim::sim
