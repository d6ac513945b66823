// SPDX-License-Identifier: Apache-2.0
// A project file always has its old or its new content: SIGKILL at random moments and at every system call, and a full
// disk.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <random>
#include <thread>

#include "engine/core/files.hpp"
#include "engine/design/project_file.hpp"
#include "tests/support/paths.hpp"

namespace nw {
namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "netwright-torture-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
};

GraphDoc project(const char* name) { return new_project(*find_template(name)); }
int kills() { return std::getenv("NETWRIGHT_LONG") ? 1000 : 20; }

/// A child that saves two projects alternately until it is killed; one byte on the pipe signals that it has started.
pid_t saver(const fs::path& file, int ready) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const GraphDoc small = project("mlp"), large = project("resnet18-cifar");
  (void)!::write(ready, "x", 1);
  for (;;)
    if (!ProjectFile::save(small, file) || !ProjectFile::save(large, file)) ::_exit(1);
}

TEST(ProjectSave, KilledAtAnyMomentLeavesTheOldOrTheNewProject) {
  const Folder folder;
  const fs::path file = folder.path / "work.netwright";
  const GraphDoc small = project("mlp"), large = project("resnet18-cifar");
  ASSERT_TRUE(ProjectFile::save(small, file));
  std::mt19937 random(7);
  for (int i = 0; i < kills(); ++i) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = saver(file, pipe[1]);
    ASSERT_GT(child, 0);
    char byte;
    ASSERT_EQ(::read(pipe[0], &byte, 1), 1);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20000));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the saver ended by itself: a save failed";
    ::close(pipe[0]);
    ::close(pipe[1]);
    const auto left = ProjectFile::load(file);
    ASSERT_TRUE(left) << "kill " << i << ": " << left.error().str();
    EXPECT_TRUE(*left == small || *left == large) << "kill " << i;
    EXPECT_LE(std::distance(fs::directory_iterator(folder.path), {}), 2) << "kill " << i << ": temporary files pile up";
  }
  ASSERT_TRUE(ProjectFile::save(small, file));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), {}), 1) << "a temporary file was left";
}

/// Runs `netwright-cli new` over an existing project under strace with one injected fault; returns the exit status. The
/// sanitizer must not search for leaks (it also uses ptrace) nor resolve symbols (its helper is reached through a pipe
/// that now fails, so it would wait).
int save_with_fault(const fs::path& file, const std::string& fault) {
  const std::string command =
      "strace -f -qq -E ASAN_OPTIONS=detect_leaks=0:symbolize=0 -E TSAN_OPTIONS=symbolize=0 -o /dev/null -e inject=" +
      fault + " " + test::programs_folder() + "/netwright-cli new --template lenet5 --force -o '" + file.string() +
      "' >/dev/null 2>&1";
  return std::system(command.c_str());
}

TEST(ProjectSave, KillOrErrorAtAnySystemCallLeavesTheOldOrTheNewProject) {
  if (std::system("strace -qq -o /dev/null true 2>/dev/null") != 0) GTEST_SKIP() << "strace cannot trace here";
  const Folder folder;
  const fs::path file = folder.path / "work.netwright";
  const GraphDoc before = project("mlp"), after = project("lenet5");
  std::map<std::string, int> reached;  // by the kind of call: write, fsync or fdatasync, one of the renames
  for (const char* call : {"write", "fsync", "fdatasync", "rename", "renameat", "renameat2"})
    for (const char* what : {"signal=KILL", "error=EIO", "error=ENOSPC"})
      for (int n = 1; n <= (std::getenv("NETWRIGHT_LONG") ? 1000 : 12); ++n) {
        ASSERT_TRUE(ProjectFile::save(before, file));
        ASSERT_EQ(std::distance(fs::directory_iterator(folder.path), {}), 1)
            << "the next save clears away what a kill left";
        const int status = save_with_fault(file, std::string(call) + ":" + what + ":when=" + std::to_string(n));
        EXPECT_TRUE(std::string(what) == "signal=KILL" || (WIFEXITED(status) && WEXITSTATUS(status) < 126))
            << "it crashed: " << call << " " << what << " " << n;
        const auto left = ProjectFile::load(file);
        ASSERT_TRUE(left) << call << " " << what << " " << n << ": " << left.error().str();
        EXPECT_TRUE(*left == before || *left == after) << call << " " << what << " " << n;
        if (status == 0) {  // there is no n-th call, or its failure was handled
          EXPECT_TRUE(*left == after) << "claimed success but kept the old project: " << call << " " << what << " "
                                      << n;
          break;
        }
        ++reached[std::string(call).find("sync") != std::string::npos ? "sync" : std::string(call).substr(0, 6)];
      }
  for (const char* kind : {"write", "sync", "rename"})
    EXPECT_GE(reached[kind], 3) << kind << ": a kill and two errors were not felt; is the program found?";
}

TEST(ProjectSave, AFullDiskIsReportedAndKeepsTheOldProject) {
  const Folder folder;
  const fs::path file = folder.path / "work.netwright";
  const GraphDoc before = project("mlp"), large = project("resnet18-cifar");
  ASSERT_TRUE(ProjectFile::save(before, file));
  const auto size = static_cast<rlim_t>(ProjectFile::text(large).size());
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlim_t steps = std::getenv("NETWRIGHT_LONG") ? 64 : 16;
  for (rlim_t step = 0; step < steps; ++step) {
    rlimit limit{size * step / steps, old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const Status status = ProjectFile::save(large, file);
    ::setrlimit(RLIMIT_FSIZE, &old);
    ASSERT_FALSE(status) << "room for " << size * step / steps << " of " << size << " bytes";
    EXPECT_EQ(status.error().code, Errc::disk);
    EXPECT_NE(status.error().str().find("work.netwright"), std::string::npos);
    EXPECT_NE(status.error().str().find(" bytes"), std::string::npos) << status.error().str();
    const auto left = ProjectFile::load(file);
    ASSERT_TRUE(left);
    EXPECT_TRUE(*left == before);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), {}), 1) << "no temporary file stays behind";
}

}  // namespace
}  // namespace nw
