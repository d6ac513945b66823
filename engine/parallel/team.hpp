// SPDX-License-Identifier: Apache-2.0
// The engine's thread pool, lent to backends, and the in-process communicator that makes several devices out of one
// machine.
#pragma once
#include <memory>
#include <vector>

#include "kernels/api.hpp"

namespace nw {

/// `size` workers (the caller is worker 0). Spin-then-sleep barriers; idle workers sleep.
std::unique_ptr<Team> make_team(int size);
/// As many as there are processors, one less when there are more than two; `asked` > 0 wins.
int default_threads(std::int64_t asked);
/// One communicator per rank; ranks live on threads of this process. Adds in rank order.
std::vector<std::unique_ptr<Communicator>> make_local_communicators(int world);

}  // namespace nw
