// SPDX-License-Identifier: Apache-2.0
// Plays one piece of work again and again with each of its allocations failing, in a process of its own.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>

#include "engine/core/memory_reserve.hpp"
#include "tests/torture/allocation/failing_new.hpp"

namespace nw::test {

struct Work {
  std::string name;
  std::function<void()> begin = [] {};  // before each play; its allocations are not counted
  std::function<std::string()> play;    // what is played; returns what it came to, or throws std::bad_alloc
  std::function<std::string(bool)> end = [](bool) {
    return "";
  };  // what is wrong afterwards; true: an allocation failed
};

inline bool played_in_full() { return std::getenv("NETWRIGHT_LONG") != nullptr; }
inline std::size_t open_files() {
  namespace fs = std::filesystem;
  return static_cast<std::size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

class Sweep {
 public:
  /// At most `most` allocations of the work fail, spread over all; with NETWRIGHT_LONG every one.
  Sweep(const Work& work, std::size_t most) : work_(work), most_(most) {}

  /// Exit code of the process that plays: 0, nothing is wrong.
  int run() {
    std::set_terminate([] {
      std::fprintf(stderr, "allocation %zu ends the process\n", now_);
      ::_exit(3);
    });
    for (int warm = 0; warm < 2; ++warm) expected_ = once(0).came_to;  // what is made once and kept is made here
    const Once undisturbed = once(0);
    kept_ = undisturbed.allocations.kept;
    const std::size_t all = undisturbed.allocations.made, files = open_files(),
                      stride = played_in_full() ? 1 : std::max<std::size_t>(1, all / most_);
    for (now_ = 1; now_ <= all; now_ += stride) play(files);
    now_ = 0;
    if (once(0).came_to != expected_) wrong("it comes to something else afterwards");
    std::printf("%s: %zu of %zu allocations, %zu felt\n", work_.name.c_str(), (all + stride - 1) / stride, all, felt_);
    return wrong_ == 0 ? 0 : 1;
  }

 private:
  struct Once {
    Allocations allocations;
    std::string came_to;
    bool threw = false;
  };
  Once once(std::size_t at) {
    keep_memory_reserve();
    work_.begin();
    Once result;
    start_failing(at);
    try {
      result.came_to = work_.play();
    } catch (const std::bad_alloc&) { result.threw = true; }
    result.allocations = stop_failing();
    result.allocations.kept -= result.came_to.capacity() > 15 ? 1 : 0;
    return result;
  }
  void play(std::size_t files) {
    const Once result = once(now_);
    if (result.allocations.failed) ++felt_;
    if (result.allocations.kept > kept_) wrong("memory is not given back");
    if (open_files() != files) wrong("a file stays open");
    if (!result.threw && !result.allocations.failed && result.came_to != expected_) wrong("it comes to something else");
    if (const std::string what = work_.end(result.allocations.failed); !what.empty()) wrong(what.c_str());
  }
  void wrong(const char* what) {
    if (++wrong_ <= 5) std::fprintf(stderr, "%s, allocation %zu: %s\n", work_.name.c_str(), now_, what);
  }

  static inline std::size_t now_ = 0;
  const Work& work_;
  const std::size_t most_;
  std::string expected_;
  std::size_t felt_ = 0, wrong_ = 0;
  std::ptrdiff_t kept_ = 0;
};

/// Plays `work` in a child; a crash, an end of the process and what hangs for `seconds` are failures of the test.
inline void expect_gets_over(const Work& work, std::size_t most, unsigned seconds = 60) {
  ASSERT_TRUE(knows_json_destructor()) << "the program has no symbols";
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(played_in_full() ? 3600 : seconds);
    const int code = Sweep(work, most).run();
    std::fflush(nullptr);
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << work.name << ": ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : 0, 0) << work.name;
}

}  // namespace nw::test
