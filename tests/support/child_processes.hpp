// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace nw::test {

/// The processes that this one has started and that it has not waited for yet (/proc/self/task/*/children, proc(5)).
inline std::set<pid_t> child_processes() {
  std::set<pid_t> all;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream words(task.path() / "children");
    for (pid_t child = 0; words >> child;) all.insert(child);
  }
  return all;
}

}  // namespace nw::test
