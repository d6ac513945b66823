// SPDX-License-Identifier: Apache-2.0
// The engine's thread team, also used by backends, and the in-process communicator that simulates several devices on
// one machine.
#pragma once
#include <memory>
#include <vector>

#include "engine/parallel/start_threads.hpp"
#include "kernels/rank_communicator.hpp"

namespace nw {

/// `size` workers (the caller is worker 0). Barriers spin, then sleep; idle workers sleep. An error, which names the
/// limit, if the system starts no more threads.
Result<std::unique_ptr<Team>> start_team(int size, const ThreadStarter& starter = start_thread);
/// A team of a few workers; throws std::runtime_error if they cannot be started.
std::unique_ptr<Team> make_team(int size);
/// One thread per processor, minus one on machines with more than two; `asked` > 0 takes precedence.
int default_threads(std::int64_t asked);
/// One communicator per rank; each rank runs on a thread of this process. Sums are computed in rank order.
std::vector<std::unique_ptr<RankCommunicator>> make_local_communicators(int world);

}  // namespace nw
