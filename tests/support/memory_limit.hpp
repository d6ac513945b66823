// SPDX-License-Identifier: Apache-2.0
// A limit on the memory that a test takes or reserves.
#pragma once
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace nw::test {

/// Fails the test if the process takes more than so many MiB before the end of this object. What is reserved and not
/// touched counts too: an allocation beyond the limit throws std::bad_alloc. Sanitizers reserve terabytes; in their
/// builds only what is touched counts, and `sanitized` is the limit, since they keep freed memory for a while. For work
/// of one thread: malloc reserves 64 MiB for each other one.
class MemoryLimit {
 public:
  explicit MemoryLimit(long mebibytes, [[maybe_unused]] long sanitized = 0) : mebibytes_(mebibytes) {
    ::getrlimit(RLIMIT_AS, &old_);
#ifdef NW_SANITIZED
    if (sanitized > 0) mebibytes_ = sanitized;
#else
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlimit now{pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (static_cast<rlim_t>(mebibytes) << 20),
                     old_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_AS, &now), 0);
#endif
  }
  ~MemoryLimit() {
    ::setrlimit(RLIMIT_AS, &old_);
    EXPECT_LT(most_touched() - before_, mebibytes_ << 10) << "kilobytes";
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  static long most_touched() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;  // kilobytes
  }
  rlimit old_{};
  long mebibytes_;
  long before_ = most_touched();
};

}  // namespace nw::test
