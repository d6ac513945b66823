// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/index/run_index.hpp"

#include <algorithm>
#include <system_error>

#include "engine/runs/index/record_store.hpp"

namespace nw {
namespace {

constexpr std::size_t runs_limit = 100'000;

std::vector<fs::path> run_folders(const fs::path& runs) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator it(runs, error), end; !error && it != end && folders.size() < runs_limit;
       it.increment(error)) {
    std::error_code ignored;
    if (fs::is_directory(it->symlink_status(ignored)) && !it->path().filename().string().starts_with('.'))
      folders.push_back(it->path());
  }
  return folders;
}

/// Records of one folder of runs, with what has changed since they were stored.
class Refresh {
 public:
  explicit Refresh(StoredRecords stored) : stored_(std::move(stored)) {}

  RunRecord record(const fs::path& run) {
    const std::string name = run.filename().string();
    const std::uint64_t stamp = stamp_of_run(run);  // before the files: a change meanwhile is read the next time
    const auto known = stored_.find(name);
    if (known != stored_.end() && known->second.stamp == stamp) {
      auto record = run_record_from_bytes(known->second.bytes);
      stored_.erase(known);
      if (record) record->summary.folder = run;  // by which path the folder was named this time
      if (record && !has_changed_state(*record)) return *std::move(record);
    } else if (known != stored_.end()) {
      stored_.erase(known);
    }
    RunRecord read = read_run_record(run);
    changed_[name] = {stamp, to_bytes(read)};
    return read;
  }

  void save(const fs::path& store) const {
    std::vector<std::string> gone;
    for (const auto& [name, record] : stored_) gone.push_back(name);
    save_records(store, changed_, gone);
  }

 private:
  StoredRecords stored_;  // those that no folder has claimed
  StoredRecords changed_;
};

}  // namespace

fs::path run_index_file(const fs::path& runs) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(runs, error);
  return cache_folder() / "runs" / (hex(xxh3((error ? runs : real).string())) + ".sqlite");
}

std::vector<RunRecord> indexed_runs(const fs::path& runs) {
  const fs::path store = run_index_file(runs);
  Refresh refresh(load_records(store));
  std::vector<RunRecord> all;
  for (const fs::path& run : run_folders(runs)) all.push_back(refresh.record(run));
  refresh.save(store);
  std::sort(all.begin(), all.end(), [](const RunRecord& a, const RunRecord& b) {
    return a.summary.created != b.summary.created ? a.summary.created > b.summary.created
                                                  : a.summary.folder > b.summary.folder;
  });
  return all;
}

}  // namespace nw
