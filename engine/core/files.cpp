// SPDX-License-Identifier: Apache-2.0
#include "engine/core/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace nw {
namespace {

Error cannot(const char* template_text, const fs::path& path, int error) {
  return fail(Errc::disk, template_text, path.string(), std::strerror(error));
}

/// All of it or an error number; a short write goes on, so that its reason shows.
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

void close_and_forget(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

/// The file a link points to: saving through a link keeps the link.
fs::path behind_links(const fs::path& path) {
  std::error_code none;
  const fs::path real = fs::canonical(path, none);
  return none ? path : real;
}

/// The permissions of the file that is replaced, or `mode` where there is none.
int mode_of(const fs::path& path, int mode) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? static_cast<int>(info.st_mode & 07777) : mode;
}

}  // namespace

Status save_file(const fs::path& path, std::string_view bytes, int mode) {
  NW_ASSIGN(AtomicFile file, AtomicFile::create(path, mode));
  NW_TRY(file.write(std::as_bytes(std::span(bytes.data(), bytes.size()))));
  return file.commit();
}

Result<std::string> read_file(const fs::path& path, std::uint64_t limit_bytes) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    const Errc code = errno == ENOENT || errno == ENOTDIR ? Errc::bad_input : Errc::disk;
    return fail(code, NW_TR("{0} cannot be opened: {1}"), path.string(), std::strerror(errno));
  }
  const std::unique_ptr<int, void (*)(int*)> closes(&fd, [](int* f) { ::close(*f); });
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return fail(Errc::bad_input, NW_TR("{0} is not a file"), path.string());
  const auto too_large = [&] { return fail(Errc::bad_input, NW_TR("{0} is larger than {1} bytes"), path.string(), limit_bytes); };
  if (static_cast<std::uint64_t>(info.st_size) > limit_bytes) return too_large();
  std::string bytes(static_cast<std::size_t>(info.st_size) + 1, '\0');
  for (std::size_t done = 0;;) {
    const ssize_t n = ::read(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return cannot(NW_TR("{0} cannot be read: {1}"), path, errno);
    done += static_cast<std::size_t>(n);
    if (done > limit_bytes) return too_large();
    if (n == 0) { bytes.resize(done); return bytes; }
    if (done == bytes.size()) bytes.resize(2 * done);
  }
}

Result<AtomicFile> AtomicFile::create(const fs::path& path, int mode) {
  AtomicFile file;
  file.path_ = behind_links(path);
  struct stat info {};
  if (::stat(file.path_.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    return fail(Errc::bad_input, NW_TR("{0} is not a file"), path.string());
  std::string name = (file.path_.parent_path() / fmt::format(".{}.XXXXXX", file.path_.filename().string())).string();
  file.fd_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (file.fd_ < 0) return cannot(NW_TR("{0} cannot be written: {1}"), path, errno);
  file.temporary_ = name;
  ::fchmod(file.fd_, static_cast<mode_t>(mode_of(file.path_, mode)));
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), temporary_(std::exchange(other.temporary_, {})), path_(std::move(other.path_)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(temporary_, other.temporary_);
  std::swap(path_, other.path_);
  return *this;
}

AtomicFile::~AtomicFile() {
  close_and_forget(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status AtomicFile::write(std::span<const std::byte> bytes) {
  const int error = write_all(fd_, reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (error == 0) return {};
  if (error == ENOSPC || error == EFBIG || error == EDQUOT)
    return fail(Errc::disk, NW_TR("{0} cannot be written: no room for {1} bytes ({2}); the old file is untouched"), path_.string(),
                bytes.size(), std::strerror(error));
  return cannot(NW_TR("{0} cannot be written: {1}"), path_, error);
}

Status AtomicFile::commit() {
  if (const int error = sync_all(fd_)) return cannot(NW_TR("{0} cannot be written: {1}"), path_, error);
  const int closed = ::close(std::exchange(fd_, -1));
  if (closed != 0 && errno != EINTR) return cannot(NW_TR("{0} cannot be written: {1}"), path_, errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return cannot(NW_TR("{0} cannot be replaced: {1}"), path_, errno);
  temporary_.clear();
  return sync_folder(path_.parent_path());
}

Status sync_folder(const fs::path& folder) {
  const fs::path path = folder.empty() ? fs::path(".") : folder;
  int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return cannot(NW_TR("{0} cannot be opened: {1}"), path, errno);
  const int error = sync_all(fd);
  close_and_forget(fd);
  // Some file systems cannot sync a folder; they say so with these two.
  if (error != 0 && error != EINVAL && error != ENOTSUP) return cannot(NW_TR("{0} cannot be written: {1}"), path, error);
  return {};
}

Status make_folder(const fs::path& folder, int mode) {
  std::error_code none;
  if (folder.empty() || fs::is_directory(folder, none)) return {};
  if (folder.has_parent_path() && folder.parent_path() != folder) NW_TRY(make_folder(folder.parent_path(), mode));
  if (::mkdir(folder.c_str(), static_cast<mode_t>(mode)) == 0) return {};
  const int error = errno;
  if (error == EEXIST && fs::is_directory(folder, none)) return {};
  return cannot(NW_TR("the folder {0} cannot be made: {1}"), folder, error);
}

std::uint64_t xxh3(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

Result<std::uint64_t> xxh3_of_file(const fs::path& path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return cannot(NW_TR("{0} cannot be opened: {1}"), path, errno);
  const std::unique_ptr<int, void (*)(int*)> closes(&fd, [](int* f) { ::close(*f); });
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
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
