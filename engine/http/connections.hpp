// SPDX-License-Identifier: Apache-2.0
// The open connections of a listener, and how long each has been waiting for its client.
#pragma once
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <chrono>
#include <mutex>
#include <set>

namespace nw::http {

inline double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// One connection. `since_s`: when its client was last waited for; negative: the client waits for a reply.
struct Connection {
  int socket = -1;
  double since_s = 0;
};

/// Safe from several threads. libmicrohttpd's own time-out begins anew with every byte; this one does not, so a client
/// that sends one byte a second cannot keep its connection.
class Connections {
 public:
  Connection* add(int socket) {
    const std::lock_guard lock(mutex_);
    auto* c = new Connection{socket, now_s()};
    all_.insert(c);
    return c;
  }
  void remove(Connection* c) {
    const std::lock_guard lock(mutex_);
    all_.erase(c);
    delete c;
  }
  void client_waits(Connection& c) {
    const std::lock_guard lock(mutex_);
    c.since_s = -1;
  }
  void waits_for_client(Connection& c) {
    const std::lock_guard lock(mutex_);
    c.since_s = now_s();
  }
  /// Ends connections whose client has taken longer than `seconds`. A socket is closed only after remove().
  void end_slow(double seconds) {
    const std::lock_guard lock(mutex_);
    const double now = now_s();
    for (Connection* c : all_)
      if (c->since_s >= 0 && now - c->since_s > seconds) ::shutdown(c->socket, SHUT_RDWR);
  }
  /// Whether bytes have arrived that nobody has read.
  bool have_unread() const {
    const std::lock_guard lock(mutex_);
    for (const Connection* c : all_) {
      int bytes = 0;
      if (::ioctl(c->socket, FIONREAD, &bytes) == 0 && bytes > 0) return true;
    }
    return false;
  }
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return all_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::set<Connection*> all_;
};

}  // namespace nw::http
