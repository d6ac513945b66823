// SPDX-License-Identifier: Apache-2.0
// tests/reference/run-0.1: the folder of a stopped run as version 0.1 wrote it.
#pragma once
#include "engine/core/files.hpp"
#include "tests/support/paths.hpp"

namespace nw::test {

/// Copies the run folder to `to`, which is created.
inline void copy_old_run(const fs::path& to) {
  fs::create_directories(to.parent_path());
  fs::copy(fs::path(tests_folder()) / "reference/run-0.1", to, fs::copy_options::recursive);
}

}  // namespace nw::test
