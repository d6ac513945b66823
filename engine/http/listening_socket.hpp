// SPDX-License-Identifier: Apache-2.0
// A listening socket on a numeric address.
#pragma once
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "kernels/result.hpp"

namespace nw::http {

inline int port_of(int socket) {
  sockaddr_storage where{};
  socklen_t size = sizeof where;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&where), &size) != 0) return 0;
  return ntohs(where.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(where).sin6_port
                                           : reinterpret_cast<sockaddr_in&>(where).sin_port);
}

/// Errc::usage: the host is no numeric address; Errc::in_use: the port is taken. The caller closes the socket.
inline Result<int> listening_socket(const std::string& host, int port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) != 0)
    return fail(Errc::usage, NW_TR("\"{0}\" is no address of this computer; 127.0.0.1 and ::1 are, 0.0.0.0 is all"),
                host);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> address(found, ::freeaddrinfo);
  const int socket = ::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);  // accepted sockets inherit it
  if (::bind(socket, found->ai_addr, found->ai_addrlen) == 0 && ::listen(socket, 1024) == 0) return socket;
  const int error = errno;
  ::close(socket);
  return fail(error == EADDRINUSE ? Errc::in_use : Errc::other, NW_TR("{0} port {1} cannot be listened on: {2}"), host,
              port, std::strerror(error));
}

}  // namespace nw::http
