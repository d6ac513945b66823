// SPDX-License-Identifier: Apache-2.0
// Files of whole lines, and locks: both survive a crash of the process that held them.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "engine/core/files.hpp"

namespace nw {
namespace {

/// Bytes up to and including the last newline; -1 with errno if the file cannot be read.
off_t end_of_last_line(int fd, off_t size) {
  char piece[4096];
  for (off_t end = size; end > 0;) {
    const off_t begin = end > off_t{sizeof piece} ? end - off_t{sizeof piece} : 0;
    const ssize_t n = ::pread(fd, piece, static_cast<std::size_t>(end - begin), begin);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return -1;
    for (ssize_t i = n; i > 0; --i)
      if (piece[i - 1] == '\n') return begin + i;
    end = begin;
  }
  return 0;
}

/// Removes a part of a line, which a write that failed may have left; the size, or -1 with errno.
off_t cut_to_whole_lines(int fd) {
  const off_t size = ::lseek(fd, 0, SEEK_END);
  char last = '\n';
  if (size <= 0 || (::pread(fd, &last, 1, size - 1) == 1 && last == '\n')) return size;
  const off_t whole = end_of_last_line(fd, size);
  return whole >= 0 && ::ftruncate(fd, whole) == 0 ? whole : -1;
}

/// Retries briefly: is_held() of another process may hold a shared lock for some microseconds.
bool lock_exclusively(int fd) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  errno = EWOULDBLOCK;
  return false;
}

}  // namespace

Result<LineFile> LineFile::open(const fs::path& path, int mode) {
  LineFile file;
  file.path_ = path;
  file.fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode);
  struct stat info {};
  if (file.fd_ < 0 || ::fstat(file.fd_, &info) != 0)
    return fail(Errc::disk, NW_TR("{0} cannot be opened: {1}"), path.string(), std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return fail(Errc::bad_input, NW_TR("{0} is not a file"), path.string());
  const off_t whole = end_of_last_line(file.fd_, info.st_size);
  if (whole < 0 || (whole < info.st_size && ::ftruncate(file.fd_, whole) != 0))
    return fail(Errc::disk, NW_TR("{0} cannot be repaired: {1}"), path.string(), std::strerror(errno));
  return file;
}

LineFile::LineFile(LineFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {}
LineFile& LineFile::operator=(LineFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  return *this;
}
LineFile::~LineFile() {
  if (fd_ >= 0) ::close(fd_);
}

Status LineFile::append(std::string_view line) {
  if (line.find('\n') != line.npos) return fail(Errc::other, NW_TR("{0}: a line holds a line break"), path_.string());
  const std::string bytes = std::string(line) + "\n";
  const off_t before = cut_to_whole_lines(fd_);
  if (before < 0) return fail(Errc::disk, NW_TR("{0} cannot be repaired: {1}"), path_.string(), std::strerror(errno));
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(fd_, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n > 0) {
      done += static_cast<std::size_t>(n);
      continue;
    }
    const int error = n < 0 ? errno : EIO;
    const bool repaired = ::ftruncate(fd_, before) == 0;  // half a line must not merge with the next one
    return fail(Errc::disk,
                repaired ? NW_TR("{0} cannot be written: {1} ({2} bytes needed)")
                         : NW_TR("{0} cannot be written and its last line is incomplete: {1} ({2} bytes needed)"),
                path_.string(), std::strerror(error), bytes.size());
  }
  return {};
}

Status LineFile::sync() {
  while (::fdatasync(fd_) != 0)
    if (errno != EINTR)
      return fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), path_.string(), std::strerror(errno));
  return {};
}

Result<FileLock> FileLock::take(const fs::path& path) {
  FileLock lock;
  lock.fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  struct stat info {};
  if (lock.fd_ < 0 || ::fstat(lock.fd_, &info) != 0)
    return fail(Errc::disk, NW_TR("{0} cannot be opened: {1}"), path.string(), std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return fail(Errc::bad_input, NW_TR("{0} is not a file"), path.string());
  if (lock_exclusively(lock.fd_)) return lock;
  if (errno != EWOULDBLOCK)
    return fail(Errc::disk, NW_TR("{0} cannot be locked: {1}"), path.string(), std::strerror(errno));
  return fail(Errc::in_use, NW_TR("{0} is locked by another process"), path.string());
}

bool FileLock::is_held(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  struct stat info {};
  const bool held =
      ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && ::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(fd);
  return held;
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}
FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace nw
