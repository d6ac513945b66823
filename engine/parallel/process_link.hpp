// SPDX-License-Identifier: Apache-2.0
// What the stages of a pipeline send each other where each of them is a process of its own.
#pragma once
#include <vector>

#include "engine/parallel/process_group.hpp"
#include "engine/parallel/stage_link.hpp"

namespace nw {

/// The ranks of a transfer.
struct LinkEnds {
  int from = 0, to = 0;
};

/// One for each transfer; used by one thread. All messages from one rank to another must be received in the order in
/// which they were sent. Whoever waits does so until the message is there or a process of the group is lost. The group
/// outlives it.
std::unique_ptr<StageLink> make_process_link(ProcessGroup&, std::vector<LinkEnds> by_transfer);

}  // namespace nw
