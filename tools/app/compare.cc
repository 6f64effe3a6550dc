#include "tools/app/compare.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace stepsim::app {
namespace {

using sim::Result;

double Ratio(double a, double b) { return b > 0 ? a / b : 0; }

// Throughput of the cluster, or of a GPU where the clusters differ in size.
double ThroughputRatio(const Result& baseline, const Result& other) {
  return Ratio(other.tokens_per_s_per_gpu, baseline.tokens_per_s_per_gpu);
}

// The ratio if communication and host cost nothing: what the kernels alone allow.
double KernelsOnlyRatio(const Result& baseline, const Result& other) {
  const double a = baseline.compute_s / (baseline.tokens_per_s_per_gpu * baseline.step_time_s);
  const double b = other.compute_s / (other.tokens_per_s_per_gpu * other.step_time_s);
  return Ratio(a, b);
}

}  // namespace

Explanation Explain(const Result& baseline, const Result& other) {
  const double tokens = Ratio(baseline.tokens_per_s_per_gpu * baseline.step_time_s, other.tokens_per_s_per_gpu * other.step_time_s);
  Explanation e;
  e.compute_s = other.compute_s * tokens - baseline.compute_s;
  e.exposed_communication_s = other.exposed_communication_s * tokens - baseline.exposed_communication_s;
  e.host_and_idle_s = other.idle_s * tokens - baseline.idle_s;
  return e;
}

std::string ComparisonText(const std::vector<Result>& results, double target_ratio) {
  std::string text;
  const Result& baseline = results.front();
  for (size_t i = 1; i < results.size(); ++i) {
    const Result& other = results[i];
    const Explanation e = Explain(baseline, other);
    const double ratio = ThroughputRatio(baseline, other);
    absl::StrAppend(&text, absl::StrFormat("%s reaches %.1f %% of %s's tokens/s per GPU; kernels alone would allow %.1f %%.\n",
                                           other.name, 100 * ratio, baseline.name, 100 * KernelsOnlyRatio(baseline, other)));
    absl::StrAppend(&text, absl::StrFormat("  For the same tokens a step takes longer by %+.0f ms: kernels %+.0f ms, exposed "
                                           "communication %+.0f ms, host and idle %+.0f ms.\n",
                                           1e3 * (e.compute_s + e.exposed_communication_s + e.host_and_idle_s),
                                           1e3 * e.compute_s, 1e3 * e.exposed_communication_s, 1e3 * e.host_and_idle_s));
    if (!other.bottleneck.link.empty()) absl::StrAppend(&text, "  Its collectives are limited by ", other.bottleneck.link, ".\n");
    if (target_ratio > 0) {
      absl::StrAppend(&text, absl::StrFormat("  Target %.0f %%: %s.\n", 100 * target_ratio, ratio >= target_ratio ? "reached" : "NOT reached"));
    }
  }
  return text;
}

nlohmann::ordered_json ComparisonJson(const std::vector<Result>& results, double target_ratio) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const Result& baseline = results.front();
  for (size_t i = 1; i < results.size(); ++i) {
    const Result& other = results[i];
    const Explanation e = Explain(baseline, other);
    const double ratio = ThroughputRatio(baseline, other);
    nlohmann::ordered_json row = {{"name", other.name},
                                  {"baseline", baseline.name},
                                  {"tokens_per_s_per_gpu_ratio", ratio},
                                  {"tokens_per_s_ratio", Ratio(other.tokens_per_s, baseline.tokens_per_s)},
                                  {"kernels_only_ratio", KernelsOnlyRatio(baseline, other)},
                                  {"step_time_ratio", Ratio(other.step_time_s, baseline.step_time_s)},
                                  {"joules_per_token_ratio", Ratio(other.joules_per_token, baseline.joules_per_token)},
                                  {"extra_s_for_same_tokens",
                                   {{"compute", e.compute_s},
                                    {"exposed_communication", e.exposed_communication_s},
                                    {"host_and_idle", e.host_and_idle_s}}},
                                  {"bottleneck_link", other.bottleneck.link}};
    if (target_ratio > 0) row["target_ratio"] = target_ratio, row["reaches_target"] = ratio >= target_ratio;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace stepsim::app
