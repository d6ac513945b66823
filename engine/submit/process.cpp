// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

namespace nw::submit {
namespace {

using PollClock = std::chrono::steady_clock;
constexpr std::size_t kept_err_bytes = 4096;

double seconds_since(PollClock::time_point then) {
  return std::chrono::duration<double>(PollClock::now() - then).count();
}

/// write() to a pipe that nobody reads any more: EPIPE instead of a signal that would end the program.
ssize_t write_quietly(int fd, std::string_view bytes) {
  sigset_t pipe, before;
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
  const ssize_t n = ::write(fd, bytes.data(), bytes.size());
  const int error = errno;
  if (n < 0 && error == EPIPE) {
    constexpr timespec at_once{};
    ::sigtimedwait(&pipe, nullptr, &at_once);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return n;
}

/// Between fork and exec: only what may be called there.
[[noreturn]] void become_program(char* const* words, const std::array<int, 3>& ends, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(128 + SIGTERM);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  for (int fd = 0; fd < 3; ++fd) ::dup2(ends[static_cast<std::size_t>(fd)], fd);
  ::execvp(words[0], words);
  ::_exit(127);
}

/// A child with pipes at its three ends, in a process group of its own, which ends with this object.
class Child {
 public:
  Status start(const std::vector<std::string>& words) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    std::array<std::array<int, 2>, 3> pipes{};
    for (auto& p : pipes)
      if (::pipe2(p.data(), O_CLOEXEC) != 0) return fail(Errc::other, NW_TR("no pipe: {0}"), std::strerror(errno));
    const pid_t self = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) become_program(argv.data(), {pipes[0][0], pipes[1][1], pipes[2][1]}, self);
    for (const int fd : {pipes[0][0], pipes[1][1], pipes[2][1]}) ::close(fd);
    ends_ = {pipes[0][1], pipes[1][0], pipes[2][0]};
    for (const int fd : ends_) ::fcntl(fd, F_SETFL, O_NONBLOCK);
    return pid_ > 0 ? Status{} : fail(Errc::other, NW_TR("{0} cannot be started: {1}"), words[0], std::strerror(errno));
  }
  ~Child() {
    for (int& fd : ends_) shut(fd);
    if (pid_ > 0) (void)wait(SIGKILL);
  }
  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int& end(std::size_t i) { return ends_[i]; }
  static void shut(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
  /// `signal`: sent to the group first; 0: none.
  int wait(int signal) {
    if (signal) ::kill(-pid_, signal);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t pid_ = -1;
  std::array<int, 3> ends_{-1, -1, -1};
};

/// Moves bytes between this process and a child until it closes both outputs, or a limit is reached.
class Pump {
 public:
  Pump(Child& child, Input input, const ProcessLimits& limits, const std::function<bool(std::string_view)>& take)
      : child_(child), more_(std::move(input)), limits_(limits), take_(take) {}

  /// False: at a limit, or `take` had enough.
  bool run() {
    while (child_.end(1) >= 0 || child_.end(2) >= 0) {
      if (input_.empty() && child_.end(0) >= 0) input_ = more_();
      if (input_.empty()) Child::shut(child_.end(0));
      pollfd polled[3] = {{child_.end(0), POLLOUT, 0}, {child_.end(1), POLLIN, 0}, {child_.end(2), POLLIN, 0}};
      if (::poll(polled, 3, 200) < 0 && errno != EINTR) return false;
      if (polled[0].revents) give();
      if (polled[1].revents && !receive(1)) return false;
      if (polled[2].revents) (void)receive(2);
      if (late()) return false;
    }
    return true;
  }
  bool late() const {
    return seconds_since(begun_) > limits_.timeout_s ||
           (limits_.silence_s > 0 && seconds_since(moved_) > limits_.silence_s);
  }
  const std::string& err() const { return err_; }

 private:
  void give() {
    const ssize_t n = write_quietly(child_.end(0), input_);
    if (n > 0) input_.remove_prefix(static_cast<std::size_t>(n)), moved_ = PollClock::now();
    if (n < 0 && errno != EAGAIN && errno != EINTR) Child::shut(child_.end(0));
  }
  bool receive(std::size_t which) {
    std::array<char, 65536> piece;
    const ssize_t n = ::read(child_.end(which), piece.data(), piece.size());
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    if (n == 0) Child::shut(child_.end(which));
    const std::string_view got(piece.data(), static_cast<std::size_t>(n));
    if (which == 1) {
      moved_ = PollClock::now();
      return got.empty() || take_(got);
    }
    err_ += got;
    if (err_.size() > kept_err_bytes) err_.erase(0, err_.size() - kept_err_bytes);
    return true;
  }

  Child& child_;
  const Input more_;
  std::string_view input_;
  const ProcessLimits& limits_;
  const std::function<bool(std::string_view)>& take_;
  std::string err_;
  PollClock::time_point begun_ = PollClock::now(), moved_ = begun_;
};

/// The whole of it at once.
Input all_of(std::string_view input) {
  return [input, given = false]() mutable { return std::exchange(given, true) ? std::string_view() : input; };
}

Result<ProcessOutput> pump(const std::vector<std::string>& words, const Input& input, const ProcessLimits& limits,
                           const std::function<bool(std::string_view)>& take) {
  Child child;
  NW_TRY(child.start(words));
  Pump pump(child, input, limits, take);
  if (pump.run()) {
    const int code = child.wait(0);
    if (code == 127 && pump.err().empty()) return fail(Errc::other, NW_TR("{0} is not installed"), words[0]);
    return ProcessOutput{code, "", pump.err()};
  }
  (void)child.wait(SIGKILL);
  if (!pump.late()) return ProcessOutput{-1, "", pump.err()};  // the receiver had enough
  return fail(Errc::no_response, NW_TR("{0} has not answered in time"), words[0]);
}

}  // namespace

Result<ProcessOutput> run_process(const std::vector<std::string>& words, std::string_view input,
                                  const ProcessLimits& limits) {
  std::string out;
  const std::function<bool(std::string_view)> take = [&](std::string_view piece) {
    out += piece;
    return out.size() <= limits.out_bytes;
  };
  NW_ASSIGN(ProcessOutput done, pump(words, all_of(input), limits, take));
  if (out.size() > limits.out_bytes)
    return fail(Errc::bad_input, NW_TR("{0} printed more than {1} bytes"), words[0], limits.out_bytes);
  done.out = std::move(out);
  return done;
}

Result<ProcessOutput> follow_process(const std::vector<std::string>& words, std::string_view input,
                                     const ProcessLimits& limits, const std::function<bool(std::string_view)>& take) {
  return pump(words, all_of(input), limits, take);
}

Result<ProcessOutput> feed_process(const std::vector<std::string>& words, const Input& input,
                                   const ProcessLimits& limits) {
  return pump(words, input, limits, [](std::string_view) { return true; });
}

}  // namespace nw::submit
