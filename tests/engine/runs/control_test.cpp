// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>

#include "engine/runs/control_server.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw {
namespace {

class Control : public testing::Test {
 protected:
  Control() { ::setenv("XDG_RUNTIME_DIR", runtime_.path.c_str(), 1); }
  ~Control() override { ::unsetenv("XDG_RUNTIME_DIR"); }
  std::unique_ptr<ControlServer> serve() {
    auto server = ControlServer::start(run_.path, [this](std::string_view line) {
      const std::lock_guard lock(mutex_);
      asked_.emplace_back(line);
      return line == "bad" ? std::string("error: no such thing") : "ok " + std::string(line);
    });
    EXPECT_TRUE(server) << server.error().str();
    return *std::move(server);
  }
  Folder runtime_, run_;
  std::mutex mutex_;
  std::vector<std::string> asked_;
};

TEST_F(Control, EachRequestLineReceivesOneResponseLine) {
  const auto server = serve();
  for (int i = 0; i < 20; ++i) {
    const auto answer = control_run(run_.path, "pause " + std::to_string(i));
    ASSERT_TRUE(answer) << answer.error().str();
    EXPECT_EQ(*answer, "ok pause " + std::to_string(i));
  }
  EXPECT_EQ(asked_.size(), 20U);
}

TEST_F(Control, ARejectedRequestReturnsTheErrorMessageOfTheRun) {
  const auto server = serve();
  const auto answer = control_run(run_.path, "bad");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().str(), "no such thing");
}

TEST_F(Control, AMissingServerIsReportedImmediately) {
  const auto answer = control_run(run_.path, "pause");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::no_response);
  EXPECT_NE(answer.error().str().find(run_.path.string()), std::string::npos);
}

TEST_F(Control, TheSocketHasMode0600AndIsRemovedWithTheServer) {
  auto server = serve();
  struct stat info {};
  ASSERT_EQ(::stat(control_socket(run_.path).c_str(), &info), 0);
  EXPECT_TRUE(S_ISSOCK(info.st_mode));
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  server.reset();
  EXPECT_FALSE(fs::exists(control_socket(run_.path)));
}

/// The folder and the socket are opened to everyone here, so that only the check of the peer is left.
TEST_F(Control, AProcessOfAnotherUserGetsNoAnswer) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const auto server = serve();
  const fs::path socket = control_socket(run_.path);
  for (fs::path folder = socket.parent_path(); folder != runtime_.path.parent_path(); folder = folder.parent_path())
    fs::permissions(folder, fs::perms(0777));
  fs::permissions(socket, fs::perms(0777));
  const pid_t child = ::fork();
  if (child == 0) {
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    std::strncpy(to.sun_path, socket.c_str(), sizeof to.sun_path - 1);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    char answer[16];
    if (::setuid(65534) != 0 || ::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) ::_exit(2);
    (void)!::send(fd, "stop\n", 5, MSG_NOSIGNAL);
    ::_exit(::recv(fd, answer, sizeof answer, 0) > 0 ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "1: it was answered; 2: it could not connect";
  EXPECT_TRUE(asked_.empty());
}

/// Another user's process listens where the run's socket belongs; a pipe tells when it does, and what it was sent.
TEST_F(Control, AServerOfAnotherUserIsSentNothing) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const fs::path socket = control_socket(run_.path);
  ASSERT_TRUE(make_folder(socket.parent_path(), 0700));
  const auto open_to_all = [&](bool all) {
    for (fs::path folder = socket.parent_path(); folder != runtime_.path.parent_path(); folder = folder.parent_path())
      fs::permissions(folder, fs::perms(all ? 0777 : 0700));
  };
  open_to_all(true);
  int ready[2];
  ASSERT_EQ(::pipe2(ready, O_CLOEXEC), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::strncpy(at.sun_path, socket.c_str(), sizeof at.sun_path - 1);
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    char sent[16];
    if (::setuid(65534) != 0 || ::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 ||
        ::chmod(at.sun_path, 0777) != 0 || ::listen(fd, 1) != 0)
      ::_exit(2);
    (void)!::write(ready[1], "x", 1);
    const int asker = ::accept(fd, nullptr, nullptr);
    (void)!::send(asker, "ok\n", 3, MSG_NOSIGNAL);
    ::_exit(::recv(asker, sent, sizeof sent, 0) > 0 ? 1 : 0);
  }
  ::close(ready[1]);
  char byte = 0;
  (void)!::read(ready[0], &byte, 1);
  ::close(ready[0]);
  open_to_all(false);  // a folder that others may write is not used
  const auto answer = control_run(run_.path, "stop");
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "1: it was sent the command; 2: it could not listen";
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().str().find("belongs to another user"), std::string::npos) << answer.error().str();
}

