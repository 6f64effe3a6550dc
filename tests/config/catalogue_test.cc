#include "sim/config/catalogue.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sim/base/file.h"
#include "tests/config/helpers.h"

namespace stepsim::sim {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A catalogue in a folder of its own, and a scenario beside it that names things of it.
class CatalogueTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / absl::StrCat("stepsim_catalogue_", getpid(), "_", test->name());
    Write("configs/clusters/dgx.yaml", "gpu: h100\nnodes: 16\nfabric: {kind: rail, spines: 4}\nnode: hgx\n");
    Write("configs/clusters/dgx-small.yaml", "base: dgx\nnodes: 2\nfabric: {spines: 1}\n");
    Write("configs/clusters/notes.txt", "not of the catalogue");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void Write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(WriteFileAtomically((folder_ / name).string(), text).ok());
  }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  Catalogue Configs() const { return Catalogue(Path("configs")); }

  // What `cluster:` means in a scenario of the folder.
  Catalogue::Resolved Resolve(const std::string& value) {
    const ConfigNode scenario = *ParseConfig(absl::StrCat("cluster: ", value), Path("scenario.yaml"));
    return Configs().Resolve("clusters", scenario["cluster"], &problems_);
  }
  std::string Problem(const std::string& value) {
    EXPECT_TRUE(Resolve(value).node.is_missing());
    return Message(problems_.ToStatus());
  }

  fs::path folder_;
  Diagnostics problems_;
};

TEST_F(CatalogueTest, NamesAreTheYamlFilesSorted) {
  EXPECT_THAT(Configs().Names("clusters"), ElementsAre("dgx", "dgx-small"));
  EXPECT_THAT(Configs().Names("nothing"), ElementsAre());
}

TEST_F(CatalogueTest, LoadsByNameOrNamesTheNearest) {
  EXPECT_EQ((*Configs().Load("clusters", "dgx"))["nodes"].text(), "16");
  const absl::Status status = Configs().Load("clusters", "dxg").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(Message(status), HasSubstr("unknown cluster \"dxg\"; did you mean \"dgx\"?"));
  EXPECT_FALSE(Configs().Load("clusters", "../clusters/dgx").ok());
}

TEST_F(CatalogueTest, ResolvesANameAPathAndAnInlineMapping) {
  const auto by_name = Resolve("dgx");
  EXPECT_EQ(by_name.node["nodes"].text(), "16");
  EXPECT_EQ(by_name.name, "dgx");
  EXPECT_EQ(by_name.path, Path("configs/clusters/dgx.yaml"));
  const auto by_path = Resolve("configs/clusters/dgx.yaml");
  EXPECT_EQ(by_path.node["nodes"].text(), "16");
  EXPECT_EQ(by_path.name, "dgx");
  const auto inline_mapping = Resolve("{nodes: 3}");
  EXPECT_EQ(inline_mapping.node["nodes"].text(), "3");
  EXPECT_EQ(inline_mapping.name, "");
  EXPECT_EQ(inline_mapping.path, "");
  EXPECT_TRUE(problems_.empty()) << problems_.ToStatus();
}

TEST_F(CatalogueTest, JsonIsOursAndOtherSuffixesAreForeign) {
  Write("config.json", "{\"base\": \"a model\", \"hidden_size\": 8}");
  Write("node.xml", "<system/>");
  const auto json = Resolve("config.json");
  EXPECT_EQ(json.node["base"].text(), "a model");  // a key of somebody else's file is not our `base`
  const auto xml = Resolve("./node.xml");
  EXPECT_TRUE(xml.is_foreign);
  EXPECT_EQ(xml.path, Path("node.xml"));
  EXPECT_TRUE(problems_.empty()) << problems_.ToStatus();
}

TEST_F(CatalogueTest, BaseIsLaidUnderTheOtherKeys) {
  const auto small = Resolve("dgx-small");
  EXPECT_EQ(CanonicalText(small.node),
            CanonicalText(Document("{gpu: h100, nodes: 2, fabric: {kind: rail, spines: 1}, node: hgx}")));
  EXPECT_EQ(small.name, "dgx-small");
  const auto inline_over_chain = Resolve("{base: dgx-small, nodes: 1, node: {nics: 4}}");
  EXPECT_EQ(CanonicalText(inline_over_chain.node),
            CanonicalText(Document("{gpu: h100, nodes: 1, fabric: {kind: rail, spines: 1}, node: {base: hgx, nics: 4}}")));
  EXPECT_EQ(inline_over_chain.name, "dgx-small");
  EXPECT_EQ(Resolve("{base: null, nodes: 1}").node.fields().size(), 1u);
  EXPECT_TRUE(problems_.empty()) << problems_.ToStatus();
}

