// SPDX-License-Identifier: Apache-2.0
// The files of a bundle's folder. Private to engine/deploy.
#pragma once
#include "engine/core/files.hpp"
#include "engine/core/json.hpp"

namespace nw::deploy {

/// More files than any bundle has, so that no folder is walked without end.
inline constexpr std::size_t most_bundle_files = 1000;

/// Names of all files but PROOF.json, two levels deep, sorted. Errc::bad_input: links, deeper folders, too many files.
Result<std::vector<std::string>> bundle_files(const fs::path& folder);
std::string sha256_of(std::string_view bytes);
/// The text of PROOF.json. Its member "sha256" is that of the text without it.
std::string signed_text(Json proof);
/// Of a file that PROOF.json does not name.
Text foreign_file();

}  // namespace nw::deploy
