// SPDX-License-Identifier: Apache-2.0
#include "engine/core/free_memory.hpp"

#include <gtest/gtest.h>

#include "tests/engine/runs/folder.hpp"
#include "tests/support/data_files.hpp"

namespace nw {
namespace {

constexpr std::int64_t mib = 1 << 20;

/// A machine with 8 GiB, of which 4 GiB are available, in files as the kernel writes them.
struct Machine {
  Machine() {
    test::write_bytes(proc / "meminfo",
                      "MemTotal:        8388608 kB\nMemFree:          100 kB\nMemAvailable:    4194304 kB\n");
    test::write_bytes(proc / "self/cgroup", "0::/user.slice/app.scope\n");
  }
  void limit(const char* group, const std::string& most, std::int64_t taken, std::int64_t cache = 0) const {
    const fs::path at = groups / group;
    test::write_bytes(at / "memory.max", most + "\n");
    test::write_bytes(at / "memory.current", std::to_string(taken) + "\n");
    test::write_bytes(at / "memory.stat", "anon 5\ninactive_file " + std::to_string(cache) + "\nactive_file 7\n");
  }
  std::int64_t free() const { return free_memory_bytes(proc, groups); }
  Folder place;
  fs::path proc = place.path / "proc", groups = place.path / "cgroup";
};

TEST(FreeMemory, IsWhatTheKernelCallsAvailable) {
  Machine m;
  EXPECT_EQ(m.free(), 4096 * mib);
  m.limit("user.slice/app.scope", "max", 100 * mib);
  EXPECT_EQ(m.free(), 4096 * mib) << "a group without a limit";
}

TEST(FreeMemory, IsNoMoreThanWhatTheControlGroupsLeave) {
  Machine m;
  m.limit("user.slice/app.scope", std::to_string(1024 * mib), 300 * mib, 100 * mib);
  EXPECT_EQ(m.free(), 824 * mib) << "what is cached can be dropped";
  m.limit("user.slice", std::to_string(512 * mib), 400 * mib);
  EXPECT_EQ(m.free(), 112 * mib) << "a group above has less";
  m.limit("", std::to_string(64 * mib), 80 * mib);
  EXPECT_EQ(m.free(), 1) << "used up, which is not the same as unknown";
}

TEST(FreeMemory, IsUnknownWithoutTheKernelsFilesAndNeverOutsideTheGroups) {
  Machine m;
  EXPECT_EQ(free_memory_bytes(m.place.path / "none", m.place.path / "none"), 0);
  test::write_bytes(m.proc / "self/cgroup", "0::/../../elsewhere\n");
  test::write_bytes(m.place.path / "elsewhere/memory.max", "1\n");
  test::write_bytes(m.place.path / "elsewhere/memory.current", "0\n");
  EXPECT_EQ(m.free(), 4096 * mib);
  for (const char* text : {"", "MemAvailable:", "MemAvailable: x kB\n", "MemAvailable: -5 kB\n", "\n\n"}) {
    test::write_bytes(m.proc / "meminfo", text);
    EXPECT_EQ(m.free(), 0) << text;
  }
  EXPECT_GT(free_memory_bytes(), 0) << "this machine";
}

}  // namespace
}  // namespace nw
