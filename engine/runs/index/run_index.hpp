// SPDX-License-Identifier: Apache-2.0
// All runs of a folder. Only runs whose files changed since the last call are read; the others come from an index in
// the user's cache folder (record_store.hpp), which can be rebuilt from the run folders at any time.
#pragma once
#include <vector>

#include "engine/runs/index/run_record.hpp"

namespace nw {

/// Newest first; folders that cannot be read are failed runs with their problem. At most 100 000 runs. Any thread; may
/// be called by several processes at once.
std::vector<RunRecord> indexed_runs(const fs::path& runs);
/// The file in which indexed_runs() keeps what it read of a folder of runs.
fs::path run_index_file(const fs::path& runs);

}  // namespace nw
