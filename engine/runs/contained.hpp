// SPDX-License-Identifier: Apache-2.0
// Reading inside an untrusted folder: nothing is opened through a symbolic link, outside the folder, or that is not a
// regular file; nothing is read beyond a limit.
#pragma once
#include <string>
#include <string_view>

#include "engine/core/files.hpp"

namespace nw {

/// Opens a file for reading; the caller closes the descriptor. `inside`: relative path such as
/// "checkpoints/step-00000100/state.json", no "..".
Result<int> open_inside(const fs::path& folder, std::string_view inside);
Result<std::string> read_inside(const fs::path& folder, std::string_view inside, std::uint64_t limit_bytes);
/// The last bytes of a plain file, at most `most`.
Result<std::string> tail_inside(const fs::path& folder, std::string_view inside, std::uint64_t most);
/// Size in bytes of a plain file.
Result<std::uint64_t> size_inside(const fs::path& folder, std::string_view inside);
/// XXH3 of a plain file's bytes.
Result<std::uint64_t> hash_inside(const fs::path& folder, std::string_view inside);

}  // namespace nw
