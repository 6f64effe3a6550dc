#include "sim/base/file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/base/status.h"

namespace stepsim::sim {
namespace {

absl::Status IoError(absl::string_view what, const std::string& path, int error) {
  const std::string message = absl::StrCat(what, " ", path, ": ", std::strerror(error == 0 ? EIO : error));
  return error == EACCES ? absl::PermissionDeniedError(message) : absl::UnavailableError(message);
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path, size_t max_bytes) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) return IoError("cannot read", path, EISDIR);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) return IoError("cannot read", path, errno);
  std::string contents;
  char buffer[1 << 16];
  while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
    contents.append(buffer, static_cast<size_t>(in.gcount()));
    if (contents.size() > max_bytes) {
      return absl::InvalidArgumentError(absl::StrCat(path, ": larger than ", max_bytes, " bytes"));
    }
  }
  if (in.bad()) return IoError("cannot read", path, errno);
  return contents;
}

absl::Status WriteFileAtomically(const std::string& path, absl::string_view contents) {
  SIM_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  file.stream().write(contents.data(), static_cast<std::streamsize>(contents.size()));
  return file.Commit();
}

AtomicFile::AtomicFile(std::string path, std::string temporary)
    : path_(std::move(path)),
      temporary_(std::move(temporary)),
      stream_(temporary_.empty() ? path_ : temporary_, std::ios::binary) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::move(other.temporary_)), stream_(std::move(other.stream_)) {
  other.temporary_.clear();
}

absl::StatusOr<AtomicFile> AtomicFile::Create(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code code;
  if (!folder.empty()) std::filesystem::create_directories(folder, code);
  if (code) return IoError("cannot create folder of", path, code.value());
  if (std::filesystem::is_directory(path, code)) return IoError("cannot write", path, EISDIR);
  // A device or a pipe (/dev/stdout, /dev/null) is written to as it is: renaming over it would replace it.
  const bool in_place = std::filesystem::exists(path, code) && !std::filesystem::is_regular_file(path, code);
  errno = 0;
  AtomicFile file(path, in_place ? "" : absl::StrCat(path, ".tmp.", getpid()));
  if (!file.stream_) {
    const int error = errno;
    file.temporary_.clear();
    return IoError("cannot write", path, error);
  }
  return file;
}

AtomicFile::~AtomicFile() {
  if (temporary_.empty()) return;
  stream_.close();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

absl::Status AtomicFile::Commit() {
  errno = 0;
  stream_.close();
  if (!stream_) return IoError("cannot write", path_, errno);
  if (temporary_.empty()) return absl::OkStatus();
  std::error_code code;
  std::filesystem::rename(temporary_, path_, code);
  if (code) return IoError("cannot write", path_, code.value());
  temporary_.clear();
  return absl::OkStatus();
}

}  // namespace stepsim::sim
