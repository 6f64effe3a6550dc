#include "sim/base/file.h"

#include <unistd.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace stepsim::sim {
namespace {

namespace fs = std::filesystem;

// A fresh folder for each test.
class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / absl::StrCat("stepsim_file_", getpid(), "_", test->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  int Count() const { return static_cast<int>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator())); }

  fs::path folder_;
};

TEST_F(FileTest, WrittenFileReadsBack) {
  const std::string contents("a\0b\xff\n", 5);
  ASSERT_TRUE(WriteFileAtomically(Path("new/folder/file"), contents).ok());
  EXPECT_EQ(*ReadFile(Path("new/folder/file")), contents);
}

TEST_F(FileTest, DroppedFileLeavesNothingBehind) {
  {
    auto file = AtomicFile::Create(Path("out.json"));
    ASSERT_TRUE(file.ok());
    file->stream() << "half of it";
    file->stream().flush();
    EXPECT_FALSE(fs::exists(Path("out.json")));
  }
  EXPECT_EQ(Count(), 0);
}

TEST_F(FileTest, DroppedFileKeepsTheFormerOne) {
  ASSERT_TRUE(WriteFileAtomically(Path("out.json"), "old").ok());
  {
    auto file = AtomicFile::Create(Path("out.json"));
    ASSERT_TRUE(file.ok());
    file->stream() << "new";
  }
  EXPECT_EQ(*ReadFile(Path("out.json")), "old");
  EXPECT_EQ(Count(), 1);
}

TEST_F(FileTest, CommittedFileReplacesTheFormerOne) {
  ASSERT_TRUE(WriteFileAtomically(Path("out.json"), "old").ok());
  ASSERT_TRUE(WriteFileAtomically(Path("out.json"), "new").ok());
  EXPECT_EQ(*ReadFile(Path("out.json")), "new");
  EXPECT_EQ(Count(), 1);
}

TEST_F(FileTest, MovedFileIsCommittedOnce) {
  auto created = AtomicFile::Create(Path("out.json"));
  ASSERT_TRUE(created.ok());
  created->stream() << "moved";
  {
    AtomicFile file = std::move(*created);
    ASSERT_TRUE(file.Commit().ok());
  }
  EXPECT_EQ(*ReadFile(Path("out.json")), "moved");
  EXPECT_EQ(Count(), 1);
}

TEST_F(FileTest, UnwritablePlaceIsAnIoErrorAndLeavesNothing) {
  ASSERT_TRUE(WriteFileAtomically(Path("plain"), "x").ok());
  const absl::Status below_a_file = WriteFileAtomically(Path("plain/out.json"), "y");
  EXPECT_EQ(below_a_file.code(), absl::StatusCode::kUnavailable) << below_a_file;
  const absl::Status onto_a_folder = WriteFileAtomically(folder_.string(), "y");
  EXPECT_EQ(onto_a_folder.code(), absl::StatusCode::kUnavailable) << onto_a_folder;
  EXPECT_EQ(Count(), 1);
}

TEST_F(FileTest, FullDiskIsAnIoErrorAtCommit) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(WriteFileAtomically("/dev/full", "x").code(), absl::StatusCode::kUnavailable);
}

TEST_F(FileTest, DeviceStaysADevice) {
  ASSERT_TRUE(WriteFileAtomically("/dev/null", "x").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FileTest, MissingFileAndFolderAreIoErrors) {
  EXPECT_EQ(ReadFile(Path("none")).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(ReadFile(folder_.string()).status().code(), absl::StatusCode::kUnavailable);
}

TEST_F(FileTest, UnreadableFileIsDenied) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  ASSERT_TRUE(WriteFileAtomically(Path("secret"), "x").ok());
  fs::permissions(Path("secret"), fs::perms::none);
  EXPECT_EQ(ReadFile(Path("secret")).status().code(), absl::StatusCode::kPermissionDenied);
}

TEST_F(FileTest, ReadingStopsAtTheLimit) {
  ASSERT_TRUE(WriteFileAtomically(Path("ten"), "0123456789").ok());
  EXPECT_TRUE(ReadFile(Path("ten"), 10).ok());
  EXPECT_EQ(ReadFile(Path("ten"), 9).status().code(), absl::StatusCode::kInvalidArgument);
  // An endless file too.
  EXPECT_EQ(ReadFile("/dev/zero", 1000).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace stepsim::sim
