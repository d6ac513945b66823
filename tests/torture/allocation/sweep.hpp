// SPDX-License-Identifier: Apache-2.0
// Plays one piece of work again and again with each of its allocations failing, in a process of its own: the first 200,
// and of those after them some at even distances; with NETWRIGHT_LONG=1 every one.
#pragma once
#include <execinfo.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "engine/core/memory_reserve.hpp"
#include "tests/torture/allocation/failing_new.hpp"

namespace nw::test {

struct Work {
  std::string name;
  std::function<void()> begin = [] {};  // before each play; its allocations are not counted
  std::function<std::string()> play;    // what is played; returns what it came to, or throws std::bad_alloc
  std::function<std::string(bool)> end = [](bool) {
    return "";
  };                        // what is wrong afterwards; true: an allocation failed
  std::size_t forgets = 0;  // so many blocks may be kept: see lists_in_braces
};

/// GCC 12 forgets the finished elements of a list in braces when a later one throws, as all JSON is written; so does
/// what protobuf's compiler makes.
inline constexpr std::size_t lists_in_braces = 64;

inline bool played_in_full() { return std::getenv("NETWRIGHT_LONG") != nullptr; }
inline std::size_t open_files() {
  namespace fs = std::filesystem;
  return static_cast<std::size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

/// How many allocations fail in a normal run: so many from the beginning on, and so many of the rest.
struct Sample {
  std::size_t first = 200, spread = 100;
};

class Sweep {
 public:
  Sweep(const Work& work, Sample sample) : work_(work), sample_(sample) {}

  /// Exit code of the process that plays: 0, nothing is wrong.
  int run() {
    std::set_terminate([] { ended("ends the process", 3); });
    std::signal(SIGSEGV, [](int) { ended("crashes", 4); });
    std::signal(SIGALRM, [](int) { ended("lets it hang", 5); });
    for (int warm = 0; warm < 2; ++warm) expected_ = once(0).came_to;  // what is made once and kept is made here
    const Once undisturbed = once(0);
    kept_ = undisturbed.allocations.kept;
    const std::size_t all = undisturbed.allocations.made, files = open_files();
    const auto chosen = chosen_of(all);
    for (const std::size_t at : chosen) {
      now_ = at;
      play(files);
    }
    now_ = 0;
    if (once(0).came_to != expected_) wrong("it comes to something else afterwards");
    std::printf("%s: %zu of %zu allocations, %zu felt\n", work_.name.c_str(), chosen.size(), all, felt_);
    return wrong_ == 0 ? 0 : 1;
  }

 private:
  struct Once {
    Allocations allocations;
    std::string came_to;
    bool threw = false;
  };
  std::vector<std::size_t> chosen_of(std::size_t all) const {
    std::vector<std::size_t> numbers;
    const std::size_t first = played_in_full() ? all : std::min(all, sample_.first);
    for (std::size_t i = 1; i <= first; ++i) numbers.push_back(i);
    const std::size_t rest = all - first, some = std::min(rest, sample_.spread);
    for (std::size_t i = 1; i <= some; ++i) numbers.push_back(first + i * rest / some);
    return numbers;
  }
  [[noreturn]] static void ended(const char* how, int code) {
    std::fprintf(stderr, "allocation %zu %s:\n", now_, how);
    void* calls[40];
    ::backtrace_symbols_fd(calls, ::backtrace(calls, std::size(calls)), 2);
    ::_exit(code);
  }
  Once once(std::size_t at, bool stacks = false) {
    keep_memory_reserve();
    work_.begin();
    Once result;
    start_failing(at, stacks);
    try {
      result.came_to = work_.play();
    } catch (const std::bad_alloc&) { result.threw = true; }
    result.allocations = stop_failing();
    if (result.came_to.capacity() > 15) --result.allocations.kept;
    return result;
  }
  void play(std::size_t files) {
    const Once result = once(now_);
    if (result.allocations.failed) ++felt_;
    if (result.allocations.kept > kept_) look_at_kept();
    if (open_files() != files) wrong("a file stays open");
    if (!result.threw && !result.allocations.failed && result.came_to != expected_) wrong("it comes to something else");
    if (const std::string what = work_.end(result.allocations.failed); !what.empty()) wrong(what.c_str());
  }
  void look_at_kept() {
    (void)once(now_, true);
    if (kept_without_excuse(false) <= kept_ + work_.forgets) return;
    wrong("memory is not given back");
    if (wrong_ <= 5) kept_without_excuse(true);
  }
  void wrong(const char* what) {
    if (++wrong_ <= 5) std::fprintf(stderr, "%s, allocation %zu: %s\n", work_.name.c_str(), now_, what);
  }

  static inline std::size_t now_ = 0;
  const Work& work_;
  const Sample sample_;
  std::string expected_;
  std::size_t felt_ = 0, wrong_ = 0;
  std::size_t kept_ = 0;
};

/// Plays `work` in a child; a crash, an end of the process and what hangs for `seconds` are failures of the test.
inline void expect_gets_over(const Work& work, Sample sample = {}, unsigned seconds = 60) {
  ASSERT_TRUE(knows_json_destructor()) << "the program has no symbols";
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(played_in_full() ? 3600 : seconds);
    const int code = Sweep(work, sample).run();
    std::fflush(nullptr);
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << work.name << ": ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : 0, 0) << work.name;
}

}  // namespace nw::test
