// A training framework's host costs and defaults (configs/frameworks).
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "sim/config/catalogue.h"
#include "sim/config/schema.h"
#include "workloads/tape/host_cost.h"

namespace stepsim::workloads {

// Time that the issuing thread spends, per event (docs/models/host.md).
struct HostModel {
  sim::Duration forward_launch, backward_launch, recompute_launch, optimizer_launch;
  sim::Duration memset, side_stream_launch, collective, read_back;
  sim::Duration ddp_parameter;
  sim::Duration fsdp_gather_forward, fsdp_gather_backward, fsdp_reduce;
  sim::Duration optimizer_base, optimizer_tensor, optimizer_sharded_tensor;
  sim::Duration launch_latency;  // from a launch call to the kernel's start on an idle stream
  sim::Duration kernel_gap;      // between queued kernels of a stream
  // Launches cost this much more or less by family: modules and Python between two launches differ.
  double llama_factor = 1, gpt_factor = 1, bert_factor = 1;
};

struct FrameworkSpec {
  std::string name;
  HostModel host;
  double bucket_mb = 25;        // DDP, MiB
  double first_bucket_mb = 1;
  bool no_sync = false;
};

const sim::Schema<FrameworkSpec>& FrameworkSchema();

// `name`: a file of configs/frameworks ("pytorch").
absl::StatusOr<FrameworkSpec> LoadFramework(const sim::Catalogue& catalogue, const std::string& name = "pytorch");

// What a launch costs for one family. cluster_gemm: cuBLAS clears a flag before each GEMM (compute capability ≥ 9).
HostCost HostCostOf(const HostModel& host, const std::string& family, bool cluster_gemm);

}  // namespace stepsim::workloads
