#include "tools/app/study.h"

#include <filesystem>

#include "sim/base/status.h"
#include "sim/config/schema.h"
#include "tools/app/scenario.h"

namespace stepsim::app {
namespace {

// As it stands in YAML.
struct EntryFields {
  sim::ConfigNode scenario;
  std::string name;
  sim::ConfigNode with;
};
struct StudyFields {
  std::string name;
  std::string question;
  double target_ratio = 0;
  std::vector<EntryFields> scenarios;
};

const sim::Schema<EntryFields>& EntrySchema() {
  using S = sim::Schema<EntryFields>;
  const auto keep = [](sim::ConfigNode EntryFields::*member) {
    return [member](const sim::ConfigNode& node, EntryFields* out, sim::Diagnostics*) { out->*member = node; };
  };
  static const auto* schema = new S(S("entry")
                                        .Custom("scenario", keep(&EntryFields::scenario), {{"type", {"string", "object"}}},
                                                {.help = "name in configs/scenarios, path, or mapping", .required = true})
                                        .Text("name", &EntryFields::name, {.help = "in place of the scenario's own"})
                                        .Custom("with", keep(&EntryFields::with), {{"type", "object"}},
                                                {.help = "keys laid over the scenario"}));
  return *schema;
}

const sim::Schema<StudyFields>& StudySchema() {
  using S = sim::Schema<StudyFields>;
  static const auto* schema =
      new S(S("study")
                .Text("name", &StudyFields::name, {.required = true})
                .Text("question", &StudyFields::question, {.help = "printed above the answer"})
                .Number("target_ratio", &StudyFields::target_ratio,
                        {.help = "of tokens/s against the first scenario; says whether the others reach it", .min = 0})
                .List("scenarios", &StudyFields::scenarios, EntrySchema(), {.help = "the first is the baseline", .required = true})
                .Check([](const sim::ConfigNode& node, const StudyFields& study, sim::Diagnostics* problems) {
                  if (study.scenarios.size() < 2) {
                    problems->Add(node["scenarios"].position(), "a study compares at least two scenarios");
                  }
                }));
  return *schema;
}

absl::StatusOr<sim::ConfigNode> Renamed(const sim::ConfigNode& root, const std::string& name) {
  return name.empty() ? root : sim::WithOverride(root, absl::StrCat("name=\"", name, "\""));
}

absl::StatusOr<sim::ConfigNode> Overridden(sim::ConfigNode root, const std::vector<std::string>& overrides) {
  for (const std::string& text : overrides) {
    SIM_ASSIGN_OR_RETURN(root, sim::WithOverride(root, text));
  }
  return root;
}

absl::StatusOr<Study> FromFields(const sim::Catalogue& catalogue, const StudyFields& fields,
                                 const std::vector<std::string>& overrides) {
  Study study{fields.name, fields.question, fields.target_ratio, {}};
  sim::Diagnostics problems;
  for (const EntryFields& entry : fields.scenarios) {
    sim::ConfigNode root = catalogue.Resolve("scenarios", entry.scenario, &problems).node;
    if (root.is_missing()) continue;
    if (entry.with.is_mapping()) root = sim::Merged(root, entry.with);
    SIM_ASSIGN_OR_RETURN(root, Renamed(root, entry.name));
    SIM_ASSIGN_OR_RETURN(root, Overridden(root, overrides));
    study.entries.push_back({root});
  }
  if (!problems.empty()) return problems.ToStatus();
  return study;
}

}  // namespace

absl::StatusOr<Study> LoadStudy(const sim::Catalogue& catalogue, const std::vector<std::string>& paths,
                                const std::vector<std::string>& overrides) {
  if (paths.size() == 1) {
    SIM_ASSIGN_OR_RETURN(const sim::ConfigNode root, sim::LoadConfig(paths[0]));
    SIM_ASSIGN_OR_RETURN(const StudyFields fields, sim::ReadWith(StudySchema(), root));
    return FromFields(catalogue, fields, overrides);
  }
  Study study;
  study.name = "comparison";
  for (const std::string& path : paths) {
    SIM_ASSIGN_OR_RETURN(const sim::ConfigNode root, LoadScenarioFile(path, overrides));
    study.entries.push_back({root});
  }
  return study;
}

nlohmann::json StudyJsonSchema() { return StudySchema().ToJson(); }

}  // namespace stepsim::app
