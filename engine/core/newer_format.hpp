// SPDX-License-Identifier: Apache-2.0
// Files that a later version wrote: refused, with the version that reads them.
#pragma once
#include <string_view>

#include "engine/core/json.hpp"

namespace nw {

/// A file whose format is newer than its predecessors name in this member the first version that reads it: "0.3.0". It
/// keeps its name and its place, the top of the file or of the record, in all formats.
inline constexpr const char* needs_key = "needs";

/// Errc::bad_input: the file has `format`, and this version reads up to `known`. The sentence names the version that is
/// needed, where the file says so.
Error newer_format(const Json& file, std::string_view where, std::int64_t format, std::int64_t known);

}  // namespace nw
