#include "workloads/framework_spec.h"

#include "sim/base/status.h"

namespace stepsim::workloads {
namespace {

const sim::Schema<HostModel>& HostSchema() {
  static const auto* schema = [] {
    auto* s = new sim::Schema<HostModel>("host");
    const auto time = [s](const char* name, sim::Duration HostModel::*member, const char* help) {
      s->Time(name, member, {.help = help, .required = true, .min = 0});
    };
    time("forward_launch", &HostModel::forward_launch, "per kernel of the forward");
    time("backward_launch", &HostModel::backward_launch, "per kernel of the backward");
    time("recompute_launch", &HostModel::recompute_launch, "per kernel of a recomputed forward");
    time("optimizer_launch", &HostModel::optimizer_launch, "per kernel of clipping and optimizer");
    time("memset", &HostModel::memset, "per memset");
    time("side_stream_launch", &HostModel::side_stream_launch, "per kernel on a stream of the wrapper");
    time("collective", &HostModel::collective, "per collective call");
    time("read_back", &HostModel::read_back, "copy to the host that the host waits for");
    time("ddp_parameter", &HostModel::ddp_parameter, "DDP's hook, per parameter");
    time("fsdp_gather_forward", &HostModel::fsdp_gather_forward, "FSDP2, per unit gathered in forward");
    time("fsdp_gather_backward", &HostModel::fsdp_gather_backward, "FSDP2, per unit gathered in backward");
    time("fsdp_reduce", &HostModel::fsdp_reduce, "FSDP2, per unit reduced");
    time("optimizer_base", &HostModel::optimizer_base, "per optimizer step");
    time("optimizer_tensor", &HostModel::optimizer_tensor, "per parameter and optimizer step");
    time("optimizer_sharded_tensor", &HostModel::optimizer_sharded_tensor, "the same for a DTensor of FSDP2");
    time("launch_latency", &HostModel::launch_latency, "from a launch call to the kernel's start on an idle stream");
    time("kernel_gap", &HostModel::kernel_gap, "between queued kernels of a stream");
    s->Number("llama_factor", &HostModel::llama_factor, {.help = "launch costs of llama", .positive = true})
        .Number("gpt_factor", &HostModel::gpt_factor, {.help = "launch costs of gpt", .positive = true})
        .Number("bert_factor", &HostModel::bert_factor, {.help = "launch costs of bert", .positive = true});
    return s;
  }();
  return *schema;
}

int64_t Nanoseconds(sim::Duration duration, double factor = 1) {
  return sim::Duration::FromSeconds(duration.seconds() * factor).picoseconds() / 1000;
}

}  // namespace

const sim::Schema<FrameworkSpec>& FrameworkSchema() {
  static const auto* schema = [] {
    auto* s = new sim::Schema<FrameworkSpec>("framework");
    s->Text("name", &FrameworkSpec::name, {.help = "for people", .required = true})
        .Struct("host", &FrameworkSpec::host, HostSchema(), {.help = "host costs", .required = true})
        .Number("bucket_mb", &FrameworkSpec::bucket_mb, {.help = "DDP's bucket in MiB", .positive = true})
        .Number("first_bucket_mb", &FrameworkSpec::first_bucket_mb, {.help = "DDP's first bucket in MiB", .positive = true})
        .Boolean("no_sync", &FrameworkSpec::no_sync, {.help = "reduce gradients in the last micro-batch only"});
    return s;
  }();
  return *schema;
}

absl::StatusOr<FrameworkSpec> LoadFramework(const sim::Catalogue& catalogue, const std::string& name) {
  SIM_ASSIGN_OR_RETURN(const sim::ConfigNode node, catalogue.Load("frameworks", name));
  return sim::ReadWith(FrameworkSchema(), node);
}

HostCost HostCostOf(const HostModel& host, const std::string& family, bool cluster_gemm) {
  const double factor = family == "llama" ? host.llama_factor
                        : family == "gpt" ? host.gpt_factor
                        : family == "bert" ? host.bert_factor
                                           : 1.0;
  HostCost cost;
  cost.launch = {Nanoseconds(host.forward_launch, factor), Nanoseconds(host.backward_launch, factor),
                 Nanoseconds(host.recompute_launch, factor), Nanoseconds(host.optimizer_launch)};
  cost.memset = Nanoseconds(host.memset);
  cost.side_stream_launch = Nanoseconds(host.side_stream_launch);
  cost.collective = Nanoseconds(host.collective);
  cost.read_back = Nanoseconds(host.read_back);
  cost.ddp_parameter = Nanoseconds(host.ddp_parameter);
  cost.fsdp_gather_forward = Nanoseconds(host.fsdp_gather_forward);
  cost.fsdp_gather_backward = Nanoseconds(host.fsdp_gather_backward);
  cost.fsdp_reduce = Nanoseconds(host.fsdp_reduce);
  cost.optimizer_base = Nanoseconds(host.optimizer_base);
  cost.optimizer_tensor = Nanoseconds(host.optimizer_tensor);
  cost.optimizer_sharded_tensor = Nanoseconds(host.optimizer_sharded_tensor);
  cost.gemm_memset = cluster_gemm;
  return cost;
}

}  // namespace stepsim::workloads
