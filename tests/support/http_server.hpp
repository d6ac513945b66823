// SPDX-License-Identifier: Apache-2.0
// A web server on the local machine whose responses a test defines, valid or not.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace nw::test {

struct HttpRequest {
  std::string path, if_range, body, authorization;
  long long from = 0;  // of "Range: bytes=from-"
};

/// Serves one connection at a time; `answer` writes the response to the socket, then the connection is closed.
class HttpServer {
 public:
  using Answer = std::function<void(int socket, const HttpRequest&)>;
  explicit HttpServer(Answer answer) : answer_(std::move(answer)) {
    ::setenv("no_proxy", "127.0.0.1", 1);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof where;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&where), size) != 0 || ::listen(listener_, 16) != 0) std::abort();
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&where), &size);
    port_ = ntohs(where.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~HttpServer() {
    done_ = true;
    thread_.join();
    ::close(listener_);
  }
  HttpServer(const HttpServer&) = delete;
  std::string url(const std::string& path = "/") const { return "http://127.0.0.1:" + std::to_string(port_) + path; }
  std::vector<HttpRequest> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  void serve() {
    while (!done_) {
      pollfd waiting{listener_, POLLIN, 0};
      if (::poll(&waiting, 1, 20) <= 0) continue;
      const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) continue;
      const HttpRequest request = read(socket);
      {
        const std::lock_guard lock(mutex_);
        asked_.push_back(request);
      }
      answer_(socket, request);
      ::shutdown(socket, SHUT_RDWR);
      ::close(socket);
    }
  }
  static HttpRequest read(int socket) {
    std::string text;
    char piece[1024];
    while (text.find("\r\n\r\n") == std::string::npos) {
      const ssize_t n = ::recv(socket, piece, sizeof piece, 0);
      if (n <= 0) break;
      text.append(piece, static_cast<std::size_t>(n));
    }
    HttpRequest asked;
    const std::size_t path = text.find(' ') + 1;
    asked.path = text.substr(path, text.find(' ', path) - path);
    if (const std::size_t at = text.find("Range: bytes="); at != std::string::npos)
      asked.from = std::atoll(text.c_str() + at + 13);
    if (const std::size_t at = text.find("If-Range: "); at != std::string::npos)
      asked.if_range = text.substr(at + 10, text.find("\r\n", at) - at - 10);
    asked.authorization = line_of(text, "Authorization: ");
    asked.body = text.substr(std::min(text.size(), text.find("\r\n\r\n") + 4));
    const auto whole = static_cast<std::size_t>(std::atoll(line_of(text, "Content-Length: ").c_str()));
    while (asked.body.size() < whole) {
      const ssize_t n = ::recv(socket, piece, sizeof piece, 0);
      if (n <= 0) break;
      asked.body.append(piece, static_cast<std::size_t>(n));
    }
    return asked;
  }
  static std::string line_of(const std::string& text, const std::string& name) {
    const std::size_t at = text.find(name);
    return at == std::string::npos ? "" : text.substr(at + name.size(), text.find("\r\n", at) - at - name.size());
  }

  Answer answer_;
  int listener_ = -1, port_ = 0;
  std::atomic<bool> done_{false};
  mutable std::mutex mutex_;
  std::vector<HttpRequest> asked_;
  std::thread thread_;
};

inline void send_all(int socket, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::send(socket, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}
inline void send_head(int socket, const std::string& status, const std::string& lines) {
  send_all(socket, "HTTP/1.1 " + status + "\r\nConnection: close\r\n" + lines + "\r\n");
}
/// A valid response: the complete content or the requested range. The connection is closed after at most `most` bytes.
inline void send_file(int socket, const HttpRequest& asked, const std::string& file, const std::string& tag = "",
                      std::size_t most = std::string::npos) {
  const bool rest = asked.from > 0 && asked.from < static_cast<long long>(file.size()) &&
                    (asked.if_range.empty() || asked.if_range == tag);
  const std::size_t from = rest ? static_cast<std::size_t>(asked.from) : 0;
  std::string lines = "Content-Length: " + std::to_string(file.size() - from) + "\r\n";
  if (!tag.empty()) lines += "ETag: " + tag + "\r\n";
  if (rest)
    lines += "Content-Range: bytes " + std::to_string(from) + "-" + std::to_string(file.size() - 1) + "/" +
             std::to_string(file.size()) + "\r\n";
  send_head(socket, rest ? "206 Partial Content" : "200 OK", lines);
  send_all(socket, file.substr(from, most));
}

}  // namespace nw::test
