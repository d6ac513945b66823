// SPDX-License-Identifier: Apache-2.0
#include "tests/support/failing_calls.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <mutex>
#include <string_view>

namespace {

struct Device {
  std::mutex mutex;
  std::string call, below;
  int error = 0, felt = 0;
};
std::atomic<bool> fails_now{false};

Device& device() {
  static Device* one = new Device;  // never deleted: threads may write until the process ends
  return *one;
}

/// True where this call of this path is to fail; errno is its error.
bool fails(const char* call, std::string_view path) {
  if (!fails_now) return false;
  const std::lock_guard lock(device().mutex);
  if (device().call != call || !path.starts_with(device().below)) return false;
  ++device().felt;
  errno = device().error;
  return true;
}

bool fails(const char* call, int fd) {
  if (!fails_now) return false;
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t length = ::readlink(link.c_str(), path, sizeof path);
  return length > 0 && fails(call, std::string_view(path, static_cast<std::size_t>(length)));
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

namespace nw::test {

FailingCalls::FailingCalls(std::string call, int error, std::string below) {
  const std::lock_guard lock(device().mutex);
  device().call = std::move(call), device().below = std::move(below);
  device().error = error, device().felt = 0;
  fails_now = true;
}
FailingCalls::~FailingCalls() { fails_now = false; }
int FailingCalls::felt() const {
  const std::lock_guard lock(device().mutex);
  return device().felt;
}

}  // namespace nw::test

#ifndef NW_SANITIZED  // whose own functions stand there
extern "C" {

int open(const char* path, int flags, ...) {
  static const auto real = next<int(const char*, int, ...)>("open");
  va_list more;
  va_start(more, flags);
  const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, int) : 0;
  va_end(more);
  return fails("open", path) ? -1 : real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  static const auto real = next<int(const char*, int, ...)>("open64");
  va_list more;
  va_start(more, flags);
  const int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, int) : 0;
  va_end(more);
  return fails("open", path) ? -1 : real(path, flags, mode);
}
int mkostemp(char* name, int flags) {
  static const auto real = next<int(char*, int)>("mkostemp");
  return fails("open", name) ? -1 : real(name, flags);
}
ssize_t read(int fd, void* to, size_t size) {
  static const auto real = next<ssize_t(int, void*, size_t)>("read");
  return fails("read", fd) ? -1 : real(fd, to, size);
}
ssize_t write(int fd, const void* from, size_t size) {
  static const auto real = next<ssize_t(int, const void*, size_t)>("write");
  return fails("write", fd) ? -1 : real(fd, from, size);
}
int fsync(int fd) {
  static const auto real = next<int(int)>("fsync");
  return fails("fsync", fd) ? -1 : real(fd);
}
int fdatasync(int fd) {
  static const auto real = next<int(int)>("fdatasync");
  return fails("fsync", fd) ? -1 : real(fd);
}
int rename(const char* from, const char* to) noexcept {
  static const auto real = next<int(const char*, const char*)>("rename");
  return fails("rename", to) ? -1 : real(from, to);
}
int mkdir(const char* path, mode_t mode) noexcept {
  static const auto real = next<int(const char*, mode_t)>("mkdir");
  return fails("mkdir", path) ? -1 : real(path, mode);
}

}  // extern "C"
#endif
