// SPDX-License-Identifier: Apache-2.0
// How long a value of a pipeline is on its way.
#pragma once
#include <optional>

#include "engine/parallel/stage_link.hpp"

namespace nw {

/// One direction between two stages: a transfer of the link, and the size of its messages.
struct MessageWay {
  std::size_t transfer = 0;
  std::int64_t bytes = 0;
};

/// Both stages call it together; `asks` is true in the one that sends `there` and receives `back`, and gets half of the
/// median time in seconds of a message there and back. The other stage gets 0. The first messages do not count: they
/// may wait for a stage that comes later. Nothing: the other stage is lost, or the link was aborted.
std::optional<double> message_seconds(StageLink&, const MessageWay& there, const MessageWay& back, bool asks);

}  // namespace nw
