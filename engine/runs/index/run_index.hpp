// SPDX-License-Identifier: Apache-2.0
// All runs of a folder. Only runs whose files changed since the last call are read; the others come from memory, or
// from an index in the user's cache folder (record_store.hpp), which can be rebuilt from the run folders at any time.
// Where that folder lies on other computers, whose locks a database cannot rely upon, there is no file: each process
// reads the run folders once.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "engine/core/file_system.hpp"
#include "engine/runs/index/run_record.hpp"

namespace nw {

class RunIndex {
 public:
  /// `type_of`: how the type of the cache folder's file system is found; another one in tests.
  explicit RunIndex(fs::path runs, std::uint32_t (*type_of)(const fs::path&) = file_system_type)
      : runs_(std::move(runs)), type_of_(type_of) {}
  /// Newest first; folders that cannot be read are failed runs with their problem. `trials`: with the runs of the
  /// studies in the folder, each in its study's folder. At most 100 000 runs. Records of unchanged runs are the same
  /// objects as before. One call at a time; any thread; several processes may have an index of the same folder.
  std::vector<std::shared_ptr<const RunRecord>> refresh(bool trials = false);

 private:
  struct Known {
    std::uint64_t stamp = 0;
    std::shared_ptr<const RunRecord> record;
  };
  using Records = std::map<std::string, Known>;  // by the name of the run's folder, "study/trial-0007" of a trial
  void load();

  fs::path runs_;
  std::uint32_t (*type_of_)(const fs::path&);
  Records known_;
  bool loaded_ = false, has_file_ = false;
};

/// The records of one refresh.
std::vector<RunRecord> indexed_runs(const fs::path& runs);
/// The file in which an index keeps what it read of a folder of runs.
fs::path run_index_file(const fs::path& runs);

}  // namespace nw