TEST_F(Control, ASocketLeftByACrashIsReplaced) {
  ASSERT_TRUE(make_folder(control_socket(run_.path).parent_path(), 0700));
  ASSERT_TRUE(save_file(control_socket(run_.path), "left over"));
  const auto server = serve();
  EXPECT_TRUE(control_run(run_.path, "status"));
}

/// A run's window asks as soon as the socket is there.
TEST_F(Control, WhoeverFindsTheSocketIsNotRefusedWhileTheServerStarts) {
  ASSERT_TRUE(make_folder(control_socket(run_.path).parent_path(), 0700));
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  std::strncpy(address.sun_path, control_socket(run_.path).c_str(), sizeof address.sun_path - 1);
  std::atomic<bool> over{false};
  std::atomic<int> refused{0}, found{0};
  std::atomic<int> begun{0}, ended{0};  // a server that ends refuses those that found it before: they do not count
  std::thread asker([&] {
    while (!over) {
      const int before = ended;
      const bool serves = begun == before + 1;
      const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      const int done = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
      const int error = done == 0 ? 0 : errno;
      if (done == 0) ++found;
      if (error == ECONNREFUSED && serves && ended == before) ++refused;
      ::close(fd);
    }
  });
  // The destructor stops listening before it removes the file: here it is removed first.
  for (int i = 0; i < 300; ++i) {
    ++begun;
    const auto server = serve();
    for (const int before = found; found == before;) std::this_thread::yield();
    ++ended;
    ::unlink(control_socket(run_.path).c_str());
  }
  over = true;
  asker.join();
  EXPECT_EQ(refused, 0) << "of " << found;
}

TEST_F(Control, RunsWithTheSameNameHaveDifferentSockets) {
  EXPECT_NE(control_socket("/a/run"), control_socket("/b/run"));
  EXPECT_EQ(control_socket(run_.path), control_socket(run_.path.string() + "/"));
  EXPECT_LT(control_socket("/a/" + std::string(200, 'x')).filename().string().size(), 60U)
      << "a socket's path may hold 107 bytes";
}

TEST_F(Control, ASilentOrOversizedClientDoesNotBlockTheNextClient) {
  const auto server = serve();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, control_socket(run_.path).c_str());
  const auto connected = [&] {
    const int s = ::socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_EQ(::connect(s, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return s;
  };
  const int flood = connected();
  const std::string much(200 << 10, 'x');
  (void)!::send(flood, much.data(), much.size(), MSG_NOSIGNAL);
  const int hung_up = connected();
  ::close(hung_up);
  const int silent = connected();
  EXPECT_TRUE(control_run(run_.path, "status", 30));
  ::close(flood);
  ::close(silent);
}

/// A process that serves the run and is stopped: it takes no connections, which the kernel keeps up to a number.
struct StoppedServer {
  pid_t pid = 0;
  explicit StoppedServer(const fs::path& run) {
    int ready[2];
    if (::pipe(ready) != 0) return;
    pid = ::fork();
    if (pid == 0) {
      const auto lock = FileLock::take(run / "lock");
      const auto server = ControlServer::start(run, [](std::string_view) { return std::string("ok"); });
      (void)!::write(ready[1], server && lock ? "y" : "n", 1);
      for (;;) ::pause();
    }
    char word = 0;
    (void)!::read(ready[0], &word, 1);
    EXPECT_EQ(word, 'y');
    ::close(ready[0]);
    ::close(ready[1]);
    ::kill(pid, SIGSTOP);
    int status = 0;
    ::waitpid(pid, &status, WUNTRACED);
  }
  ~StoppedServer() {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
};

TEST_F(Control, AStoppedServerIsReportedWithinTheTimeHoweverOftenItIsAsked) {
  const StoppedServer server(run_.path);
  for (int i = 0; i < 20; ++i) {
    const auto before = std::chrono::steady_clock::now();
    const auto answer = control_run(run_.path, "status", 0.1);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Errc::no_response);
    EXPECT_NE(answer.error().str().find("kill -CONT " + std::to_string(server.pid)), std::string::npos)
        << answer.error().str();
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(2)) << "request " << i;
  }
  ::kill(server.pid, SIGCONT);
  EXPECT_TRUE(control_run(run_.path, "status", 60)) << "a run that continues answers again";
}

}  // namespace
}  // namespace nw
