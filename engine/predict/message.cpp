// SPDX-License-Identifier: Apache-2.0
// Message framing: length, JSON, and a memfd sent with the length bytes if there is a payload.
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/predict/serve.hpp"

namespace nw {
namespace {

Error closed() { return fail(Errc::disconnected, NW_TR("closed")); }

struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

/// Writes to a memfd, which fails only when memory runs out.
Status write_all(int fd, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = ::write(fd, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(Errc::out_of_memory, NW_TR("No memory for a message"));
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return {};
}

Status send_bytes(int socket, const void* data, std::size_t size, int pass) {
  iovec piece{const_cast<void*>(data), size};
  msghdr header{};
  header.msg_iov = &piece;
  header.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  if (pass >= 0) {
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    cmsghdr* c = CMSG_FIRSTHDR(&header);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(c), &pass, sizeof pass);
  }
  ssize_t n;
  do n = ::sendmsg(socket, &header, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  if (n <= 0) return closed();
  for (std::size_t sent = static_cast<std::size_t>(n); sent < size;) {
    n = ::send(socket, static_cast<const char*>(data) + sent, size - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return closed();
    sent += static_cast<std::size_t>(n);
  }
  return {};
}

/// Receives exactly `size` bytes; a descriptor sent with them is stored in `passed`.
Status receive_bytes(int socket, void* data, std::size_t size, Descriptor& passed) {
  std::size_t got = 0;
  while (got < size) {
    iovec piece{static_cast<char*>(data) + got, size - got};
    msghdr header{};
    header.msg_iov = &piece;
    header.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))] = {};
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    const ssize_t n = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return closed();
    got += static_cast<std::size_t>(n);
    for (cmsghdr* c = CMSG_FIRSTHDR(&header); c; c = CMSG_NXTHDR(&header, c)) {
      if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
      for (std::size_t i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int); ++i) {
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof fd);
        if (passed.fd < 0)
          passed.fd = fd;
        else
          ::close(fd);
      }
    }
  }
  return {};
}

Result<std::vector<std::uint8_t>> read_payload(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0 || info.st_size < 0 || static_cast<std::size_t>(info.st_size) > payload_limit)
    return fail(Errc::bad_input, NW_TR("A message's payload is too large"));
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(info.st_size));
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::pread(fd, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(Errc::bad_input, NW_TR("A message's payload cannot be read"));
    at += static_cast<std::size_t>(n);
  }
  return bytes;
}

}  // namespace

Status send_message(int socket, const Message& message) {
  // File names may not be valid UTF-8: invalid bytes are replaced instead of causing an exception.
  const std::string json = message.json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (json.size() > json_limit || message.payload.size() > payload_limit)
    return fail(Errc::bad_input, NW_TR("A message is too large to send"));
  Descriptor memory;
  if (!message.payload.empty()) {
    memory.fd = ::memfd_create("netwright", MFD_CLOEXEC);
    if (memory.fd < 0) return fail(Errc::out_of_memory, NW_TR("No memory for a message"));
    NW_TRY(write_all(memory.fd, message.payload.data(), message.payload.size()));
  }
  const auto length = static_cast<std::uint32_t>(json.size());
  unsigned char head[4];
  for (int i = 0; i < 4; ++i) head[i] = static_cast<unsigned char>(length >> (8 * i));
  NW_TRY(send_bytes(socket, head, sizeof head, memory.fd));
  return send_bytes(socket, json.data(), json.size(), -1);
}

Result<Message> receive_message(int socket) {
  Descriptor passed;
  unsigned char head[4];
  NW_TRY(receive_bytes(socket, head, sizeof head, passed));
  const std::size_t length = head[0] | static_cast<std::size_t>(head[1]) << 8 |
                             static_cast<std::size_t>(head[2]) << 16 | static_cast<std::size_t>(head[3]) << 24;
  // The start of the next message is unknown after this error, so the connection cannot be used further.
  if (length > json_limit) return fail(Errc::disconnected, NW_TR("A message claims {0} bytes"), length);
  std::string text(length, '\0');
  NW_TRY(receive_bytes(socket, text.data(), length, passed));
  Message message;
  NW_ASSIGN(message.json, parse_json(text, "message"));
  if (passed.fd >= 0) { NW_ASSIGN(message.payload, read_payload(passed.fd)); }
  return message;
}

}  // namespace nw
