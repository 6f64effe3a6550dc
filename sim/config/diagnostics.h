// Problems found in the user's files, collected so that all of a file are reported at once.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace stepsim::sim {

// 1-based; line 0: no position within the file. origin: a file's path, or "--set training.micro_batch=x".
struct SourcePosition {
  std::string origin = {};
  int line = 0;
  int column = 0;
  std::string line_text = {};  // for the caret line; may be empty, or a part of a long line
  int line_text_column = 1;  // column of the first character of line_text
};

// The text between double quotes as messages show it: cut to about 80 characters, control characters escaped.
std::string Shown(absl::string_view text);

class Diagnostics {
 public:
  void Add(const SourcePosition& where, std::string message);
  // A file that is named there cannot be read: if all problems are of this sort, the status is Unavailable (exit code 3).
  void AddIo(const SourcePosition& where, std::string message);
  // The problem of a status without a position of its own: I/O if its code says so (base/status.h).
  void AddStatus(const SourcePosition& where, const absl::Status& status);
  bool empty() const { return problems_.empty(); }
  size_t size() const { return problems_.size(); }

  // InvalidArgument with every problem as `origin:line:col: message`, its line and a caret; at most 20 are shown, the rest
  // counted. Ok if there are none; Unavailable if all are I/O. Sorted by origin, then position; repeated ones shown once.
  absl::Status ToStatus() const;

 private:
  struct Problem {
    SourcePosition where;
    std::string message;
    bool is_io = false;
  };
  static std::string Render(const Problem& problem);
  std::vector<Problem> Sorted() const;

  std::vector<Problem> problems_;
};

}  // namespace stepsim::sim
