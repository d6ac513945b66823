// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/start_threads.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace nw {
namespace {

std::optional<std::int64_t> number_in(const std::string& file) {
  std::ifstream in(file);
  std::int64_t value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

/// A line of /proc/self/status, such as "Threads:"; 0 if there is none.
std::int64_t status_of(const std::string& name) {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;)
    if (std::int64_t value = 0; word == name && in >> value) return value;
  return 0;
}

/// The folder of this process in the tree of control groups: "0::/user.slice/…".
std::string control_group() {
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("0::/")) return "/sys/fs/cgroup" + line.substr(3);
  return "/sys/fs/cgroup";
}

std::optional<std::int64_t> limit_of(__rlimit_resource resource) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return static_cast<std::int64_t>(limit.rlim_cur);
}

struct Limit {
  std::string name;
  std::int64_t value;
};

/// The smallest limit on the number of threads.
std::optional<Limit> smallest_limit() {
  std::optional<Limit> least;
  const auto take = [&](const char* name, std::optional<std::int64_t> value) {
    if (value && (!least || *value < least->value)) least = Limit{name, *value};
  };
  take("ulimit -u", limit_of(RLIMIT_NPROC));
  take("pids.max", number_in(control_group() + "/pids.max"));
  take("threads-max", number_in("/proc/sys/kernel/threads-max"));
  return least;
}

}  // namespace

Error no_more_threads() {
  const std::int64_t threads = status_of("Threads:"), memory_kb = status_of("VmSize:");
  const auto memory = limit_of(RLIMIT_AS), stack = limit_of(RLIMIT_STACK);
  const std::int64_t needed = (memory_kb << 10) + stack.value_or(std::int64_t{8} << 20);
  if (memory && needed > *memory - (std::int64_t{64} << 20))
    return fail(
        Errc::out_of_memory,
        NW_TR("no more threads can be started: there are {0}, and the limit of {1} MiB of memory (ulimit -v) has "
              "no room for another; use fewer threads, or raise the limit"),
        threads, *memory >> 20);
  if (const auto limit = smallest_limit())
    return fail(Errc::other,
                NW_TR("no more threads can be started: this process has {0}, and the limit is {1} ({2}); use fewer "
                      "threads, or raise the limit"),
                threads, limit->value, limit->name);
  return fail(Errc::other, NW_TR("no more threads can be started: this process has {0}; use fewer threads"), threads);
}

std::jthread start_thread(std::function<void()> body) { return std::jthread(std::move(body)); }

Result<std::vector<std::jthread>> start_threads(int count, const std::function<void(int)>& body,
                                                const std::function<void()>& leave, const ThreadStarter& starter) {
  std::vector<std::jthread> threads;                              // joined when it is destroyed
  threads.reserve(static_cast<std::size_t>(std::max(count, 0)));  // no thread that runs is lost to a lack of memory
  try {
    try {
      for (int number = 1; number <= count; ++number) threads.push_back(starter([body, number] { body(number); }));
      return Result<std::vector<std::jthread>>(std::move(threads));
    } catch (const std::system_error&) {
      Error why = no_more_threads();  // while the others still count
      leave();
      return why;
    }
  } catch (...) {  // without memory: the others must not be waited for as they wait for work
    leave();
    throw;
  }
}

std::vector<std::jthread> start_some_threads(int count, const std::function<void()>& body,
                                             const ThreadStarter& starter) {
  std::vector<std::jthread> threads;
  try {
    threads.reserve(static_cast<std::size_t>(std::max(count, 0)));
    while (static_cast<int>(threads.size()) < count) threads.push_back(starter(body));
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {}  // fewer are enough
  return threads;
}

}  // namespace nw
