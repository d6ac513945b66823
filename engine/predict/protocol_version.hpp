// SPDX-License-Identifier: Apache-2.0
// The first exchange between window and helper process (docs/protocol.md): which version of the protocol they speak.
// They are installed together, but a window that is open while its program is replaced starts the new one's helper.
#pragma once
#include <cstdint>

#include "engine/core/json.hpp"
#include "kernels/result.hpp"

namespace nw::protocol {

/// The version of docs/protocol.md. It grows where an older window or helper would read a message wrongly.
inline constexpr std::int64_t spoken_version = 1;
/// The name of the first exchange, which is no operation: it opens nothing but the conversation.
inline constexpr const char* opening = "protocol";

/// The window's first message to a helper process. Its id 0 is that of no request.
Json opening_message();
/// The helper's answer to a window of its version.
Json opening_answer();
/// Errc::bad_input, with both versions and what to do, unless the window speaks this version.
Status check_opening(const Json& message);

}  // namespace nw::protocol
