// SPDX-License-Identifier: Apache-2.0
// A GPU that does not answer any more: whoever asked it never comes back, so the process is left, and what has to be
// said is said before.
#pragma once
#include <functional>

#include "kernels/result.hpp"

namespace nw {

/// While it lives, `say` is told the sentence before the process ends, on another thread; who came last is told first.
class LastWords {
 public:
  explicit LastWords(std::function<void(const Error&)> say);
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

 private:
  const std::function<void(const Error&)> say_;
  friend void tell_last_words(const Error&);
};

/// Tells all.
void tell_last_words(const Error&);
/// Tells all, but waits no longer than half a second for those who hang themselves; then ends the process with the
/// error's code.
[[noreturn]] void leave_hung_process(const Error&);

}  // namespace nw
