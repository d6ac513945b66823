// SPDX-License-Identifier: Apache-2.0
// A run or a study as one printable HTML page that needs no network, no script and no other file, in English and
// Chinese: results, curves, settings, the network's drawing, hashes.
#pragma once
#include <string>

#include "engine/core/files.hpp"

namespace nw {

/// The language that the page shows first; the other one is a click away.
enum class PageLanguage : std::uint8_t { english, chinese };

/// The page as UTF-8, of a run's folder or a study's, which are untrusted: all text from them is escaped.
/// Errc::bad_input: the folder is neither.
Result<std::string> folder_report(const fs::path& folder, PageLanguage);

}  // namespace nw
