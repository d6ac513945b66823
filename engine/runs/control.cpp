// SPDX-License-Identifier: Apache-2.0
// The control socket of a run, both ends. Lines are short text; a run responds only to processes of its own user.
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

#include "engine/runs/control_protocol.hpp"
#include "engine/runs/control_server.hpp"
#include "engine/runs/descriptor.hpp"
#include "engine/runs/lock_holder.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t request_limit = 64 << 10;
constexpr double server_timeout_s = 2;

Result<sockaddr_un> address_of(const fs::path& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.native().size() >= sizeof address.sun_path)
    return fail(Errc::other, NW_TR("{0} is too long for a socket; set XDG_RUNTIME_DIR to a shorter folder"),
                socket.string());
  std::memcpy(address.sun_path, socket.c_str(), socket.native().size() + 1);
  return address;
}

Error gone(const fs::path& run) {
  return fail(Errc::no_response, NW_TR("{0} is not running: its control socket does not answer"), run.string());
}

/// Waits until `fd` is ready for `events`; false: timeout.
bool ready(int fd, short events, Clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd p{fd, events, 0};
    const int n = ::poll(&p, 1, static_cast<int>(std::max<long>(0, left)));
    if (n > 0) return true;
    if (n == 0 || errno != EINTR) return false;
  }
}

bool send_line(int fd, std::string line, Clock::time_point until) {
  line += '\n';
  for (std::size_t done = 0; done < line.size();) {
    if (!ready(fd, POLLOUT, until)) return false;
    const ssize_t n = ::send(fd, line.data() + done, line.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return true;
}

/// One line without its newline; nullopt: timeout, too long, or the peer closed the connection.
std::optional<std::string> receive_line(int fd, Clock::time_point until) {
  std::string line;
  char chunk[4096];
  while (line.find('\n') == std::string::npos) {
    if (line.size() > request_limit || !ready(fd, POLLIN, until)) return std::nullopt;
    const ssize_t n = ::recv(fd, chunk, sizeof chunk, MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) return std::nullopt;
    line.append(chunk, static_cast<std::size_t>(n));
  }
  line.resize(line.find('\n'));
  return line;
}

Clock::time_point in_seconds(double s) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
}

/// The process at the other end; nullopt: it belongs to another user.
std::optional<pid_t> peer_of(int fd) {
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 || who.uid != ::geteuid()) return std::nullopt;
  return who.pid;
}

