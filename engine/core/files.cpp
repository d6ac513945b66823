// SPDX-License-Identifier: Apache-2.0
#include "engine/core/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/core/crashed_saves.hpp"
#include "engine/core/what_is_there.hpp"

namespace nw {
namespace {

Error cannot(const char* template_text, const fs::path& path, int error) {
  return fail(Errc::disk, template_text, path.string(), std::strerror(error));
}

/// Writes all bytes or returns an error number; continues after a short write to get the reason of the failure.
int write_all(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return 0;
}

int sync_all(int fd) {
  while (::fsync(fd) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

void close_and_reset(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

/// The file that a link points to: saving through a link keeps the link.
fs::path behind_links(const fs::path& path) {
  std::error_code none;
  const fs::path real = fs::canonical(path, none);
  return none ? path : real;
}

constexpr std::string_view half_saved = ".saving-";

/// The prefix of temporary files in the folder of `path`, followed by six letters. Shortened if the resulting name
/// would be too long.
std::string temporary_stem(const fs::path& path) {
  return fmt::format(".{}{}", path.filename().string().substr(0, 200), half_saved);
}

bool is_temporary(const std::string& name, const std::string& stem) {
  return name.size() > 6 && name.starts_with(stem.empty() ? "." : stem) &&
         std::string_view(name).substr(0, name.size() - 6).ends_with(half_saved) &&
         (stem.empty() || name.size() == stem.size() + 6);
}

/// Removes temporary files of saves that crashed: no process holds their lock. Without working locks nothing is
/// removed. An empty stem: those of any file.
void remove_stale(const fs::path& folder, const std::string& stem) {
  std::vector<fs::path> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> opened(::opendir(folder.empty() ? "." : folder.c_str()), ::closedir);
  // Not std::filesystem's iterator: without memory for a name libstdc++'s ends the process (its advance() is noexcept).
  while (const dirent* entry = opened ? ::readdir(opened.get()) : nullptr)
    if (is_temporary(entry->d_name, stem)) found.push_back(folder / entry->d_name);
  for (const fs::path& file : found) {
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) continue;
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) ::unlink(file.c_str());
    ::close(fd);
  }
}

/// A new locked file; -1 with errno. Another process may remove the file as a leftover before it is locked; then
/// another file is created.
int create_locked(const std::string& stem, std::string& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = stem + "XXXXXX";
    const int fd = ::mkostemp(name.data(), O_CLOEXEC);
    if (fd < 0) return -1;
    const bool taken = ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    struct stat info {};
    if (!taken && (::fstat(fd, &info) != 0 || info.st_nlink > 0)) return fd;
    ::close(fd);
    ::unlink(name.c_str());
  }
  errno = EBUSY;
  return -1;
}

/// Closes `fd`, which may report an error, and keeps the lock: it belongs to the open file description that `kept` also
/// refers to.
int close_but_keep_lock(int fd, int& kept) {
  kept = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  return ::close(fd) != 0 && errno != EINTR ? errno : 0;
}

}  // namespace

void remove_crashed_saves(const fs::path& folder) { remove_stale(folder, {}); }

Status save_file(const fs::path& path, std::string_view bytes, int mode, Links links) {
  NW_ASSIGN(AtomicFile file, AtomicFile::create(path, mode, links));
  NW_TRY(file.write(std::as_bytes(std::span(bytes.data(), bytes.size()))));
  return file.commit();
}

Result<int> open_regular(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR) return Error{Errc::bad_input, not_a_file(path)};
    const bool path_is_wrong = error == EACCES || error == ELOOP || error == ENAMETOOLONG;
    return fail(path_is_wrong ? Errc::bad_input : Errc::disk, NW_TR("{0} cannot be opened: {1}"), path.string(),
                std::strerror(error));
  }
  struct stat info {};
  if (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) return fd;
  ::close(fd);
  return Error{Errc::bad_input, not_a_file(path)};
}

