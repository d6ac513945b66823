// SPDX-License-Identifier: Apache-2.0
// Runs netwright-cli as a child process and captures its exit code and output.
#pragma once
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/json.hpp"
#include "tests/engine/runs/folder.hpp"
#include "tests/support/paths.hpp"

namespace nw {

struct CommandOutput {
  int code = -1;  // exit code, or 128 + signal
  std::string out, err;
  /// The lines of stdout, each parsed as JSON.
  std::vector<Json> lines() const {
    std::vector<Json> all;
    all.reserve(static_cast<std::size_t>(std::count(out.begin(), out.end(), '\n')));
    for (std::size_t begin = 0, end; (end = out.find('\n', begin)) != std::string::npos; begin = end + 1)
      all.push_back(Json::parse(out.substr(begin, end - begin), nullptr, false));
    return all;
  }
};

/// How a command is started: words placed before it ("strace …"), and a function that the child calls before exec.
struct Launch {
  std::vector<std::string> words;
  std::function<void()> first;
};

/// A process whose stdout and stderr go to files, so that a full pipe cannot block it.
class Command {
 public:
  Command(const Folder& place, const std::vector<std::string>& arguments, const Launch& by = {})
      : out_(place.path / ("out" + next())), err_(out_.string() + ".err") {
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::dup2(::open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
    ::dup2(::open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
    ::dup2(::open("/dev/null", O_RDONLY), 0);
    std::vector<std::string> words = arguments;
    words.insert(words.begin(), test::programs_folder() + "/netwright-cli");
    words.insert(words.begin(), by.words.begin(), by.words.end());
    if (by.first) by.first();
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  ~Command() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }
  pid_t pid() const { return pid_; }
  CommandOutput wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text(out_), text(err_)};
  }
  /// True once the process has ended by itself; wait() still returns its exit code and output.
  bool ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
  }
  std::string out() const { return text(out_); }
  std::string err() const { return text(err_); }

 private:
  static std::string next() {
    static int n = 0;
    return std::to_string(n++);
  }
  static std::string text(const fs::path& file) {
    auto bytes = read_file(file, std::uint64_t{1} << 30);
    return bytes ? *bytes : "";
  }
  fs::path out_, err_;
  pid_t pid_ = -1;
};

inline bool wait_for(const std::function<bool()>& condition) {
  for (int i = 0; i < 36000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return condition();
}

}  // namespace nw
