// SPDX-License-Identifier: Apache-2.0
#include "app/cli/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/runs/contained.hpp"

namespace nw::cli {
namespace {

/// Between fork and exec: only what may be called there.
[[noreturn]] void become(char* const* words, int log, pid_t parent, const char* folder) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(128 + SIGTERM);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  ::dup2(::open("/dev/null", O_RDONLY), 0);
  ::dup2(log, 1);
  ::dup2(log, 2);
  if (*folder && ::chdir(folder) != 0) {
    constexpr char message[] = "the folder in which it was to run is gone\n";
    if (::write(2, message, sizeof message - 1) < 0) ::_exit(126);
    ::_exit(126);
  }
  ::execv(words[0], words);
  ::_exit(127);
}

}  // namespace

Status ChildProcess::start(const std::vector<std::string>& arguments, int log, const fs::path& folder) {
  std::error_code ignored;
  const std::string program = fs::read_symlink("/proc/self/exe", ignored).string();
  std::vector<char*> words = {const_cast<char*>(program.c_str())};
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t self = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) become(words.data(), log, self, folder.c_str());
  ::close(log);
  if (pid_ < 0) return fail(Errc::other, NW_TR("{0} cannot be started: {1}"), program, std::strerror(errno));
  return {};
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), stopped_(other.stopped_), status_(other.status_) {}
ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(stopped_, other.stopped_);
  std::swap(status_, other.status_);
  return *this;
}
ChildProcess::~ChildProcess() {
  if (pid_ <= 0) return;
  stop();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
}

bool ChildProcess::ended() {
  if (pid_ <= 0) return true;
  const pid_t done = ::waitpid(pid_, &status_, WNOHANG);
  if (done == 0 || (done < 0 && errno == EINTR)) return false;
  pid_ = -1;
  return true;
}

void ChildProcess::stop() {
  if (pid_ > 0 && !std::exchange(stopped_, true)) ::kill(pid_, SIGTERM);
}

bool was_killed(int status) {
  if (WIFSIGNALED(status))
    return WTERMSIG(status) != SIGSEGV && WTERMSIG(status) != SIGABRT && WTERMSIG(status) != SIGBUS;
  return WIFEXITED(status) && WEXITSTATUS(status) > 128;
}

std::string ending_of(int status) {
  return WIFSIGNALED(status) ? fmt::format("its process was ended by signal {}", WTERMSIG(status))
                             : fmt::format("its process ended with code {}", WEXITSTATUS(status));
}

std::string last_error(const fs::path& folder, const std::string& log) {
  constexpr std::string_view prefix = "netwright-cli: ";  // as report() prints it
  const auto tail = tail_inside(folder, log, 4096);
  std::string error, last;
  std::istringstream lines(tail ? *tail : "");
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(prefix)) error = line.substr(prefix.size());
    if (!line.empty()) last = line;
  }
  return error.empty() ? last : error;
}

}  // namespace nw::cli
