// SPDX-License-Identifier: Apache-2.0
// The window's helper: `netwright-cli serve` answers on a socket pair (file descriptor given as --fd). docs/protocol.md
// has the messages and the operations; the requests' structs are in data_requests.hpp and run_requests.hpp.
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
/// Errc::disconnected when the connection is of no use any more: "closed", the other side is gone; or a length beyond
/// the limits (JSON 16 MiB, payload 1 GiB). Any other error leaves the connection as it was: nothing was sent
/// (Errc::bad_input: the message is too large; Errc::out_of_memory), or the message received is not JSON
/// (Errc::bad_input).
Status send_message(int socket, const Message&);
Result<Message> receive_message(int socket);

/// The helper's main loop; returns when the socket closes. Every request is answered, also one whose operation throws
/// and one whose answer is too large to send.
int serve(int socket);

/// docs/protocol.md as the table of operations has it.
std::string protocol_page();

}  // namespace nw
