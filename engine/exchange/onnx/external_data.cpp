// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/onnx/external_data.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace nw::onnx {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  void replace(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_;
};

/// The names of a relative path; empty: it could lead out of the folder.
std::vector<std::string> names_of(const std::string& location) {
  std::vector<std::string> names;
  if (location.empty() || location.size() > 4096 || location.find('\0') != std::string::npos) return {};
  for (std::size_t at = 0; at <= location.size();) {
    const std::size_t end = std::min(location.find('/', at), location.size());
    const std::string name = location.substr(at, end - at);
    if (name.empty() || name == ".." || name.find('\\') != std::string::npos) return {};
    if (name != ".") names.push_back(name);
    at = end + 1;
  }
  return names;
}

Error outside(const std::string& location, const std::string& where) {
  return fail(Errc::bad_input,
              NW_TR("{0} names \"{1}\" as the file of its weights, which is not a plain file below its own folder; "
                    "nothing outside it is opened"),
              where, location);
}

Error missing(const std::string& location, const std::string& where, const char* why) {
  return fail(Errc::bad_input,
              NW_TR("{0} keeps its weights in \"{1}\", which cannot be opened ({2}); put that file beside it"), where,
              location, why);
}

/// A second name may stand anywhere: whoever packed the folder can have linked a file of the user's into it, which
/// O_NOFOLLOW does not see. Stores that share files by hard links exist too; ONNX's own checker refuses all of them.
Error linked(const std::string& location, const std::string& where) {
  return fail(
      Errc::bad_input,
      NW_TR("{0} keeps its weights in \"{1}\", a file with other names elsewhere (hard links), which could be any "
            "file of yours; if it belongs there, put a copy in its place"),
      where, location);
}

Result<int> open_below(const fs::path& folder, const std::string& location, const std::string& where) {
  const std::vector<std::string> names = names_of(location);
  if (names.empty()) return outside(location, where);
  const std::string start = folder.empty() ? "." : folder.string();
  Descriptor at(::open(start.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (std::size_t i = 0; i < names.size() && at.get() >= 0; ++i) {
    const int kind = i + 1 < names.size() ? O_DIRECTORY : O_NONBLOCK | O_NOCTTY;
    const int next = ::openat(at.get(), names[i].c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
    const int error = errno;
    if (next < 0 && (error == ELOOP || error == ENOTDIR)) return outside(location, where);
    if (next < 0) return missing(location, where, std::strerror(error));
    at.replace(next);
  }
  struct stat info {};
  if (at.get() < 0 || ::fstat(at.get(), &info) != 0) return missing(location, where, std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return outside(location, where);
  if (info.st_nlink > 1) return linked(location, where);
  const int fd = ::dup(at.get());
  if (fd < 0) return missing(location, where, std::strerror(errno));
  return fd;
}

}  // namespace

Result<std::string> read_external(const fs::path& folder, const ExternalPart& part, const std::string& where) {
  NW_ASSIGN(const int fd, open_below(folder, part.location, where));
  const Descriptor file(fd);
  struct stat info {};
  const bool sized = ::fstat(fd, &info) == 0;
  const auto size = sized ? static_cast<std::uint64_t>(info.st_size) : 0;
  if (part.offset > size || part.bytes > size - part.offset)
    return fail(Errc::bad_input, NW_TR("{0} needs the bytes {1} to {2} of \"{3}\", which holds only {4}"), where,
                part.offset, part.offset + part.bytes, part.location, size);
  std::string bytes(part.bytes, '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(part.offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return missing(part.location, where, n < 0 ? std::strerror(errno) : "it became shorter");
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

}  // namespace nw::onnx
