#include <cstdlib>
#include <filesystem>

#include "sim/base/status.h"
#include "sim/config/catalogue.h"

namespace stepsim::sim {
namespace {

// How far above the executable a configs folder may stand (build/tests/config/config_test is three deep).
constexpr int kParents = 4;

bool IsConfigRoot(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::is_directory(folder / "gpus", ignored) || std::filesystem::is_directory(folder / "clusters", ignored);
}

}  // namespace

absl::StatusOr<std::string> FindConfigRoot() {
  if (const char* given = std::getenv("STEPSIM_CONFIGS"); given != nullptr && *given != '\0') {
    if (IsConfigRoot(given)) return std::string(given);
    return absl::NotFoundError(absl::StrCat("STEPSIM_CONFIGS is ", given, ": no folder with gpus and clusters in it"));
  }
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (int i = 0; i < kParents && !folder.empty(); ++i, folder = folder.parent_path()) {
    if (IsConfigRoot(folder / "configs")) return (folder / "configs").string();
    if (IsConfigRoot(folder / "share/stepsim/configs")) return (folder / "share/stepsim/configs").string();
  }
  if (IsConfigRoot("configs")) return std::string("configs");
  return absl::NotFoundError("no configs folder beside or above the executable, nor here; set STEPSIM_CONFIGS to it");
}

}  // namespace stepsim::sim
