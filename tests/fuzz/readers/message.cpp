// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "engine/design/project_file.hpp"
#include "engine/predict/serve.hpp"
#include "engine/runs/descriptor.hpp"
#include "tests/fuzz/readers/readers.hpp"

namespace nw::fuzz {
namespace {

/// True if the readers of the request's fields accept them.
bool understood(const Json& request) {
  if (!request.is_object()) return false;
  const auto data = request.find("data"), settings = request.find("settings");
  const bool data_fits = data == request.end() || static_cast<bool>(data_from_json(*data, "request"));
  return data_fits && (settings == request.end() || static_cast<bool>(settings_from_json(*settings, "request")));
}

}  // namespace

Outcome read_message(Bytes bytes) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return {false, "there is no socket"};
  constexpr std::size_t fits_into_socket = 1 << 16;
  const bool sent = bytes.empty() || ::send(ends[0], bytes.data(), std::min(bytes.size(), fits_into_socket),
                                            MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
  ::close(ends[0]);
  const Descriptor here(ends[1]);
  Outcome outcome;
  if (!sent) outcome.broken = "the socket takes nothing";
  for (bool all = true;;) {
    const auto message = receive_message(here.fd);
    if (!message && message.error().code != Errc::bad_input) break;  // the peer has closed the socket
    all = all && message && understood(message->json);
    outcome.accepted = all;
  }
  return outcome;
}

}  // namespace nw::fuzz
