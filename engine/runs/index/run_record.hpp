// SPDX-License-Identifier: Apache-2.0
// What lists and comparisons of runs need of one run: its summary, its notes and its settings, without its network.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/runs/run_folder.hpp"
#include "engine/runs/run_notes.hpp"

namespace nw {

/// A value of the training settings or of the data choice, as it stands in run.json: "learning_rate", "0.01".
struct RecordedSetting {
  std::string name, value;
  bool operator==(const RecordedSetting&) const = default;
};

struct RunRecord {
  RunSummary summary;
  RunNotes notes;
  Text problem, notes_problem;  // why run.json and events.jsonl, or notes.json cannot be read; empty: they can
  std::vector<RecordedSetting> settings;  // in the order of their names; those of the data begin with "data."
  std::uint64_t data_hash = 0, network_hash = 0;
  std::string parent;             // name of the run whose weights this one began with; empty: none
  std::int64_t parent_step = -1;  // a branch: the parent's step it began with; else -1
  double parent_epoch = -1;       // the same in epochs; -1: unknown, or no branch
  bool paused = false;            // it runs, and waits
  Text pause_reason;              // what must be mended before it goes on; empty: a command paused it

  /// The name that the user gave, or the folder's.
  std::string title() const;
};

/// Reads a run's folder, which is untrusted input. A folder that cannot be read is a failed run with its problem.
RunRecord read_run_record(const fs::path& run);
/// A number that changes when the files change from which read_run_record() reads. Reads no file.
std::uint64_t stamp_of_run(const fs::path& run);
/// Whether a record must be read again although the stamp is the same: a process has begun or ended meanwhile.
bool has_changed_state(const RunRecord&);

/// A record as bytes, for the index; nullopt: `bytes` were not written by this version, or are damaged.
std::string to_bytes(const RunRecord&);
std::optional<RunRecord> run_record_from_bytes(std::string_view bytes);

}  // namespace nw