Result<std::string> read_file(const fs::path& path, std::uint64_t limit_bytes) {
  NW_ASSIGN(int fd, open_regular(path));
  const std::unique_ptr<int, void (*)(int*)> closes(&fd, [](int* f) { ::close(*f); });
  struct stat info {};
  if (::fstat(fd, &info) != 0) return cannot(NW_TR("{0} cannot be read: {1}"), path, errno);
  const auto too_large = [&] {
    return fail(Errc::bad_input, NW_TR("{0} is larger than {1} bytes"), path.string(), limit_bytes);
  };
  if (static_cast<std::uint64_t>(info.st_size) > limit_bytes) return too_large();
  std::string bytes(static_cast<std::size_t>(info.st_size) + 1, '\0');
  for (std::size_t done = 0;;) {
    const ssize_t n = ::read(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return cannot(NW_TR("{0} cannot be read: {1}"), path, errno);
    done += static_cast<std::size_t>(n);
    if (done > limit_bytes) return too_large();
    if (n == 0) {
      bytes.resize(done);
      return bytes;
    }
    if (done == bytes.size()) bytes.resize(2 * done);
  }
}

Result<std::string> read_start(const fs::path& path, std::size_t most) {
  NW_ASSIGN(int fd, open_regular(path));
  const std::unique_ptr<int, void (*)(int*)> closes(&fd, [](int* f) { ::close(*f); });
  std::string bytes(most, '\0');
  std::size_t done = 0;
  while (done < most) {
    const ssize_t n = ::read(fd, bytes.data() + done, most - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return cannot(NW_TR("{0} cannot be read: {1}"), path, errno);
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  bytes.resize(done);
  return bytes;
}

Result<AtomicFile> AtomicFile::create(const fs::path& path, int mode, Links links) {
  AtomicFile file;
  file.path_ = links == Links::follow ? behind_links(path) : path;
  struct stat info {};
  const bool there = ::lstat(file.path_.c_str(), &info) == 0;
  const bool replaced_link = links == Links::replace && S_ISLNK(info.st_mode);
  if (there && !S_ISREG(info.st_mode) && !replaced_link) return Error{Errc::bad_input, not_a_file(path)};
  const fs::path parent = file.path_.parent_path();
  std::error_code none;
  if (!parent.empty() && !fs::is_directory(parent, none)) return Error{Errc::bad_input, not_a_folder(parent)};
  const std::string stem = temporary_stem(file.path_);
  remove_stale(file.path_.parent_path(), stem);
  std::string name;
  file.fd_ = create_locked((file.path_.parent_path() / stem).string(), name);
  if (file.fd_ < 0) return cannot(NW_TR("{0} cannot be written: {1}"), path, errno);
  file.temporary_ = name;
  ::fchmod(file.fd_, static_cast<mode_t>(there && S_ISREG(info.st_mode) ? info.st_mode & 07777 : mode));
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      temporary_(std::exchange(other.temporary_, {})),
      path_(std::move(other.path_)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(temporary_, other.temporary_);
  std::swap(path_, other.path_);
  return *this;
}

AtomicFile::~AtomicFile() {
  close_and_reset(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status AtomicFile::write(std::span<const std::byte> bytes) {
  const int error = write_all(fd_, reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (error == 0) return {};
  if (error == ENOSPC || error == EFBIG || error == EDQUOT)
    return fail(Errc::disk,
                NW_TR("{0} cannot be written: not enough space for {1} bytes ({2}); free some space and try again. The "
                      "old file is unchanged"),
                path_.string(), bytes.size(), std::strerror(error));
  return cannot(NW_TR("{0} cannot be written: {1}"), path_, error);
}

Status AtomicFile::commit() {
  if (const int error = sync_all(fd_)) return cannot(NW_TR("{0} cannot be written: {1}"), path_, error);
  int kept = -1;
  const int closed = close_but_keep_lock(std::exchange(fd_, -1), kept);
  const int renamed = closed == 0 && ::rename(temporary_.c_str(), path_.c_str()) != 0 ? errno : 0;
  close_and_reset(kept);
  if (closed != 0) return cannot(NW_TR("{0} cannot be written: {1}"), path_, closed);
  if (renamed != 0) return cannot(NW_TR("{0} cannot be replaced: {1}"), path_, renamed);
  temporary_.clear();
  return sync_folder(path_.parent_path());
}

Status sync_folder(const fs::path& folder) {
  const fs::path path = folder.empty() ? fs::path(".") : folder;
  int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return cannot(NW_TR("{0} cannot be opened: {1}"), path, errno);
  const int error = sync_all(fd);
  close_and_reset(fd);
  // Some file systems cannot sync a folder; they report these two errors.
  if (error != 0 && error != EINVAL && error != ENOTSUP)
    return cannot(NW_TR("{0} cannot be written: {1}"), path, error);
  return {};
}

Status make_folder(const fs::path& folder, int mode) {
  std::error_code none;
  if (folder.empty() || fs::is_directory(folder, none)) return {};
  if (folder.has_parent_path() && folder.parent_path() != folder) NW_TRY(make_folder(folder.parent_path(), mode));
  return make_folder_inside(folder, mode);
}

Status make_folder_inside(const fs::path& folder, int mode) {
  std::error_code none;
  if (::mkdir(folder.c_str(), static_cast<mode_t>(mode)) == 0) return sync_folder(folder.parent_path());
  const int error = errno;
  if (error == EEXIST && fs::is_directory(folder, none)) return {};
  if (error == EEXIST) return Error{Errc::bad_input, not_a_folder(folder)};
  return cannot(NW_TR("the folder {0} cannot be created: {1}"), folder, error);
}

std::uint64_t xxh3(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

Result<std::uint64_t> xxh3_of_file(const fs::path& path) {
  NW_ASSIGN(int fd, open_regular(path));
  const std::unique_ptr<int, void (*)(int*)> closes(&fd, [](int* f) { ::close(*f); });
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  std::string piece(std::size_t{1} << 20, '\0');
  for (;;) {
    const ssize_t n = ::read(fd, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return cannot(NW_TR("{0} cannot be read: {1}"), path, errno);
    if (n == 0) return XXH3_64bits_digest(state.get());
    XXH3_64bits_update(state.get(), piece.data(), static_cast<std::size_t>(n));
  }
}

std::string hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

}  // namespace nw
