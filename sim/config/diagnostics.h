// Problems found in the user's files, collected so that all of a file are reported at once.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace stepsim::sim {

// 1-based; line 0: no position within the file. origin: a file's path, or "--set training.micro_batch=x".
struct SourcePosition {
  std::string origin;
  int line = 0;
  int column = 0;
  std::string line_text;  // for the caret line; may be empty
};

class Diagnostics {
 public:
  void Add(const SourcePosition& where, std::string message);
  bool empty() const { return problems_.empty(); }
  size_t size() const { return problems_.size(); }

  // InvalidArgument with every problem as `origin:line:col: message`, its line and a caret; at most 20 are shown, the rest
  // counted. Ok if there are none. Sorted by origin, then position; repeated ones shown once.
  absl::Status ToStatus() const;

 private:
  struct Problem {
    SourcePosition where;
    std::string message;
  };
  std::vector<Problem> problems_;
};

}  // namespace stepsim::sim
