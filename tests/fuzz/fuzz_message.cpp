// SPDX-License-Identifier: Apache-2.0
// Bytes on the helper's socket, as somebody else might send them: framing, JSON, and the readers of what requests carry.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "engine/design/project_file.hpp"
#include "engine/predict/serve.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return 0;
  (void)::send(ends[0], data, std::min<std::size_t>(size, 1 << 16), MSG_NOSIGNAL | MSG_DONTWAIT);
  ::close(ends[0]);
  for (;;) {
    const auto message = nw::receive_message(ends[1]);
    if (!message) {
      if (message.error().code != nw::Errc::bad_input) break;   // the other side is gone
      continue;
    }
    if (!message->json.is_object()) continue;
    if (const auto it = message->json.find("data"); it != message->json.end()) (void)nw::data_from_json(*it, "request");
    if (const auto it = message->json.find("settings"); it != message->json.end()) (void)nw::settings_from_json(*it, "request");
  }
  ::close(ends[1]);
  return 0;
}
