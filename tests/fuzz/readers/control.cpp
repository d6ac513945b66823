// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "engine/runs/control_protocol.hpp"
#include "engine/runs/control_server.hpp"
#include "engine/runs/descriptor.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/engine/runs/folder.hpp"
#include "tests/fuzz/readers/readers.hpp"

namespace nw::fuzz {
namespace {

constexpr std::size_t longest_line = 72 << 10, fits_into_socket = 64 << 10;

int socket_at(const fs::path& path, bool listening) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), std::min(path.native().size(), sizeof address.sun_path - 1));
  const auto* at = reinterpret_cast<const sockaddr*>(&address);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening) ::unlink(path.c_str());
  const int done = listening ? ::bind(fd, at, sizeof address) : ::connect(fd, at, sizeof address);
  if (done == 0 && (!listening || ::listen(fd, 1) == 0)) return fd;
  ::close(fd);
  return -1;
}

void send_all(int fd, Bytes bytes) {
  (void)!::send(fd, bytes.data(), std::min(bytes.size(), fits_into_socket), MSG_NOSIGNAL | MSG_DONTWAIT);
  ::shutdown(fd, SHUT_WR);
}

std::string received(int fd) {
  std::string all;
  char chunk[4096];
  for (ssize_t n = 0; (n = ::recv(fd, chunk, sizeof chunk, 0)) > 0;) all.append(chunk, static_cast<std::size_t>(n));
  return all;
}

/// Untrusted bytes as a request to a run.
Outcome asked(Bytes bytes) {
  static const Folder run;
  static std::string wrong;
  static const auto server = ControlServer::start(run.path, [](std::string_view line) {
    if (line.find('\n') != std::string_view::npos || line.size() > longest_line) wrong = "more than one line";
    return std::string("ok");
  });
  if (!server) return {false, server.error().str()};
  const Descriptor socket(socket_at(control_socket(run.path), false));
  if (socket.fd < 0) return {false, "the run does not take connections any more"};
  send_all(socket.fd, bytes);
  const std::string answer = received(socket.fd);
  const std::string_view text = read_numbered(answer).text;
  if (!answer.empty() && text != "ok\n" && !text.starts_with("error: this run")) return {true, "another answer"};
  return {!answer.empty(), wrong};
}

/// Wakes who waits for a connection that does not come any more.
struct Leave {
  int listening;
  ~Leave() { ::shutdown(listening, SHUT_RDWR); }
};

/// Untrusted bytes as a run's answer.
Outcome answered(Bytes bytes) {
  static const Folder run;
  std::error_code ignored;
  fs::create_directories(control_socket(run.path).parent_path(), ignored);
  const Descriptor listening(socket_at(control_socket(run.path), true));
  if (listening.fd < 0) return {false, "there is no socket"};
  const std::jthread peer([&] {
    for (int i = 0; i < 2; ++i) {  // a run of version 0 is asked again, without a number
      const Descriptor asker(::accept4(listening.fd, nullptr, nullptr, SOCK_CLOEXEC));
      char request[64];
      if (asker.fd < 0) return;
      (void)!::recv(asker.fd, request, sizeof request, 0);
      send_all(asker.fd, bytes);
    }
  });
  const Leave leave{listening.fd};
  const auto answer = control_run(run.path, "status", 2);
  const std::string text = answer ? *answer : answer.error().str();
  return {answer.operator bool(), text.find('\n') == std::string::npos ? "" : "an answer of more than one line"};
}

}  // namespace

Outcome read_control(Bytes bytes) {
  if (bytes.empty()) return {};
  return bytes[0] & 1 ? answered(bytes.subspan(1)) : asked(bytes.subspan(1));
}

}  // namespace nw::fuzz
