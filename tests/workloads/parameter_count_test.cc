#include "gtest/gtest.h"
#include "tests/workloads/fixtures.h"
#include "workloads/model/family.h"

namespace stepsim::workloads {
namespace {

// Published counts, to the last parameter.
const std::map<std::string, int64_t> kPublished = {
    {"gpt2", 124439808},          {"gpt2-medium", 354823168},         {"gpt2-large", 774030080},
    {"gpt2-xl", 1557611200},      {"llama2-7b", 6738415616},          {"llama2-13b", 13015864320},
    {"llama2-70b", 68976648192},  {"llama3-8b", 8030261248},          {"llama3-70b", 70553706496},
    {"llama3.1-405b", 405853388800}, {"llama3.2-1b", 1235814400},     {"llama3.2-3b", 3212749824},
    {"tinyllama-1.1b", 1100048384}, {"bert-base-uncased", 109514298}, {"bert-large-uncased", 335174458}};

TEST(ParameterCount, IsThePublishedOne) {
  for (const auto& [name, count] : kPublished) EXPECT_EQ(CountParameters(CatalogueModel(name)), count) << name;
}

TEST(ParameterCount, EveryCatalogueModelStatesItsCount) {
  const sim::Catalogue catalogue = TestCatalogue();
  for (const std::string& name : catalogue.Names("models")) {
    const auto node = catalogue.Load("models", name);
    ASSERT_TRUE(node.ok()) << node.status();
    const auto stated = sim::ParseInteger((*node)["parameters"].text());
    ASSERT_TRUE(stated.ok()) << name << " has no parameters:";
    EXPECT_EQ(CountParameters(CatalogueModel(name)), *stated) << name;
  }
}

// The tensors of a model are the same count, one by one.
TEST(ParameterCount, IsTheSumOfTheTensors) {
  for (const char* name : {"gpt2", "llama3-8b", "bert-base-uncased"}) {
    const ModelSpec model = CatalogueModel(name);
    const ParameterSet weights(model, sim::DType::kFp32);
    int64_t sum = 0;
    for (const auto& parameter : weights.all()) sum += parameter->elements();
    EXPECT_EQ(sum, model.parameters) << name;
  }
  // 291 tensors of LlamaForCausalLM 7B: 9 per layer, embedding, norm, head.
  EXPECT_EQ(ParameterSet(CatalogueModel("llama2-7b"), sim::DType::kFp32).all().size(), 291u);
}

TEST(ParameterCount, WrongStatedCountIsReported) {
  const auto node = sim::ParseConfig(
      "model: {family: gpt, layers: 1, hidden: 8, heads: 2, ffn: 32, vocab: 16, max_positions: 4, tied_embeddings: true, "
      "parameters: 7}",
      "s.yaml");
  sim::Diagnostics problems;
  EXPECT_FALSE(ReadModel(TestCatalogue(), (*node)["model"], &problems).has_value());
  // 16·8 + 4·8 + (12·64 + 13·8) + 2·8
  EXPECT_NE(problems.ToStatus().message().find("these shapes have 1048 parameters, not 7"), absl::string_view::npos)
      << problems.ToStatus();
}

}  // namespace
}  // namespace stepsim::workloads
