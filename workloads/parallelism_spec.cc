#include "workloads/parallelism_spec.h"

#include "workloads/modelled_choice.h"
#include "workloads/sharding/strategy.h"

namespace stepsim::workloads {
namespace {

// A degree of parallelism of which only 1 is modelled.
sim::Schema<ParallelismSpec>::ReadFunction OnlyOne(std::string what) {
  return [what](const sim::ConfigNode& node, ParallelismSpec*, sim::Diagnostics* problems) {
    const auto degree = sim::internal::ReadInteger(node, {.min = 1}, problems);
    if (degree && *degree != 1) problems->Add(node.position(), absl::StrCat(what, " is not modelled yet; modelled: 1"));
  };
}

void NoShardGroup(const sim::ConfigNode& node, ParallelismSpec*, sim::Diagnostics* problems) {
  problems->Add(node.position(), "shard_group belongs to strategy hsdp, which is not modelled yet");
}

void NoSequenceParallel(const sim::ConfigNode& node, ParallelismSpec*, sim::Diagnostics* problems) {
  if (sim::internal::ReadBoolean(node, {}, problems).value_or(false)) {
    problems->Add(node.position(), "sequence parallelism is not modelled yet; modelled: false");
  }
}

}  // namespace

const sim::Schema<ParallelismSpec>& ParallelismSchema() {
  static const auto* schema = [] {
    std::vector<std::pair<std::string, std::string>> strategies;
    for (const auto& entry : ShardingStrategies().entries()) strategies.emplace_back(entry.name, entry.name);
    const nlohmann::json one = {{"type", "integer"}, {"const", 1}};
    auto* s = new sim::Schema<ParallelismSpec>("parallelism");
    s->Custom("strategy",
              ModelledChoice(&ParallelismSpec::strategy, strategies,
                             {"zero1", "zero2", "zero3", "hsdp", "megatron-distributed-optimizer"}),
              {{"enum", ShardingStrategies().Names()}}, {.help = "what the data-parallel ranks share", .required = true})
        .Integer("data", &ParallelismSpec::data, {.help = "data-parallel ranks, checked against the cluster", .min = 1})
        .Boolean("reshard_root", &ParallelismSpec::reshard_root,
                 {.help = "FSDP2: reshard the root unit after forward as well"})
        .Custom("tensor", OnlyOne("tensor parallelism"), one, {.help = "tensor-parallel ranks"})
        .Custom("context", OnlyOne("context parallelism"), one, {.help = "context-parallel ranks"})
        .Custom("pipeline", OnlyOne("pipeline parallelism"), one, {.help = "pipeline stages"})
        .Custom("virtual_pipeline", OnlyOne("interleaved pipeline parallelism"), one, {.help = "model chunks per stage"})
        .Custom("expert", OnlyOne("expert parallelism"), one, {.help = "expert-parallel ranks"})
        .Custom("sequence_parallel", NoSequenceParallel, {{"const", false}}, {.help = "of tensor parallelism"})
        .Custom("shard_group", NoShardGroup, {{"type", "integer"}}, {.help = "hsdp: not modelled yet"})
        .Custom("offload",
                OnlyValue<ParallelismSpec>("none", {"optimizer", "optimizer+parameters", "activations"}),
                {{"enum", {"none"}}}, {.help = "what lives in host memory"});
    return s;
  }();
  return *schema;
}

}  // namespace stepsim::workloads
