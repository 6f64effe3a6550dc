// Reading and writing whole files. A file is written to a temporary name beside it and renamed, so that a failure
// leaves nothing behind.
#pragma once

#include <fstream>
#include <string>

#include "absl/status/statusor.h"

namespace stepsim::sim {

// Unavailable or PermissionDenied (exit code 3) if it cannot be read; InvalidArgument beyond max_bytes.
absl::StatusOr<std::string> ReadFile(const std::string& path, size_t max_bytes = size_t{1} << 31);

// Creates missing folders of the path.
absl::Status WriteFileAtomically(const std::string& path, absl::string_view contents);

// A file that is written in pieces and appears under its name at Commit(); dropped without it, it leaves nothing.
class AtomicFile {
 public:
  static absl::StatusOr<AtomicFile> Create(const std::string& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();
  std::ostream& stream() { return stream_; }
  absl::Status Commit();

 private:
  AtomicFile(std::string path, std::string temporary);
  std::string path_;
  std::string temporary_;  // empty once committed or moved from, and for devices and pipes
  std::ofstream stream_;
};

}  // namespace stepsim::sim
