// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <unistd.h>

#include <utility>

namespace nw {

/// An owned file descriptor, closed by the destructor; -1: none.
struct Descriptor {
  int fd = -1;
  explicit Descriptor(int descriptor = -1) : fd(descriptor) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  /// The descriptor, which the caller closes.
  int release() { return std::exchange(fd, -1); }
};

}  // namespace nw
