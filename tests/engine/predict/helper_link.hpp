// SPDX-License-Identifier: Apache-2.0
// serve() on a thread or in a child process, with requests over a real socket pair.
#pragma once
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>
#include <utility>

#include "engine/predict/serve.hpp"

namespace nw::test {

/// Sends a request and skips progress messages; a null JSON if the helper has closed the socket.
inline Message ask_helper(int socket, Json json, std::int64_t id = 1) {
  json["id"] = id;
  EXPECT_TRUE(send_message(socket, {std::move(json), {}}));
  for (;;) {
    Result<Message> m = receive_message(socket);
    EXPECT_TRUE(m) << m.error().str();
    if (!m) return {};
    if (!m->json.contains("progress")) return *std::move(m);
  }
}

class HelperThread {
 public:
  HelperThread() {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_), 0);
    thread_ = std::thread([fd = ends_[1]] {
      serve(fd);
      ::close(fd);
    });
  }
  ~HelperThread() {
    ::close(ends_[0]);
    thread_.join();
  }
  Message ask(Json json) { return ask_helper(ends_[0], std::move(json), ++id_); }

 private:
  int ends_[2] = {-1, -1};
  std::int64_t id_ = 0;
  std::thread thread_;
};

/// A child process limited to `more_bytes` of address space beyond that of this process.
class HelperWithLittleMemory {
 public:
  explicit HelperWithLittleMemory(std::size_t more_bytes) {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_), 0);
    child_ = ::fork();
    if (child_ != 0) {
      ::close(std::exchange(ends_[1], -1));  // otherwise a crash of the child would not end the wait
      return;
    }
    ::close(ends_[0]);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t limit = pages * static_cast<std::size_t>(::getpagesize()) + more_bytes;
    const rlimit both{limit, limit};
    ::setrlimit(RLIMIT_AS, &both);
    serve(ends_[1]);
    ::_exit(0);
  }
  ~HelperWithLittleMemory() {
    ::close(ends_[0]);
    ::waitpid(child_, nullptr, 0);
  }
  Message ask(Json json) { return ask_helper(ends_[0], std::move(json), ++id_); }

 private:
  int ends_[2] = {-1, -1};
  std::int64_t id_ = 0;
  pid_t child_ = 0;
};

}  // namespace nw::test
