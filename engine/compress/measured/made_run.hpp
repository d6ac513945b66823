// SPDX-License-Identifier: Apache-2.0
// Runs that were not trained but made of a trained run: its definition with that run as parent, one checkpoint, and the
// events of a finished run.
#pragma once
#include "engine/runs/run_folder.hpp"
#include "engine/train/checkpoint.hpp"

namespace nw::compress {

/// The checkpoint that "best", "latest" or a checkpoint's name stands for.
Result<CheckpointName> chosen_checkpoint(const fs::path& run, const std::string& checkpoint);

/// Errc::usage: `to` is the folder of a run, or holds something else. Empty: fine.
Status refuse_taken(const fs::path& to);

struct MadeFolder {
  fs::path run;
  std::int64_t bytes_before = 0, bytes_after = 0;  // of the files of weights
};
/// Writes the folder `to`, or a new one among the runs if it is empty. `of` and `from`: the trained run and its
/// checkpoint; `definition`: the trained run's; `choices`: what was done, for run.json. Errc::usage: `to` holds
/// something already.
Result<MadeFolder> write_made_run(fs::path to, const fs::path& of, const CheckpointName& from, RunDefinition definition,
                                  std::vector<std::string> choices, std::vector<TensorSource> weights);

}  // namespace nw::compress
