// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/index/run_index.hpp"

#include <algorithm>
#include <system_error>

#include "engine/runs/index/record_store.hpp"

namespace nw {
namespace {

constexpr std::size_t runs_limit = 100'000;

constexpr const char* study_journal = "journal.jsonl";  // engine/search/journal.hpp

bool is_folder(const fs::directory_entry& entry) {
  std::error_code ignored;
  return fs::is_directory(entry.symlink_status(ignored)) && !entry.path().filename().string().starts_with('.');
}

/// The folder of a study holds runs and is none.
bool is_study(const fs::path& folder) {
  std::error_code ignored;
  return !fs::exists(folder / "run.json", ignored) && fs::exists(folder / study_journal, ignored);
}

void add_trials(const fs::path& study, std::vector<fs::path>& folders) {
  std::error_code error;
  for (fs::directory_iterator it(study, error), end; !error && it != end && folders.size() < runs_limit;
       it.increment(error))
    if (is_folder(*it) && it->path().filename().string().starts_with("trial-")) folders.push_back(it->path());
}

std::vector<fs::path> run_folders(const fs::path& runs, bool trials) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator it(runs, error), end; !error && it != end && folders.size() < runs_limit;
       it.increment(error)) {
    if (!is_folder(*it)) continue;
    if (!is_study(it->path()))
      folders.push_back(it->path());
    else if (trials)
      add_trials(it->path(), folders);
  }
  return folders;
}

bool is_trial(const std::string& name) { return name.find('/') != std::string::npos; }

bool is_newer(const std::shared_ptr<const RunRecord>& a, const std::shared_ptr<const RunRecord>& b) {
  const RunSummary &x = a->summary, &y = b->summary;
  return x.created != y.created ? x.created > y.created : x.folder > y.folder;
}

}  // namespace

fs::path run_index_file(const fs::path& runs) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(runs, error);
  return cache_folder() / "runs" / (hex(xxh3((error ? runs : real).string())) + ".sqlite");
}

void RunIndex::load() {
  if (std::exchange(loaded_, true)) return;
  has_file_ = !is_network_file_system(type_of_(run_index_file(runs_)));
  if (!has_file_) return;
  for (const auto& [name, stored] : load_records(run_index_file(runs_)))
    if (auto record = run_record_from_bytes(stored.bytes)) {
      record->summary.folder = runs_ / name;  // by which path the folder is named this time
      known_[name] = {stored.stamp, std::make_shared<const RunRecord>(*std::move(record))};
    }
}

std::vector<std::shared_ptr<const RunRecord>> RunIndex::refresh(bool trials) {
  load();
  Records now;
  StoredRecords changed;
  for (const fs::path& run : run_folders(runs_, trials)) {
    const std::string name = run.lexically_relative(runs_).string();
    const std::uint64_t stamp = stamp_of_run(run);  // before the files: a change meanwhile is read the next time
    const auto known = known_.find(name);
    if (known != known_.end() && known->second.stamp == stamp && !has_changed_state(*known->second.record)) {
      now.emplace(name, known->second);
      continue;
    }
    const auto record = std::make_shared<const RunRecord>(read_run_record(run));
    changed[name] = {stamp, to_bytes(*record)};
    now.emplace(name, Known{stamp, record});
  }
  std::vector<std::string> gone;
  for (const auto& [name, record] : known_) {
    if (now.contains(name)) continue;
    if (!trials && is_trial(name))  // it was not looked for
      now.emplace(name, record);
    else
      gone.push_back(name);
  }
  if (has_file_) save_records(run_index_file(runs_), changed, gone);
  known_ = std::move(now);
  std::vector<std::shared_ptr<const RunRecord>> all;
  for (const auto& [name, known] : known_)
    if (trials || !is_trial(name)) all.push_back(known.record);
  std::sort(all.begin(), all.end(), is_newer);
  return all;
}

std::vector<RunRecord> indexed_runs(const fs::path& runs) {
  std::vector<RunRecord> all;
  for (const auto& record : RunIndex(runs).refresh()) all.push_back(*record);
  return all;
}

}  // namespace nw
