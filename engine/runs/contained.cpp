// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/contained.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "engine/runs/descriptor.hpp"

namespace nw {
namespace {

Error cannot_open(const fs::path& path, int error) {
  if (error == ENXIO) return fail(Errc::bad_input, NW_TR("{0} is not a plain file"), path.string());
  if (error == ELOOP || error == ENOTDIR)
    return fail(Errc::bad_input,
                NW_TR("{0} is a symbolic link or inside one; a run folder may contain regular files only"),
                path.string());
  return fail(error == ENOENT ? Errc::bad_input : Errc::disk, NW_TR("{0} cannot be opened: {1}"), path.string(),
              std::strerror(error));
}

/// Opens one path component after another below the folder, never following a link, so that no race leads outside.
/// `access`: flags for the last one. A pipe is opened without waiting for its other end.
Result<int> walk(const fs::path& folder, std::string_view inside, int access) {
  const fs::path whole = folder / inside;
  Descriptor at(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (at.fd < 0 && errno == ENOTDIR) return fail(Errc::bad_input, NW_TR("{0} is not a folder"), folder.string());
  if (at.fd < 0) return cannot_open(folder, errno);
  while (!inside.empty()) {
    const auto slash = inside.find('/');
    const std::string name(inside.substr(0, slash));
    if (name.empty() || name == "." || name == "..")
      return fail(Errc::bad_input, NW_TR("{0} is not a path inside a run folder"), whole.string());
    const bool last = slash == std::string_view::npos;
    const int flags =
        last ? access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    const int next = ::openat(at.fd, name.c_str(), flags, 0600);
    if (next < 0) return cannot_open(whole, errno);
    ::close(at.fd);
    at.fd = next;
    inside = last ? std::string_view() : inside.substr(slash + 1);
  }
  return at.release();
}

Result<int> plain_file(const fs::path& folder, std::string_view inside, int access) {
  NW_ASSIGN(const int opened, walk(folder, inside, access));
  Descriptor file(opened);
  struct stat info {};
  if (::fstat(file.fd, &info) != 0 || !S_ISREG(info.st_mode))
    return fail(Errc::bad_input, NW_TR("{0} is not a plain file"), (folder / inside).string());
  return file.release();
}

}  // namespace

Result<int> open_inside(const fs::path& folder, std::string_view inside) {
  return plain_file(folder, inside, O_RDONLY);
}

Result<int> append_inside(const fs::path& folder, std::string_view inside) {
  return plain_file(folder, inside, O_WRONLY | O_APPEND | O_CREAT);
}

Result<std::uint64_t> size_inside(const fs::path& folder, std::string_view inside) {
  NW_ASSIGN(const int opened, open_inside(folder, inside));
  const Descriptor file(opened);
  struct stat info {};
  if (::fstat(file.fd, &info) != 0) return cannot_open(folder / inside, errno);
  return static_cast<std::uint64_t>(info.st_size);
}

Result<std::string> read_inside(const fs::path& folder, std::string_view inside, std::uint64_t limit_bytes) {
  NW_ASSIGN(const int opened, open_inside(folder, inside));
  const Descriptor file(opened);
  struct stat info {};
  ::fstat(file.fd, &info);
  if (static_cast<std::uint64_t>(info.st_size) > limit_bytes)
    return fail(Errc::bad_input, NW_TR("{0} holds {1} bytes; at most {2} are read"), (folder / inside).string(),
                info.st_size, limit_bytes);
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::read(file.fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      return fail(Errc::disk, NW_TR("{0} cannot be read: {1}"), (folder / inside).string(), std::strerror(errno));
    if (n == 0) bytes.resize(done);
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

Status each_line_inside(const fs::path& folder, std::string_view inside, std::size_t longest,
                        const std::function<void(std::string_view)>& take) {
  NW_ASSIGN(const int opened, open_inside(folder, inside));
  const Descriptor file(opened);
  std::string chunk(std::size_t{1} << 20, '\0'), rest;  // `rest`: the start of a line that is not complete yet
  bool skips = false;
  for (;;) {
    const ssize_t n = ::read(file.fd, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      return fail(Errc::disk, NW_TR("{0} cannot be read: {1}"), (folder / inside).string(), std::strerror(errno));
    if (n == 0) return {};
    std::string_view left(chunk.data(), static_cast<std::size_t>(n));
    for (std::size_t end; (end = left.find('\n')) != left.npos; left.remove_prefix(end + 1)) {
      const std::string_view piece = left.substr(0, end);
      if (!std::exchange(skips, false) && rest.size() + piece.size() <= longest)
        take(rest.empty() ? piece : std::string_view(rest.append(piece)));
      rest.clear();
    }
    skips = skips || rest.size() + left.size() > longest;
    skips ? rest.clear() : (void)rest.append(left);
  }
}

Result<std::string> tail_inside(const fs::path& folder, std::string_view inside, std::uint64_t most) {
  NW_ASSIGN(const int opened, open_inside(folder, inside));
  const Descriptor file(opened);
  struct stat info {};
  ::fstat(file.fd, &info);
  const auto size = static_cast<std::uint64_t>(info.st_size), count = std::min(size, most);
  std::string bytes(static_cast<std::size_t>(count), '\0');
  const ssize_t n = ::pread(file.fd, bytes.data(), bytes.size(), static_cast<off_t>(size - count));
  if (n < 0)
    return fail(Errc::disk, NW_TR("{0} cannot be read: {1}"), (folder / inside).string(), std::strerror(errno));
  bytes.resize(static_cast<std::size_t>(n));
  return bytes;
}

Result<std::uint64_t> hash_inside(const fs::path& folder, std::string_view inside) {
  NW_ASSIGN(const int opened, open_inside(folder, inside));
  const Descriptor file(opened);
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
  XXH3_64bits_reset(state.get());
  std::vector<char> chunk(std::size_t{1} << 20);
  for (;;) {
    const ssize_t n = ::read(file.fd, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      return fail(Errc::disk, NW_TR("{0} cannot be read: {1}"), (folder / inside).string(), std::strerror(errno));
    if (n == 0) return XXH3_64bits_digest(state.get());
    XXH3_64bits_update(state.get(), chunk.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace nw
