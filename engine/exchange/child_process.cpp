// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

extern char** environ;

namespace nw::exchange {
namespace {

constexpr std::size_t most_output = std::size_t{4} << 20;

Result<pid_t> start(const std::vector<std::string>& command, int output) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output, 1);
  ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, words[0], &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return fail(Errc::other, NW_TR("{0} cannot be started: {1}"), command.front(), std::strerror(error));
  return pid;
}

/// Reads until the end or the deadline; false: time is up.
bool collect(int fd, std::string& out, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::string buffer(65536, '\0');
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd ready{.fd = fd, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, static_cast<int>(std::min<long>(left, 1000))) <= 0) continue;
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    if (out.size() < most_output) out.append(buffer, 0, static_cast<std::size_t>(n));
  }
}

}  // namespace

Result<ChildOutput> run_child(const std::vector<std::string>& command, double seconds) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return fail(Errc::other, NW_TR("{0} cannot be started: {1}"), command.front(), std::strerror(errno));
  const auto pid = start(command, ends[1]);
  ::close(ends[1]);
  ChildOutput result;
  const bool ended = pid && collect(ends[0], result.out, seconds);
  ::close(ends[0]);
  if (!pid) return pid.error();
  if (!ended) ::kill(*pid, SIGKILL);
  int status = 0;
  while (::waitpid(*pid, &status, 0) < 0 && errno == EINTR) continue;
  result.status = ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

std::string program_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  std::error_code ignored;
  for (std::string folder; std::getline(folders, folder, ':');)
    if (folder.starts_with('/') && std::filesystem::is_regular_file(folder + "/" + name, ignored))
      return folder + "/" + name;
  return "";
}

std::string python_program() {
  if (const char* named = std::getenv("NETWRIGHT_PYTHON"); named && *named) return named;
  return program_in_path("python3");
}

}  // namespace nw::exchange
