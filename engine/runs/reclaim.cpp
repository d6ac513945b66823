// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/reclaim.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <system_error>

#include "engine/runs/run_folder.hpp"

namespace nw {
namespace {

using Kind = Reclaimable::Kind;

std::uint64_t bytes_below(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code unknown;
    if (!fs::is_regular_file(it->symlink_status(unknown))) continue;
    if (const std::uintmax_t size = it->file_size(unknown); !unknown) bytes += size;
  }
  return bytes;
}

bool is_older(const fs::path& place, double age_s) {
  std::error_code error;
  const auto written = fs::last_write_time(place, error);
  return !error && fs::file_time_type::clock::now() - written > std::chrono::duration<double>(age_s);
}

/// What a folder holds in which no run began: the files that a process writes before its run.json.
bool holds_nothing_of_a_run(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name != "lock" && name != "log.txt") return false;
  }
  return !error;
}

std::vector<std::string> checkpoint_folders(const fs::path& run) {
  std::vector<std::string> names;
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(run / "checkpoints", error))) return names;
  for (fs::directory_iterator it(run / "checkpoints", error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    const std::string name = it->path().filename().string();
    if (fs::is_directory(it->symlink_status(ignored)) && checkpoint_step(name)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Finder {
 public:
  Finder(bool old_checkpoints, double age_s) : old_checkpoints_(old_checkpoints), age_s_(age_s) {}

  void look_at(const fs::path& run) {
    std::error_code ignored;
    if (!fs::is_directory(fs::symlink_status(run, ignored)) || is_running(run)) return;
    if (fs::exists(fs::symlink_status(run / "run.json", ignored))) return look_at_checkpoints(run);
    if (holds_nothing_of_a_run(run) && is_older(run, age_s_))
      found.push_back({Kind::never_began, run, "", bytes_below(run)});
  }
  std::vector<Reclaimable> found;

 private:
  void look_at_checkpoints(const fs::path& run) {
    std::set<std::string> complete, kept;
    for (const CheckpointName& c : list_checkpoints(run)) complete.insert(c.name);
    if (const auto latest = latest_checkpoint(run)) kept.insert(latest->name);
    if (const auto best = best_checkpoint(run)) kept.insert(best->name);
    for (const std::string& name : checkpoint_folders(run)) {
      const bool whole = complete.contains(name);
      if (kept.contains(name) || (whole && !old_checkpoints_) || !is_older(run / "checkpoints" / name, age_s_))
        continue;
      found.push_back({whole ? Kind::old_checkpoint : Kind::incomplete_checkpoint, run, name,
                       bytes_below(run / "checkpoints" / name)});
    }
  }

  const bool old_checkpoints_;
  const double age_s_;
};

}  // namespace

std::vector<Reclaimable> find_reclaimable(const std::vector<fs::path>& run_folders, bool old_checkpoints,
                                          double age_s) {
  Finder finder(old_checkpoints, age_s);
  for (const fs::path& run : run_folders) finder.look_at(run);
  return std::move(finder.found);
}

Status reclaim(const Reclaimable& r) {
  NW_ASSIGN(const FileLock lock, FileLock::take(r.run / "lock"));
  const fs::path place = r.checkpoint.empty() ? r.run : r.run / "checkpoints" / r.checkpoint;
  std::error_code error;
  fs::remove_all(place, error);  // of a symbolic link the link alone
  if (error) return fail(Errc::disk, NW_TR("{0} could not be removed: {1}"), place.string(), error.message());
  return {};
}

}  // namespace nw
