// SPDX-License-Identifier: Apache-2.0
// A bundle as the folder of a run, for programs that read runs.
#pragma once
#include "engine/core/files.hpp"

namespace nw::deploy {

/// Whether the folder looks like a bundle's: it has a PROOF.json.
bool is_bundle(const fs::path& folder);
/// Compares every file of the bundle with its SHA-256 and computes its golden samples, as check_bundle() does, and
/// writes its network to the folder `to` as a finished run. Errc::bad_input: it is no bundle, or a file of it differs,
/// by its name.
Status run_of_bundle(const fs::path& bundle, const fs::path& to);

}  // namespace nw::deploy
