// Runs the stepsim binary as a user does, in a folder of its own.
#pragma once

#include <string>
#include <vector>

namespace stepsim::testing {

struct CommandResult {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

// args are quoted for the shell one by one.
CommandResult RunStepsim(const std::vector<std::string>& args);

// A temporary folder, removed with all it holds.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  std::string Path(const std::string& name) const { return path_ + "/" + name; }
  std::string Write(const std::string& name, const std::string& contents) const;  // gives the path
  std::vector<std::string> Files() const;                                        // names, sorted

 private:
  std::string path_;
};

std::string ReadAll(const std::string& path);

// A scenario that runs in milliseconds: a small llama on `cluster` (YAML value). `extra` is appended.
std::string SmallScenario(const std::string& cluster, const std::string& strategy = "fsdp", const std::string& extra = "");

}  // namespace stepsim::testing