/// Connects within the time. A process that is stopped does not take connections: once those that wait are as many as
/// the kernel keeps, a connect that waits would wait for ever. 0, or an error number.
int connect_until(int fd, const sockaddr_un& address, Clock::time_point until) {
  for (;;) {
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return 0;
    if (errno != EAGAIN && errno != EINTR) return errno;
    if (Clock::now() >= until) return EAGAIN;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// The state letter of a process ("T": stopped); ' ' if it is unknown.
char state_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string stat((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::size_t name_end = stat.rfind(") ");
  return name_end == std::string::npos || name_end + 2 >= stat.size() ? ' ' : stat[name_end + 2];
}

Error silent(const fs::path& run, double timeout_s, pid_t pid) {
  if (pid > 0 && (state_of(pid) == 'T' || state_of(pid) == 't'))
    return fail(Errc::no_response,
                NW_TR("{0} does not answer: its process {1} is stopped; continue it with kill -CONT {1}"), run.string(),
                pid);
  return fail(Errc::no_response, NW_TR("{0} did not answer within {1} s"), run.string(), timeout_s);
}

/// One line to the run, on a connection of its own, and the line that it answers.
Result<std::string> exchanged(const fs::path& run, std::string_view line, double timeout_s, Clock::time_point until) {
  NW_ASSIGN(const sockaddr_un address, address_of(control_socket(run)));
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (const int error = connect_until(socket.fd, address, until))
    return error == EAGAIN ? silent(run, timeout_s, lock_holder(run / "lock")) : gone(run);
  const auto peer = peer_of(socket.fd);
  if (!peer)
    return fail(Errc::other, NW_TR("{0} belongs to another user; nothing was sent"), control_socket(run).string());
  if (!send_line(socket.fd, std::string(line), until)) return gone(run);
  auto answer = receive_line(socket.fd, until);
  if (!answer) return silent(run, timeout_s, *peer);
  return *std::move(answer);
}

}  // namespace

// The folder's name, readable, and a hash of its path: two runs may have the same name.
fs::path control_socket(const fs::path& run) {
  std::error_code error;
  fs::path place = fs::weakly_canonical(fs::absolute(run, error), error);
  if (!place.has_filename()) place = place.parent_path();
  return runtime_folder() / (place.filename().string().substr(0, 32) + "-" + hex(xxh3(place.string())).substr(0, 10));
}

bool control_listens(const fs::path& run) {
  const auto address = address_of(control_socket(run));
  const Descriptor asking(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!address) return false;
  if (::connect(asking.fd, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) == 0) return true;
  return errno == EAGAIN;  // as many wait as the kernel keeps, for instance of a process that is stopped
}

Result<std::string> control_run(const fs::path& run, std::string_view command, double timeout_s) {
  if (command.find('\n') != std::string_view::npos) return fail(Errc::usage, NW_TR("a command is one line"));
  const auto until = in_seconds(timeout_s);
  NW_ASSIGN(std::string line, exchanged(run, numbered(command), timeout_s, until));
  if (is_of_version_0(read_numbered(line))) { NW_ASSIGN(line, exchanged(run, command, timeout_s, until)); }
  return understood(run, read_numbered(line));
}

/// The line that is sent back: with a number if the line had one.
static std::string answer_to(const ControlServer::Answer& answer, std::string_view line) {
  const NumberedLine asked = read_numbered(line);
  if (const auto refusal = refusal_of(asked.protocol)) return numbered(*refusal);
  return asked.protocol == 0 ? answer(asked.text) : numbered(answer(asked.text));
}

struct ControlServer::State {
  fs::path path;
  Answer answer;
  Descriptor listening, leave;
  std::jthread thread;

  void serve() const {
    for (;;) {
      pollfd p[2] = {{listening.fd, POLLIN, 0}, {leave.fd, POLLIN, 0}};
      if (::poll(p, 2, -1) < 0 && errno != EINTR) return;
      if (p[1].revents != 0) return;
      if ((p[0].revents & POLLIN) == 0) continue;
      const Descriptor asker(::accept4(listening.fd, nullptr, nullptr, SOCK_CLOEXEC));
      if (asker.fd < 0 || !peer_of(asker.fd)) continue;
      const auto until = in_seconds(server_timeout_s);
      try {
        if (const auto line = receive_line(asker.fd, until)) send_line(asker.fd, answer_to(answer, *line), until);
      } catch (const std::bad_alloc&) {
        continue;  // the asker gets no answer; the run goes on
      }
    }
  }
};

namespace {
/// Differs for every server of this process.
std::string early_number() {
  static std::atomic<int> servers{0};
  return std::to_string(servers++);
}
}  // namespace

Result<std::unique_ptr<ControlServer>> ControlServer::start(const fs::path& run, Answer answer) {
  auto state = std::make_unique<State>();
  state->path = control_socket(run);
  state->answer = std::move(answer);
  NW_TRY(make_folder(state->path.parent_path(), 0700));
  // Under a name of its own until it listens: whoever finds the socket must not be refused.
  const fs::path early = state->path.parent_path() / ("." + std::to_string(::getpid()) + "-" + early_number());
  NW_ASSIGN(const sockaddr_un address, address_of(early));
  ::unlink(early.c_str());
  state->listening.fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  state->leave.fd = ::eventfd(0, EFD_CLOEXEC);
  // on Linux the socket file gets the descriptor's mode; the folder is private too
  ::fchmod(state->listening.fd, 0600);
  const int bound = ::bind(state->listening.fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  if (bound != 0 || ::listen(state->listening.fd, 8) != 0 || ::rename(early.c_str(), state->path.c_str()) != 0) {
    const int error = errno;
    if (bound == 0) ::unlink(early.c_str());
    return fail(Errc::other, NW_TR("the control socket {0} cannot be created: {1}"), state->path.string(),
                std::strerror(error));
  }
  // before its thread begins: nothing may fail after that, for the thread ends when the server does
  std::unique_ptr<ControlServer> server(new ControlServer(std::move(state)));
  server->state_->thread = std::jthread([s = server->state_.get()] { s->serve(); });
  return server;
}

ControlServer::ControlServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
ControlServer::~ControlServer() {
  const std::uint64_t one = 1;
  (void)!::write(state_->leave.fd, &one, sizeof one);
  if (state_->thread.joinable()) state_->thread.join();
  ::unlink(state_->path.c_str());
}

}  // namespace nw
