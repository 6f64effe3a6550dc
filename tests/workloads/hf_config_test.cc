// A Hugging Face config.json gives the step of the catalogue entry of the same model.
#include "workloads/model/hf_config.h"

#include <filesystem>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/workloads/fixtures.h"

namespace stepsim::workloads {
namespace {

using ::testing::HasSubstr;

std::optional<ModelSpec> Read(const std::string& text, std::string* error = nullptr) {
  const auto node = sim::ParseConfig("model: " + text, "config.json");
  EXPECT_TRUE(node.ok()) << node.status();
  if (!node.ok()) return std::nullopt;
  sim::Diagnostics problems;
  auto model = ReadModel(TestCatalogue(), (*node)["model"], &problems);
  if (error != nullptr) *error = problems.ToStatus().ToString();
  return model;
}

void ExpectSameStep(ModelSpec read, const std::string& catalogue_name) {
  const ModelSpec known = CatalogueModel(catalogue_name);
  TrainingSpec training;
  training.sequence_length = 512;
  const sim::Program a = Build(read, training, "fsdp", 8);
  const sim::Program b = Build(known, training, "fsdp", 8);
  EXPECT_EQ(read.parameters, known.parameters);
  EXPECT_EQ(a.kernels.size(), b.kernels.size());
  ASSERT_EQ(a.ops.size(), b.ops.size());
  for (size_t i = 0; i < a.ops.size(); ++i) {
    ASSERT_TRUE(a.ops[i].kind == b.ops[i].kind && a.ops[i].index == b.ops[i].index &&
                a.ops[i].stream == b.ops[i].stream && a.ops[i].host_ns == b.ops[i].host_ns)
        << "op " << i;
  }
  EXPECT_TRUE(std::equal(a.kernels.begin(), a.kernels.end(), b.kernels.begin()));
  EXPECT_EQ(a.memory.peak, b.memory.peak);
}

constexpr const char* kLlamaV4 = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu",
  "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 22, "num_attention_heads": 32,
  "num_key_value_heads": 4, "vocab_size": 32000, "max_position_embeddings": 2048, "rope_theta": 10000.0,
  "rope_scaling": null, "tie_word_embeddings": false, "torch_dtype": "bfloat16", "attention_bias": false})";
constexpr const char* kLlamaV5 = R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 5632,
  "num_hidden_layers": 22, "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 64, "vocab_size": 32000,
  "max_position_embeddings": 2048, "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
  "dtype": "bfloat16", "tie_word_embeddings": false})";

TEST(HuggingFaceConfig, GivesTheCatalogueStep) {
  const auto v4 = Read(kLlamaV4);
  ASSERT_TRUE(v4.has_value());
  ExpectSameStep(*v4, "tinyllama-1.1b");
  const auto v5 = Read(kLlamaV5);
  ASSERT_TRUE(v5.has_value());
  ExpectSameStep(*v5, "tinyllama-1.1b");
  const auto gpt = Read(R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_inner": null,
    "n_positions": 1024, "vocab_size": 50257, "activation_function": "gelu_new"})");
  ASSERT_TRUE(gpt.has_value());
  ExpectSameStep(*gpt, "gpt2");
  const auto bert = Read(R"({"architectures": ["BertForMaskedLM"], "hidden_size": 768, "num_hidden_layers": 12,
    "num_attention_heads": 12, "intermediate_size": 3072, "max_position_embeddings": 512, "vocab_size": 30522,
    "type_vocab_size": 2, "hidden_act": "gelu"})");
  ASSERT_TRUE(bert.has_value());
  ExpectSameStep(*bert, "bert-base-uncased");
}

TEST(HuggingFaceConfig, RefusesWhatIsNotModelled) {
  std::string error;
  EXPECT_FALSE(Read(R"({"model_type": "mixtral", "hidden_size": 4096})", &error).has_value());
  EXPECT_THAT(error, HasSubstr("model_type \"mixtral\" is not modelled yet; modelled: llama, gpt2, bert"));
  EXPECT_FALSE(Read(R"({"model_type": "llama", "hidden_size": 64})", &error).has_value());
  EXPECT_THAT(error, HasSubstr("num_hidden_layers"));
  std::string biased = kLlamaV4;
  biased.replace(biased.find("\"attention_bias\": false"), 23, "\"attention_bias\": true");
  EXPECT_FALSE(Read(biased, &error).has_value());
  EXPECT_THAT(error, HasSubstr("attention_bias other than false is not modelled yet"));
}

TEST(HuggingFaceConfig, ReportsHeadsThatDoNotDivide) {
  std::string error;
  EXPECT_FALSE(Read(R"({"model_type": "gpt2", "n_embd": 100, "n_layer": 1, "n_head": 12, "n_positions": 8,
    "vocab_size": 16})", &error).has_value());
  EXPECT_THAT(error, HasSubstr("n_head must divide n_embd: 100 / 12"));
}

TEST(HuggingFaceConfig, FilesThatUsersHave) {
  const std::string folder = STEPSIM_SOURCE_DIR "/../shared/real-inputs/hf-config/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no files here";
  const auto read = [&](const std::string& file, std::string* error) {
    return Read("\"" + folder + file + ".config.json\"", error);
  };
  std::string error;
  const std::map<std::string, std::string> same = {{"llama2-7b", "llama2-7b"}, {"gpt2-large", "gpt2-large"},
                                                   {"llama3.1-8b", "llama3.1-8b"}, {"llama3.1-70b", "llama3.1-70b"}};
  for (const auto& [file, name] : same) {
    const auto model = read(file, &error);
    ASSERT_TRUE(model.has_value()) << error;
    if (name != "llama3.1-70b" || model->layers == 80) ExpectSameStep(*model, name);
  }
  // Another vocabulary than the name says: its own count, not BERT base's.
  const auto bert = read("bert-base-vocab50265", &error);
  ASSERT_TRUE(bert.has_value()) << error;
  EXPECT_EQ(bert->parameters, 109514298 + (50265 - 30522) * (768 + 1));
  for (const char* file : {"deepseek-v3", "mixtral-8x7b", "qwen3-8b"}) {
    EXPECT_FALSE(read(file, &error).has_value()) << file;
    EXPECT_THAT(error, HasSubstr("is not modelled yet; modelled: llama, gpt2, bert")) << file;
  }
}

}  // namespace
}  // namespace stepsim::workloads
