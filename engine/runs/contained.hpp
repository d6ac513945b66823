// SPDX-License-Identifier: Apache-2.0
// Files inside an untrusted folder: nothing is opened through a symbolic link, outside the folder, or that is not a
// regular file; nothing is read beyond a limit.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "engine/core/files.hpp"

namespace nw {

/// Opens a file for reading; the caller closes the descriptor. `inside`: relative path such as
/// "checkpoints/step-00000100/state.json", no "..".
Result<int> open_inside(const fs::path& folder, std::string_view inside);
/// Opens a file for appending, and creates it (mode 0600) if there is none; the caller closes the descriptor.
Result<int> append_inside(const fs::path& folder, std::string_view inside);
Result<std::string> read_inside(const fs::path& folder, std::string_view inside, std::uint64_t limit_bytes);
/// Calls `take` with every complete line (without its newline) of a plain file, which is read in pieces and may be
/// large.
/// Lines longer than `longest` are left out.
Status each_line_inside(const fs::path& folder, std::string_view inside, std::size_t longest,
                        const std::function<void(std::string_view)>& take);
/// The last bytes of a plain file, at most `most`.
Result<std::string> tail_inside(const fs::path& folder, std::string_view inside, std::uint64_t most);
/// Size in bytes of a plain file.
Result<std::uint64_t> size_inside(const fs::path& folder, std::string_view inside);
/// XXH3 of a plain file's bytes.
Result<std::uint64_t> hash_inside(const fs::path& folder, std::string_view inside);

}  // namespace nw
