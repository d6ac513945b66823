// SPDX-License-Identifier: Apache-2.0
// The helper process: `netwright-cli serve` responds on a socket pair (file descriptor given as --fd). docs/protocol.md
// documents the messages and the operations; the requests' structs are in data_requests.hpp and run_requests.hpp.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/json.hpp"

namespace nw {

inline constexpr std::size_t json_limit = std::size_t{16} << 20, payload_limit = std::size_t{1} << 30;  // of a message

struct Message {
  Json json;
  std::vector<std::uint8_t> payload;  // sent and received through shared memory
};
/// Sends one message. Errc::disconnected: the connection is unusable, because the peer closed it ("closed") or a length
/// exceeds the limits (JSON 16 MiB, payload 1 GiB). After any other error the connection is still usable: nothing
/// was sent (Errc::bad_input: the message is too large; Errc::out_of_memory), or the message received is not JSON
/// (Errc::bad_input).
Status send_message(int socket, const Message&);
Result<Message> receive_message(int socket);

/// The main loop of the helper process; returns when the socket closes. Every request gets a response, even if its
/// operation throws or its response is too large to send.
int serve(int socket);

/// The text of docs/protocol.md, generated from the table of operations.
std::string protocol_page();

}  // namespace nw
