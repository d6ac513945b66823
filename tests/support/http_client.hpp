// SPDX-License-Identifier: Apache-2.0
// A blocking HTTP/1.1 client on the local machine that sends whatever a test wants, valid or not.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace nw::test {

struct HttpResponse {
  int status = 0;  // 0: the connection ended before a whole response
  std::string head, body;
  bool has(const std::string& line) const { return head.find(line) != std::string::npos; }
};

/// One connection. Reading gives up after `timeout_s` without a byte.
class HttpConnection {
 public:
  explicit HttpConnection(int port, int timeout_s = 30) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{timeout_s, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(static_cast<std::uint16_t>(port));
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&where), sizeof where) == 0;
  }
  ~HttpConnection() { ::close(socket_); }
  HttpConnection(const HttpConnection&) = delete;
  bool connected() const { return connected_; }

  bool send(const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t n = ::send(socket_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (n <= 0) return false;
      at += static_cast<std::size_t>(n);
    }
    return true;
  }
  HttpResponse receive() {
    HttpResponse r;
    std::size_t end;
    while ((end = rest_.find("\r\n\r\n")) == std::string::npos)
      if (!more()) return {};
    r.head = rest_.substr(0, end + 2);
    rest_.erase(0, end + 4);
    const std::size_t at = r.head.find("\r\nContent-Length: ");
    const auto length = at == std::string::npos ? 0 : static_cast<std::size_t>(std::atoll(r.head.c_str() + at + 18));
    while (rest_.size() < length)
      if (!more()) return {};
    r.body = rest_.substr(0, length);
    rest_.erase(0, length);
    r.status = std::atoi(r.head.c_str() + 9);
    return r;
  }
  /// Whether the server has ended the connection, without another byte.
  bool ended() { return rest_.empty() && !more() && rest_.empty(); }

 private:
  bool more() {
    char piece[4096];
    const ssize_t n = ::recv(socket_, piece, sizeof piece, 0);
    if (n > 0) rest_.append(piece, static_cast<std::size_t>(n));
    return n > 0;
  }
  int socket_;
  bool connected_ = false;
  std::string rest_;
};

/// `lines`: more headers, each with its line end.
inline std::string http_request(const std::string& method, const std::string& path, const std::string& body = "",
                                const std::string& lines = "") {
  return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + lines +
         (method == "POST" ? "Content-Length: " + std::to_string(body.size()) + "\r\n" : "") + "\r\n" + body;
}
inline HttpResponse ask(int port, const std::string& request) {
  HttpConnection c(port);
  return c.send(request) ? c.receive() : HttpResponse{};
}

}  // namespace nw::test
