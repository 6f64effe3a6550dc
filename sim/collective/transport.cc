#include "sim/collective/transport.h"

#include "absl/strings/str_cat.h"
#include "sim/base/check.h"
#include "sim/base/status.h"

namespace stepsim::sim {
namespace {

const LocalRoute& GpuRoute(const std::vector<LocalRoute>& table, const NodeType& type, int32_t from,
                           int32_t to) {
  return table[static_cast<size_t>(from * type.num_gpus + to)];
}
const LocalRoute& NicRoute(const std::vector<LocalRoute>& table, const NodeType& type, int32_t gpu,
                           int32_t nic) {
  return table[static_cast<size_t>(gpu * type.num_nics + nic)];
}

absl::Status NoPath(const NodeScope& scope, absl::string_view from, absl::string_view to) {
  const std::string prefix = absl::StrCat("node", scope.node.value(), "/");
  return absl::FailedPreconditionError(absl::StrCat("no path from ", prefix, from, " to ", prefix, to));
}

void Append(const LocalRoute& route, Leg* leg) {
  leg->links.insert(leg->links.end(), route.links.begin(), route.links.end());
}

// P2P level: PXB, and SYS on AMD hosts with at most two GPUs (paths.cc, ncclTopoCheckP2p).
bool CopiesDirectly(const NodeScope& scope, int32_t from, int32_t to, PathType path) {
  if (path <= PathType::kNvlink) return true;
  if (!scope.type().pcie_peer_to_peer || !scope.spec(from).pcie_peer_to_peer ||
      !scope.spec(to).pcie_peer_to_peer)
    return false;
  const bool any_distance = scope.type().cpu == CpuVendor::kAmd && scope.num_members <= 2;
  return path <= PathType::kPxb || (any_distance && path <= PathType::kSys);
}

PortLimit DirectLimit(PathType path) {
  if (path <= PathType::kPxb) return PortLimit::kNone;
  return path == PathType::kSys ? PortLimit::kRootComplexAcrossSockets : PortLimit::kRootComplex;
}

PortLimit StagedLimit(PathType path) {
  return path == PathType::kSys ? PortLimit::kStagedAcrossSockets : PortLimit::kStaged;
}

// Whether to reach the NIC through its home GPU over NVLink.
bool GoesThrough(const NodeScope& scope, int32_t gpu, int32_t nic, int32_t home) {
  const LocalRoute& over = GpuRoute(scope.type().gpu_to_gpu, scope.type(), gpu, home);
  return gpu != home && over.reachable && over.type == PathType::kNvlink && HasGpuDirect(scope, home, nic);
}

}  // namespace

const char* Name(PortLimit limit) {
  switch (limit) {
    case PortLimit::kNone:
      return "no limit";
    case PortLimit::kStaged:
      return "host-staged hop within a socket";
    case PortLimit::kStagedAcrossSockets:
      return "host-staged hop across sockets";
    case PortLimit::kRootComplex:
      return "peer-to-peer through a root complex";
    case PortLimit::kRootComplexAcrossSockets:
      return "peer-to-peer across sockets";
  }
  SIM_CHECK(false) << "no such port limit";
  return "";
}

double LimitedRate(PortLimit limit, double pcie) {
  switch (limit) {
    case PortLimit::kNone:
      return std::numeric_limits<double>::infinity();
    case PortLimit::kStaged:
      return 1 / (1 / pcie + 1 / kStaging.turn_around);
    case PortLimit::kStagedAcrossSockets:
      return 1 / (1 / pcie + 1 / kStaging.turn_around + 1 / kStaging.across_sockets);
    case PortLimit::kRootComplex:
      return pcie * kStaging.root_complex_share;
    case PortLimit::kRootComplexAcrossSockets:
      return pcie * kStaging.root_complex_across_share;
  }
  SIM_CHECK(false) << "no such port limit";
  return 0;
}

absl::StatusOr<Leg> GpuToGpuLeg(const NodeScope& scope, int32_t from, int32_t to) {
  const NodeType& type = scope.type();
  const LocalRoute& direct = GpuRoute(type.gpu_to_gpu, type, from, to);
  const bool copies = direct.reachable && CopiesDirectly(scope, from, to, direct.type);
  const LocalRoute& route = copies ? direct : GpuRoute(type.gpu_to_gpu_staged, type, from, to);
  if (!route.reachable) return NoPath(scope, absl::StrCat("gpu", from), absl::StrCat("gpu", to));
  Leg leg;
  leg.path = direct.reachable ? direct.type : route.type;
  leg.limit = copies ? DirectLimit(direct.type) : StagedLimit(leg.path);
  leg.limits_first = leg.limits_last = leg.limit != PortLimit::kNone;
  Append(route, &leg);
  return leg;
}

PathType PathToNic(const NodeScope& scope, int32_t gpu, int32_t nic) {
  const LocalRoute& route = NicRoute(scope.type().gpu_to_nic, scope.type(), gpu, nic);
  return route.reachable ? route.type : PathType::kNet;
}

bool HasGpuDirect(const NodeScope& scope, int32_t gpu, int32_t nic) {
  return scope.type().gpu_direct_rdma && PathToNic(scope, gpu, nic) <= PathType::kPxb;
}

absl::StatusOr<Leg> GpuToNicLeg(const NodeScope& scope, int32_t gpu, int32_t nic, int32_t home) {
  const NodeType& type = scope.type();
  Leg leg;
  leg.path = PathToNic(scope, gpu, nic);
  if (HasGpuDirect(scope, gpu, nic)) {
    Append(NicRoute(type.gpu_to_nic, type, gpu, nic), &leg);
  } else if (GoesThrough(scope, gpu, nic, home)) {
    Append(GpuRoute(type.gpu_to_gpu, type, gpu, home), &leg);
    Append(NicRoute(type.gpu_to_nic, type, home, nic), &leg);
  } else {
    const LocalRoute& staged = NicRoute(type.gpu_to_nic_staged, type, gpu, nic);
    if (!staged.reachable) return NoPath(scope, absl::StrCat("gpu", gpu), absl::StrCat("nic", nic));
    leg.limit = StagedLimit(leg.path);
    leg.limits_first = true;
    Append(staged, &leg);
  }
  return leg;
}

absl::StatusOr<Leg> NicToGpuLeg(const NodeScope& scope, int32_t nic, int32_t gpu, int32_t home) {
  const NodeType& type = scope.type();
  Leg leg;
  leg.path = PathToNic(scope, gpu, nic);
  if (HasGpuDirect(scope, gpu, nic)) {
    Append(NicRoute(type.nic_to_gpu, type, gpu, nic), &leg);
  } else if (GoesThrough(scope, gpu, nic, home)) {
    Append(NicRoute(type.nic_to_gpu, type, home, nic), &leg);
    Append(GpuRoute(type.gpu_to_gpu, type, home, gpu), &leg);
  } else {
    const LocalRoute& staged = NicRoute(type.nic_to_gpu_staged, type, gpu, nic);
    if (!staged.reachable) return NoPath(scope, absl::StrCat("nic", nic), absl::StrCat("gpu", gpu));
    leg.limit = StagedLimit(leg.path);
    leg.limits_last = true;
    Append(staged, &leg);
  }
  return leg;
}

}  // namespace stepsim::sim
