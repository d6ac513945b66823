// SPDX-License-Identifier: Apache-2.0
// What the work of threads throws, for the thread that waits for them: an exception that leaves a thread ends the
// process.
#pragma once
#include <exception>
#include <mutex>
#include <utility>

namespace nw {

/// Keeps the first exception of several threads.
class FirstException {
 public:
  /// Does the work, a function without arguments; an exception of it is kept. Any thread.
  template <class Work>
  void keep(const Work& work) noexcept {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!first_) first_ = std::current_exception();
    }
  }
  /// Throws what was kept, if anything was, and forgets it. Called when the threads have ended their work.
  void rethrow() {
    if (first_) std::rethrow_exception(std::exchange(first_, nullptr));
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace nw
