// SPDX-License-Identifier: Apache-2.0
// A save reaches the disk before it replaces the old file, and the folder's entry afterwards. This program's own fsync
// records the calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <functional>

#include "engine/core/files.hpp"
#include "tests/engine/runs/folder.hpp"

namespace {
std::function<void(int)> on_sync;
}  // namespace

extern "C" int fsync(int fd) {
  if (on_sync) on_sync(fd);
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

namespace nw {
namespace {

/// What a call of fsync was asked for, and what a reader of `file` would have got at that moment.
struct Synced {
  bool folder;
  std::string bytes, readers_get;
  bool operator==(const Synced&) const = default;
};

class Sync : public testing::Test {
 protected:
  Sync() {
    on_sync = [this](int fd) {
      const fs::path of = fs::read_symlink("/proc/self/fd/" + std::to_string(fd));
      const bool folder = fs::is_directory(of);
      const auto now = read_file(file, 1000);
      calls.push_back({folder, folder ? of.string() : *read_file(of, 1000), now ? *now : "nothing"});
    };
  }
  ~Sync() override { on_sync = nullptr; }
  Folder folder;
  fs::path file = folder.path / "a";
  std::vector<Synced> calls;
};

TEST_F(Sync, ASaveReachesTheDiskBeforeItReplacesTheOldFile) {
  ASSERT_TRUE(save_file(file, "old"));
  calls.clear();
  ASSERT_TRUE(save_file(file, "new"));
  EXPECT_THAT(calls, testing::ElementsAre(Synced{false, "new", "old"}, Synced{true, folder.path.string(), "new"}));
}

}  // namespace
}  // namespace nw
