// SPDX-License-Identifier: Apache-2.0
// What takes room in a folder of runs and is needed by nothing: folders in which no run began, checkpoints that were
// not completed, and, if wanted, checkpoints other than the best and the latest.
#pragma once
#include <string>
#include <vector>

#include "engine/core/files.hpp"

namespace nw {

struct Reclaimable {
  enum class Kind : std::uint8_t { never_began, incomplete_checkpoint, old_checkpoint };
  Kind kind = Kind::never_began;
  fs::path run;            // the run's folder
  std::string checkpoint;  // its name; empty: the whole folder
  std::uint64_t bytes = 0;
};

/// `run_folders`: run folders, or folders that were reserved for runs. Of a run whose process is alive nothing is
/// named, nor what is younger than `age_s` seconds, since a process may just be starting. Symbolic links are not
/// followed.
std::vector<Reclaimable> find_reclaimable(const std::vector<fs::path>& run_folders, bool old_checkpoints,
                                          double age_s = 3600);
/// Removes it while holding the run's lock. Errc::in_use: the run has been started meanwhile.
Status reclaim(const Reclaimable&);

}  // namespace nw
