// SPDX-License-Identifier: Apache-2.0
#include "engine/core/files.hpp"
#include "engine/core/existing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <span>

#include "engine/core/digest.hpp"

namespace nw {
namespace {
using testing::HasSubstr;

struct Files : testing::Test {
  fs::path folder;
  Files() {
    std::string name = (fs::temp_directory_path() / "netwright-files-XXXXXX").string();
    folder = ::mkdtemp(name.data());
  }
  ~Files() override { fs::remove_all(folder); }
  std::string content(const fs::path& path) {
    const auto text = read_file(path, 1 << 30);
    return text ? *text : "cannot read: " + text.error().str();
  }
  long entries() { return std::distance(fs::directory_iterator(folder), {}); }
};

/// Limits the size of files that this process writes to `bytes` during its lifetime.
struct SizeLimit {
  rlimit old{};
  explicit SizeLimit(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &old);
    const rlimit now{bytes, old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~SizeLimit() { ::setrlimit(RLIMIT_FSIZE, &old); }
};

TEST_F(Files, SavesAndReadsBackAnyBytes) {
  const std::string bytes("a\0b\n\xff", 5);
  ASSERT_TRUE(save_file(folder / "x", bytes));
  EXPECT_EQ(content(folder / "x"), bytes);
  ASSERT_TRUE(save_file(folder / "x", ""));
  EXPECT_EQ(content(folder / "x"), "");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, KeepsTheOldFileWhenTheNewOneExceedsTheSizeLimit) {
  ASSERT_TRUE(save_file(folder / "x", "old"));
  const SizeLimit limit(100'000);
  const Status status = save_file(folder / "x", std::string(8 << 20, 'n'));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Errc::disk);
  EXPECT_THAT(status.error().str(), HasSubstr((folder / "x").string()));
  EXPECT_EQ(content(folder / "x"), "old");
  EXPECT_EQ(entries(), 1) << "no temporary file stays behind";
}

TEST_F(Files, KeepsTheOldFileOnAFullDisk) {
  if (::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=2m") != 0) GTEST_SKIP() << "mounting a small disk needs root";
  ASSERT_TRUE(save_file(folder / "x", "old"));
  const Status status = save_file(folder / "x", std::string(8 << 20, 'n'));
  EXPECT_FALSE(status);
  EXPECT_EQ(status.error().code, Errc::disk);
  EXPECT_THAT(status.error().str(), HasSubstr("8388608 bytes"));
  EXPECT_EQ(content(folder / "x"), "old");
  EXPECT_EQ(entries(), 1);
  EXPECT_EQ(::umount(folder.c_str()), 0);
}

TEST_F(Files, RejectsOversizedFilesAndPathsThatAreNotFiles) {
  ASSERT_TRUE(save_file(folder / "x", "12345"));
  EXPECT_TRUE(read_file(folder / "x", 5));
  EXPECT_FALSE(read_file(folder / "x", 4));
  EXPECT_THAT(read_file(folder, 100).error().str(), HasSubstr("is not a file"));
  EXPECT_EQ(read_file(folder / "none", 100).error().code, Errc::bad_input);
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(read_file(folder / "pipe", 100).error().str(), HasSubstr("is not a file"));
  EXPECT_FALSE(save_file(folder / "pipe", "x"));
}

// A pipe would be waited for, and a device read for ever.
TEST_F(Files, HashesAndDigestsAreOfPlainFilesOnly) {
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", folder / "zeros");
  for (const char* name : {"pipe", "zeros", "."}) {
    const auto hash = xxh3_of_file(folder / name);
    ASSERT_FALSE(hash) << name;
    EXPECT_THAT(hash.error().str(), HasSubstr("is not a file"));
    const auto digests = digests_of_file(folder / name);
    ASSERT_FALSE(digests) << name;
    EXPECT_THAT(digests.error().str(), HasSubstr("is not a file"));
  }
}

TEST_F(Files, ReadsFilesThatReportNoSize) { EXPECT_THAT(content("/proc/self/status"), HasSubstr("Pid:")); }

TEST_F(Files, KeepsPermissionsAndLinks) {
  ASSERT_TRUE(save_file(folder / "x", "old", 0600));
  fs::create_symlink(folder / "x", folder / "link");
  ASSERT_TRUE(save_file(folder / "link", "new", 0644));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(content(folder / "x"), "new");
  struct stat info {};
  ASSERT_EQ(::stat((folder / "x").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(Files, ASaveThatReplacesLinksWritesNothingElsewhere) {
  const fs::path mine = folder / "mine", link = folder / "run.json";
  ASSERT_TRUE(save_file(mine, "keep"));
  for (const fs::path& target : {mine, folder / "nowhere", fs::path("/dev/null")}) {
    fs::remove(link);
    fs::create_symlink(target, link);
    ASSERT_TRUE(save_file(link, "new", 0600, Links::replace)) << target;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(link)));
    EXPECT_EQ(content(link), "new");
    EXPECT_EQ(content(mine), "keep");
    EXPECT_FALSE(fs::exists(folder / "nowhere"));
  }
}

TEST_F(Files, ALockIsTakenOnAPlainFileOnly) {
  const fs::path pipe = folder / "lock";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto lock = FileLock::take(pipe);
  ASSERT_FALSE(lock);
  EXPECT_THAT(lock.error().str(), HasSubstr("is not a file"));
  EXPECT_FALSE(FileLock::is_held(pipe));
}

TEST_F(Files, AnUncommittedAtomicFileLeavesNoTrace) {
  {
    auto file = AtomicFile::create(folder / "x");
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write(std::as_bytes(std::span("abc", 3))));
    EXPECT_FALSE(fs::exists(folder / "x"));
    AtomicFile moved = *std::move(file);
    ASSERT_TRUE(moved.write(std::as_bytes(std::span("def", 3))));
  }
  EXPECT_EQ(entries(), 0);
}

TEST_F(Files, TheNextSaveRemovesOnlyTemporaryFilesOfCrashedSaves) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto file = AtomicFile::create(folder / "x");
    ::raise(file ? SIGKILL : SIGTERM);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(WTERMSIG(status), SIGKILL);
  ASSERT_EQ(entries(), 1) << "the crash has left its temporary file";
  for (const char* other : {".x.backup", ".x.saving-notes.txt", ".y.saving-abcdef", "x.saving-abcdef"})
    std::ofstream(folder / other) << "mine";
  ASSERT_TRUE(save_file(folder / "x", "new"));
  EXPECT_EQ(entries(), 5) << "x and the four others";
  for (const char* other : {".x.backup", ".x.saving-notes.txt", ".y.saving-abcdef", "x.saving-abcdef"})
    EXPECT_EQ(content(folder / other), "mine");
}

TEST_F(Files, ConcurrentSavesUseDifferentTemporaryFiles) {
  auto one = AtomicFile::create(folder / "x"), two = AtomicFile::create(folder / "x");
  ASSERT_TRUE(one && two);
  ASSERT_TRUE(one->write(std::as_bytes(std::span("one", 3))));
  ASSERT_TRUE(two->write(std::as_bytes(std::span("two", 3))));
  EXPECT_TRUE(two->commit());
  EXPECT_EQ(content(folder / "x"), "two");
  EXPECT_TRUE(one->commit());
  EXPECT_EQ(content(folder / "x"), "one");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, AFileNameOfMaximumLengthCanBeSaved) {
  const std::string name(255, 'n');
  ASSERT_TRUE(save_file(folder / name, "long"));
  EXPECT_EQ(content(folder / name), "long");
}

TEST_F(Files, ALineFileTruncatesAnIncompleteLastLine) {
  for (const char* torn : {"", "one\n", "one\ntw", "half", "\n\nx"}) {
    std::ofstream(folder / "log") << torn;
    {
      auto file = LineFile::open(folder / "log");
      ASSERT_TRUE(file);
      ASSERT_TRUE(file->append("next"));
      ASSERT_TRUE(file->sync());
    }
    const std::string whole(torn, std::string(torn).rfind('\n') + 1);
    EXPECT_EQ(content(folder / "log"), whole + "next\n") << torn;
  }
}

TEST_F(Files, ALineFileFindsTheLastNewlineFarFromTheEnd) {
  std::ofstream(folder / "log") << "first\n" << std::string(20'000, 'x');
  ASSERT_TRUE(LineFile::open(folder / "log"));
  EXPECT_EQ(content(folder / "log"), "first\n");
}

TEST_F(Files, AFullDiskLeavesWholeLinesOnly) {
  auto file = LineFile::open(folder / "log");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append("short"));
  {
    const SizeLimit limit(100);
    const Status status = file->append(std::string(200, 'x'));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, Errc::disk);
  }
  ASSERT_TRUE(file->append("later"));
  EXPECT_EQ(content(folder / "log"), "short\nlater\n");
}

TEST_F(Files, ALineContainingANewlineIsRejected) {
  auto file = LineFile::open(folder / "log");
  ASSERT_TRUE(file);
  EXPECT_FALSE(file->append("two\nlines"));
  EXPECT_EQ(content(folder / "log"), "");
}

TEST_F(Files, ALineFileDoesNotFollowALink) {
  std::ofstream(folder / "elsewhere") << "mine";
  fs::create_symlink(folder / "elsewhere", folder / "log");
  EXPECT_FALSE(LineFile::open(folder / "log"));
  EXPECT_EQ(content(folder / "elsewhere"), "mine");
}

TEST_F(Files, AKilledWriterLeavesOnlyCompleteLines) {
  std::mt19937 random(3);
  std::size_t lines = 0;
  for (int round = 0; round < 10; ++round) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      auto file = LineFile::open(folder / "log");
      (void)!::write(pipe[1], "x", 1);
      while (file && file->append(std::string(1000, 'y'))) {}
      ::_exit(1);
    }
    char byte;
    ASSERT_EQ(::read(pipe[0], &byte, 1), 1);
    ::usleep(random() % 3000);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(pipe[0]);
    ::close(pipe[1]);
    ASSERT_TRUE(LineFile::open(folder / "log"));
    const std::string text = content(folder / "log");
    ASSERT_EQ(text.size() % 1001, 0u) << "round " << round;
    ASSERT_GE(text.size() / 1001, lines);
    lines = text.size() / 1001;
  }
}

