// SPDX-License-Identifier: Apache-2.0
// What a destructor may call to remove files that nobody needs any more.
#pragma once
#include <filesystem>
#include <new>
#include <system_error>

namespace nw {

/// Removes a file, or a folder with all that it holds. What cannot be removed stays, also where there is no memory to
/// list it. Never throws.
inline void discard(const std::filesystem::path& path) noexcept try {
  std::error_code ignored;
  if (!path.empty()) std::filesystem::remove_all(path, ignored);
} catch (const std::bad_alloc&) {}

}  // namespace nw
