// SPDX-License-Identifier: Apache-2.0
// Handles a GPU that no longer responds: a call to its driver does not return, so handlers report the error and the
// process ends.
#pragma once
#include <functional>

#include "kernels/result.hpp"

namespace nw {

/// During its lifetime, `say` is called with the message before the process ends, on another thread; the most recently
/// created handler is called first.
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

/// Calls all handlers.
void call_fatal_error_handlers(const Error&);
/// Calls all handlers, waits at most half a second for them, and ends the process with the error's exit code.
[[noreturn]] void exit_hung_process(const Error&);

}  // namespace nw