TEST_F(Files, ALockIsFreeAfterItsHolderWasKilled) {
  const fs::path path = folder / "lock";
  EXPECT_FALSE(FileLock::is_held(path));
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = FileLock::take(path);
    (void)!::write(pipe[1], lock ? "y" : "n", 1);
    for (;;) ::pause();
  }
  char byte;
  ASSERT_EQ(::read(pipe[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  EXPECT_TRUE(FileLock::is_held(path));
  const auto second = FileLock::take(path);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Errc::in_use);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(FileLock::is_held(path));
  const auto third = FileLock::take(path);
  EXPECT_TRUE(third);
  EXPECT_TRUE(FileLock::is_held(path));
}

TEST_F(Files, HashesMatchXxh3) {
  EXPECT_EQ(hex(xxh3("")), "2d06800538d394c2");
  const std::string large(3 << 20, 'q');
  ASSERT_TRUE(save_file(folder / "x", large));
  EXPECT_EQ(*xxh3_of_file(folder / "x"), xxh3(large));
  EXPECT_FALSE(xxh3_of_file(folder / "none"));
}

TEST_F(Files, MakesFoldersWithTheirParentsAndMode) {
  ASSERT_TRUE(make_folder(folder / "a" / "b", 0700));
  ASSERT_TRUE(make_folder(folder / "a" / "b", 0700));
  struct stat info {};
  ASSERT_EQ(::stat((folder / "a" / "b").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  ASSERT_TRUE(save_file(folder / "file", ""));
  EXPECT_FALSE(make_folder(folder / "file" / "x"));
}

TEST_F(Files, WhatIsThereIsReplacedOnlyIfTheUserSaysSo) {
  ASSERT_TRUE(save_file(folder / "file", "mine"));
  fs::create_symlink(folder / "nowhere", folder / "link");
  for (const char* name : {"file", "link", "."}) {
    const Status refused = refuse_existing(folder / name, false);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, Errc::usage);
    EXPECT_NE(refused.error().str().find((folder / name).string() + " exists already"), std::string::npos);
    EXPECT_TRUE(refuse_existing(folder / name, true)) << name;
  }
  EXPECT_TRUE(refuse_existing(folder / "new", false));
  EXPECT_TRUE(refuse_existing("", false)) << "no file was asked for";
}

TEST_F(Files, ARuntimeFolderThatOthersMayWriteIsNotUsed) {
  ::setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
  EXPECT_EQ(runtime_folder(), folder / "netwright");
  ASSERT_EQ(::chmod(folder.c_str(), 0777), 0);
  EXPECT_NE(runtime_folder(), folder / "netwright");
  ASSERT_EQ(::chmod(folder.c_str(), 0700), 0);
  fs::create_directory_symlink("/tmp", folder / "netwright");
  EXPECT_NE(runtime_folder(), folder / "netwright") << "a link";
  fs::remove(folder / "netwright");
  ASSERT_TRUE(make_folder(folder / "netwright", 0700));
  ASSERT_EQ(::chmod((folder / "netwright").c_str(), 0770), 0);
  EXPECT_NE(runtime_folder(), folder / "netwright") << "its group may write";
  ::unsetenv("XDG_RUNTIME_DIR");
}

TEST(Places, FollowXdgVariablesAndIgnoreRelativePaths) {
  ::setenv("XDG_DATA_HOME", "/somewhere", 1);
  EXPECT_EQ(data_folder(), "/somewhere/netwright");
  ::setenv("XDG_DATA_HOME", "relative", 1);
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(data_folder(), "/home/me/.local/share/netwright");
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(cache_folder(), "/home/me/.cache/netwright");
  ::setenv("XDG_RUNTIME_DIR", "/run/user/1", 1);
  EXPECT_EQ(runtime_folder(), "/run/user/1/netwright");
  ::unsetenv("XDG_RUNTIME_DIR");
  struct stat info {};
  ASSERT_EQ(::stat(runtime_folder().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 077, 0u) << "nobody else may look in";
  EXPECT_TRUE(fs::exists(program_folder() / "core_test"));
}

}  // namespace
}  // namespace nw
