// SPDX-License-Identifier: Apache-2.0
// A device that fails: calls of this process to the C library that work on files below a folder return an error. The
// test program links failing_calls.cpp, whose functions are found before those of the C library, also by Qt. Calls that
// the C library makes itself (mkstemp, fwrite) are not met.
#pragma once
#include <string>

namespace nw::test {

/// While it lives, `call` fails with `error` (EIO) for each file whose path begins with `below`. The names are open,
/// read, write, fsync (and fdatasync), rename and mkdir. One at a time.
class FailingCalls {
 public:
  FailingCalls(std::string call, int error, std::string below);
  ~FailingCalls();
  FailingCalls(const FailingCalls&) = delete;
  FailingCalls& operator=(const FailingCalls&) = delete;
  /// How many calls have failed.
  int felt() const;
};

}  // namespace nw::test
