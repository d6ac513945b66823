// SPDX-License-Identifier: Apache-2.0
// A disk of a few megabytes that can be filled to the last byte: a tmpfs in a private mount namespace.
#pragma once
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "engine/core/files.hpp"

namespace nw {

class SmallDisk {
 public:
  SmallDisk(fs::path at, const std::string& size) : at_(std::move(at)) {
    fs::create_directory(at_);
    ready_ = own_namespace() && ::mount("tmpfs", at_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (ready_) ::umount2(at_.c_str(), MNT_DETACH);
  }
  /// False: this process has no permission to mount.
  bool ready() const { return ready_; }
  const fs::path& path() const { return at_; }
  /// Fills the disk except for `bytes` (rounded down to whole pages).
  void fill(std::uint64_t bytes_left) const {
    const int fd = ::open(filler().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    // other processes may use and free space meanwhile: a failed allocation is retried with half the size
    off_t size = 0;
    std::uint64_t part = room();
    for (std::uint64_t left = part; left > bytes_left && part > 0; left = room()) {
      part = std::min(part, left - bytes_left);
      if (::posix_fallocate(fd, size, static_cast<off_t>(part)) == 0)
        size += static_cast<off_t>(part);
      else
        part /= 2;
    }
    ::close(fd);
  }
  void make_room() const { fs::remove(filler()); }

 private:
  std::uint64_t room() const {
    struct statvfs info {};
    ::statvfs(at_.c_str(), &info);
    return std::uint64_t{info.f_bavail} * info.f_frsize;
  }
  fs::path filler() const { return at_ / "filler"; }
  /// Root needs only a mount namespace; other users also need a user namespace in which they are root, if permitted.
  static bool own_namespace() {
    const std::string user = std::to_string(::getuid()), group = std::to_string(::getgid());
    if (::unshare(CLONE_NEWNS) != 0) {
      if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
      std::ofstream("/proc/self/setgroups") << "deny";
      std::ofstream("/proc/self/uid_map") << "0 " + user + " 1";
      std::ofstream("/proc/self/gid_map") << "0 " + group + " 1";
    }
    return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  }

  fs::path at_;
  bool ready_ = false;
};

}  // namespace nw
