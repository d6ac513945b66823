// SPDX-License-Identifier: Apache-2.0
// Starting threads where the system may refuse: a limit of the user, of the container, or of memory.
#pragma once
#include <functional>
#include <thread>
#include <vector>

#include "kernels/result.hpp"

namespace nw {

/// Starts a thread; throws std::system_error like std::jthread. Tests replace it.
using ThreadStarter = std::function<std::jthread(std::function<void()>)>;
std::jthread start_thread(std::function<void()> body);

/// Threads 1 … `count` that run `body(number)`. If one cannot be started, `leave` tells the others to end; they are
/// waited for, and the error names the limit. Throws std::bad_alloc, with all of them ended.
Result<std::vector<std::jthread>> start_threads(int count, const std::function<void(int)>& body,
                                                const std::function<void()>& leave,
                                                const ThreadStarter& starter = start_thread);
/// As many threads as can be started, up to `count`, for work that fewer can do too.
std::vector<std::jthread> start_some_threads(int count, const std::function<void()>& body,
                                             const ThreadStarter& starter = start_thread);
/// Why no more threads can be started: the smallest limit, and how many threads there are.
Error no_more_threads();

}  // namespace nw
