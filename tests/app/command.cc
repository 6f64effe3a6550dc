#include "tests/app/command.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace stepsim::testing {
namespace {

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string ReadAll(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

CommandResult RunStepsim(const std::vector<std::string>& args) {
  const TempFolder folder;
  std::string command = "STEPSIM_CONFIGS=" STEPSIM_SOURCE_DIR "/configs " STEPSIM_BINARY;
  for (const std::string& arg : args) command += " " + Quoted(arg);
  command += " >" + folder.Path("out") + " 2>" + folder.Path("err") + " </dev/null";
  const int status = std::system(command.c_str());
  CommandResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = ReadAll(folder.Path("out"));
  result.err = ReadAll(folder.Path("err"));
  return result;
}

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "stepsim_test_XXXXXX").string();
  path_ = mkdtemp(name.data());
}
TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}
std::string TempFolder::Write(const std::string& name, const std::string& contents) const {
  std::ofstream(Path(name), std::ios::binary) << contents;
  return Path(name);
}
std::vector<std::string> TempFolder::Files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string SmallScenario(const std::string& cluster, const std::string& strategy, const std::string& extra) {
  return "name: small\ncluster: " + cluster +
         "\nmodel: {base: tinyllama-1.1b, layers: 2, parameters: 0}\n"
         "training:\n  sequence_length: 512\n  micro_batch: 2\n  precision: bf16-mixed\n  recompute: full\n"
         "parallelism:\n  strategy: " + strategy + "\n" + extra;
}

}  // namespace stepsim::testing
