// SPDX-License-Identifier: Apache-2.0
// The memory that a process may still take, which is less than what is built in: other programs use some, and a
// container or a service has a limit of its own (cgroup v2).
#pragma once
#include <cstdint>
#include <filesystem>

namespace nw {

/// The least of /proc/meminfo's MemAvailable and what the limits of this process's control group and of every group
/// above it leave; caches that can be dropped do not count as taken. 0: unknown. Reads a few small files of the kernel.
std::int64_t free_memory_bytes(const std::filesystem::path& proc = "/proc",
                               const std::filesystem::path& cgroup = "/sys/fs/cgroup");

}  // namespace nw