TEST_F(CatalogueTest, OverrideOfANamedThingResolves) {
  const ConfigNode scenario = *WithOverride(*ParseConfig("cluster: dgx", Path("s.yaml")), "cluster.nodes=1");
  const auto resolved = Configs().Resolve("clusters", scenario["cluster"], &problems_);
  EXPECT_EQ(resolved.node["nodes"].text(), "1");
  EXPECT_EQ(resolved.node["nodes"].position().origin, "--set cluster.nodes=1");
  EXPECT_EQ(resolved.node["gpu"].text(), "h100");
}

TEST_F(CatalogueTest, PathsAreRelativeToTheFileThatNamesThem) {
  Write("far/off/cluster.yaml", "base: ../base.yaml\nnodes: 7\n");
  Write("far/base.yaml", "gpu: x\nnodes: 8\n");
  EXPECT_EQ(CanonicalText(Resolve("far/off/cluster.yaml").node), CanonicalText(Document("{gpu: x, nodes: 7}")));
  EXPECT_EQ(Resolve(Path("far/base.yaml")).node["gpu"].text(), "x");
  EXPECT_TRUE(problems_.empty()) << problems_.ToStatus();
}

TEST_F(CatalogueTest, LoopOfBasesIsAnError) {
  Write("configs/clusters/a.yaml", "base: b\n");
  Write("configs/clusters/b.yaml", "base: ./a.yaml\n");
  EXPECT_THAT(Problem("a"), HasSubstr("b.yaml:1:7: bases form a loop"));
}

TEST_F(CatalogueTest, FileThatIsItsOwnBaseIsAnError) {
  Write("configs/clusters/self.yaml", "base: self\n");
  EXPECT_THAT(Problem("self"), HasSubstr("bases form a loop"));
}

TEST_F(CatalogueTest, LinkToAFolderDoesNotMakeTheLoopEndless) {
  Write("loop/a.yaml", "base: d/a.yaml\n");
  fs::create_directory_symlink(".", folder_ / "loop/d");
  EXPECT_THAT(Problem("loop/a.yaml"), HasSubstr("bases form a loop"));
}

TEST_F(CatalogueTest, UnknownNameIsReportedAtItsPosition) {
  EXPECT_THAT(Problem("dxg"), HasSubstr("scenario.yaml:1:10: unknown cluster \"dxg\"; did you mean \"dgx\"?"));
  EXPECT_EQ(problems_.ToStatus().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(CatalogueTest, MissingFileIsAnIoProblemAtTheNode) {
  EXPECT_THAT(Problem("none/there.yaml"), HasSubstr("scenario.yaml:1:10: cannot read"));
  EXPECT_EQ(problems_.ToStatus().code(), absl::StatusCode::kUnavailable);
}

TEST_F(CatalogueTest, MissingForeignFileIsAnIoProblem) {
  Problem("none.xml");
  EXPECT_EQ(problems_.ToStatus().code(), absl::StatusCode::kUnavailable);
}

TEST_F(CatalogueTest, ProblemsOfTheFileAreReportedAtTheirOwnPositions) {
  Write("bad.yaml", "a: 1\na: 2\n");
  EXPECT_THAT(Problem("bad.yaml"), HasSubstr("bad.yaml:2:1: duplicate key \"a\""));
}

TEST_F(CatalogueTest, FileThatIsNoMappingIsAnError) {
  Write("list.yaml", "[1, 2]\n");
  EXPECT_THAT(Problem("list.yaml"), HasSubstr("list.yaml:1:1: expected a mapping"));
}

TEST_F(CatalogueTest, KeysOverAForeignFileAreAnError) {
  Write("node.xml", "<system/>");
  EXPECT_THAT(Problem("{base: node.xml, nodes: 2}"), HasSubstr("keys can only be laid over a YAML or JSON file"));
}

TEST_F(CatalogueTest, ListsAndEmptyValuesAreErrors) {
  EXPECT_THAT(Problem("[a]"), HasSubstr("expected a cluster: a name of the catalogue, a path, or a mapping"));
  EXPECT_THAT(Problem(""), HasSubstr("expected a cluster"));
  EXPECT_THAT(Problem("''"), HasSubstr("expected a cluster"));
}

TEST_F(CatalogueTest, ConfigRootIsTheOneOfTheEnvironmentIfGiven) {
  setenv("STEPSIM_CONFIGS", Path("configs").c_str(), 1);
  EXPECT_EQ(*FindConfigRoot(), Path("configs"));
  setenv("STEPSIM_CONFIGS", Path("none").c_str(), 1);
  EXPECT_EQ(FindConfigRoot().status().code(), absl::StatusCode::kNotFound);
  unsetenv("STEPSIM_CONFIGS");
}

}  // namespace
}  // namespace stepsim::sim
