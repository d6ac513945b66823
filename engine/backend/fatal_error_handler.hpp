// SPDX-License-Identifier: Apache-2.0
// A GPU that does not answer any more: whoever asked it never comes back, so the process is left, and what has to be
// said is said before.
#pragma once
#include <functional>

#include "kernels/result.hpp"

namespace nw {

/// While it lives, `say` is told the sentence before the process ends, on another thread; who came last is told first.
class FatalErrorHandler {
 public:
  explicit FatalErrorHandler(std::function<void(const Error&)> say);
  ~FatalErrorHandler();
  FatalErrorHandler(const FatalErrorHandler&) = delete;
  FatalErrorHandler& operator=(const FatalErrorHandler&) = delete;

 private:
  const std::function<void(const Error&)> say_;
  friend void call_fatal_error_handlers(const Error&);
};

/// Tells all.
void call_fatal_error_handlers(const Error&);
/// Tells all, but waits no longer than half a second for those who hang themselves; then ends the process with the
/// error's code.
[[noreturn]] void exit_hung_process(const Error&);

}  // namespace nw
