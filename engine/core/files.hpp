// SPDX-License-Identifier: Apache-2.0
// Writes all files of users. A file is overwritten only after its replacement is safely on disk: temporary file in the
// same folder, check of every write's size, fsync, rename, fsync of the folder. A crash during saving leaves a
// ".NAME.saving-XXXXXX", which the next save of the same file removes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/result.hpp"

namespace nw {
namespace fs = std::filesystem;

/// What saving does with a symbolic link at the path: saves into the file that it points to, or puts the new file in
/// the link's place. Files of a received folder are saved with `replace`, so that nothing outside the folder is
/// written.
enum class Links { follow, replace };
/// Replaces `path` by `bytes`, or leaves it unchanged and returns the reason (Errc::disk; a full disk names path and
/// bytes needed).
Status save_file(const fs::path& path, std::string_view bytes, int mode = 0644, Links links = Links::follow);
/// Opens a file for reading without waiting; a pipe, a device or a folder is an error. The caller closes the
/// descriptor.
Result<int> open_regular(const fs::path& path);
/// Reads the whole file; a file above `limit_bytes` and special files are rejected before reading.
Result<std::string> read_file(const fs::path& path, std::uint64_t limit_bytes);
/// The first bytes of a plain file, at most `most` of them.
Result<std::string> read_start(const fs::path& path, std::size_t most);
/// Writes a large file in pieces with the same guarantee; without commit() the old file stays.
class AtomicFile {
 public:
  static Result<AtomicFile> create(const fs::path& path, int mode = 0644, Links links = Links::follow);
  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) noexcept;
  ~AtomicFile();  // not committed: the temporary file is removed
  Status write(std::span<const std::byte>);
  Status commit();

 private:
  AtomicFile() = default;
  int fd_ = -1;
  fs::path temporary_, path_;
};
Status sync_folder(const fs::path& folder);
Status make_folder(const fs::path& folder, int mode = 0755);
/// The folder alone: where the one that should hold it is gone, this is an error and nothing is made.
Status make_folder_inside(const fs::path& folder, int mode = 0755);

/// A file of whole lines, appended by one writer (events.jsonl, metrics.csv). A line is valid once its newline is
/// written.
class LineFile {
 public:
  /// Opens for appending; removes a last line without newline (after a crash).
  static Result<LineFile> open(const fs::path& path, int mode = 0600);
  LineFile(LineFile&&) noexcept;
  LineFile& operator=(LineFile&&) noexcept;
  ~LineFile();
  Status append(std::string_view line_without_newline);
  Status sync();

 private:
  LineFile() = default;
  int fd_ = -1;
  fs::path path_;
};

/// An advisory lock (flock), held during the object's lifetime; a crash of the process releases it.
class FileLock {
 public:
  static Result<FileLock> take(const fs::path& path);  // Errc::in_use: another process holds the lock
  static bool is_held(const fs::path& path);           // by any process; does not acquire it
  FileLock(FileLock&&) noexcept;
  FileLock& operator=(FileLock&&) noexcept;
  ~FileLock();

 private:
  FileLock() = default;
  int fd_ = -1;
};

std::uint64_t xxh3(std::string_view bytes);
Result<std::uint64_t> xxh3_of_file(const fs::path& path);
std::string hex(std::uint64_t);

/// Folders by the XDG base directory specification and its variables.
fs::path config_folder();   // …/netwright
fs::path data_folder();     // data sets and runs: $XDG_DATA_HOME/netwright
fs::path state_folder();    // logs, recovery files
fs::path cache_folder();    // may be deleted at any time
fs::path runtime_folder();  // control sockets; falls back to a private folder below the temporary one
fs::path program_folder();  // folder of the running executable

}  // namespace nw
