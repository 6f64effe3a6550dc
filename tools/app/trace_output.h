// Trace files of a run: opened before it, so that a bad path fails at once, and put in place after it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/base/file.h"
#include "sim/run/run.h"

namespace stepsim::app {

class TraceOutput {
 public:
  // The format follows from the suffix; an unknown one is an error that lists those known.
  absl::Status Open(const std::vector<std::string>& paths);
  sim::TraceSink sink();
  absl::Status Commit();

 private:
  struct File {
    sim::AtomicFile file;
    sim::TraceWriterFactory factory;
  };
  std::vector<std::unique_ptr<File>> files_;
};

// "0,8-15" → ranks, sorted, each once; empty: the first 16. Errors: not a number, beyond the last rank.
absl::StatusOr<std::vector<sim::RankId>> ParseRanks(const std::string& text, int world_size);

// "out/step.pftrace" and "a800" → "out/step.a800.pftrace".
std::string WithInfix(const std::string& path, const std::string& infix);

}  // namespace stepsim::app
