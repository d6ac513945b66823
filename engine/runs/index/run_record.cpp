// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/index/run_record.hpp"

#include <sys/stat.h>
#include <algorithm>

#include "engine/design/graph_diff.hpp"
#include "engine/design/project_file.hpp"
#include "engine/runs/epochs.hpp"
#include "engine/runs/pause.hpp"

namespace nw {
namespace {

std::string value_text(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

void add_settings(const Json& object, const std::string& before_name, std::vector<RecordedSetting>& settings) {
  for (const auto& [name, value] : object.items()) settings.push_back({before_name + name, value_text(value)});
}

void take_definition(const RunDefinition& d, RunRecord& r) {
  add_settings(to_json(d.doc.data()), "data.", r.settings);
  r.settings.push_back({"data.folder", d.data_dir});
  add_settings(to_json(d.doc.settings()), "", r.settings);
  std::sort(r.settings.begin(), r.settings.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  r.data_hash = d.data_hash;
  r.network_hash = network_hash(d.doc);
  r.parent = d.parent;
  r.parent_step = d.parent_step;
  if (d.parent_step >= 0) r.parent_epoch = epoch_of_step(recorded_epochs(r.summary.folder), d.parent_step);
}

void take_failure(const fs::path& run, const Error& error, RunRecord& r) {
  r.problem = error.what;
  r.summary = {};
  r.summary.folder = run;
  r.summary.name = run.filename().string();
  r.summary.status = is_running(run) ? RunStatus::running : RunStatus::failed;
}

}  // namespace

std::string RunRecord::title() const { return notes.name.empty() ? summary.folder.filename().string() : notes.name; }

RunRecord read_run_record(const fs::path& run) {
  RunRecord r;
  if (auto notes = read_run_notes(run))
    r.notes = *std::move(notes);
  else
    r.notes_problem = notes.error().what;
  const auto definition = read_run_definition(run);
  if (!definition) {
    take_failure(run, definition.error(), r);
    return r;
  }
  auto summary = summarize_run(run, *definition);
  if (!summary) {
    take_failure(run, summary.error(), r);
    return r;
  }
  r.summary = *std::move(summary);
  take_definition(*definition, r);
  if (const auto pause = r.summary.status == RunStatus::running ? pause_of(run) : std::nullopt) {
    r.paused = true;
    r.pause_reason = pause->reason;
  }
  return r;
}

std::uint64_t stamp_of_run(const fs::path& run) {
  std::string text;
  for (const char* name : {events_file, "run.json", "latest", "checkpoints", notes_file}) {
    struct stat info {};
    if (::lstat((run / name).c_str(), &info) == 0)
      text += fmt::format("{} {} {} {} ", info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    text += ';';
  }
  return xxh3(text);
}

bool has_changed_state(const RunRecord& r) {
  const bool known_to_run = r.summary.status == RunStatus::running;
  if (!known_to_run && r.summary.status != RunStatus::interrupted) return false;  // its last event says how it ended
  return is_running(r.summary.folder) != known_to_run;
}

}  // namespace nw
