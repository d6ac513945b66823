// SPDX-License-Identifier: Apache-2.0
// A run is a process and a folder (docs/architecture.md). Only its own process writes; all other processes only read,
// and treat the folder as untrusted input.
#pragma once
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/design/graph_doc.hpp"
#include "engine/runs/events.hpp"

namespace nw {

/// run.json: the whole definition, written once.
struct RunDefinition {
  std::string name;      // project's name: "lenet5"
  GraphDoc doc;          // graph, data choice, settings as trained (command-line overrides applied)
  std::string data_dir;  // --data, or the folder that was found; "" = synthetic
  std::uint64_t data_hash = 0;
  std::uint64_t split_hash = 0;        // hash of the split; 0: the run is older than this member
  std::vector<float> mean, deviation;  // normalization, measured on the training split
  std::vector<std::string> classes;
  std::vector<std::int64_t> class_counts;  // DataFacts::class_counts, as counted when the run began
  std::int64_t channels = 0, height = 0, width = 0;
  std::vector<std::string> choices;  // kernel choices per layer
  std::string version;               // Netwright's
  std::string parent;                // name of the run whose weights this one began with; empty: none
  std::int64_t parent_step = -1;     // a branch: the parent's checkpoint that it began with; else -1
  std::string weights;               // file of weights that it began with, absolute; empty: none
  std::string weights_sha256;        // of that file
  double created = 0;                // Unix seconds
};
Json to_json(const RunDefinition&);
Result<RunDefinition> run_from_json(const Json&, std::string_view where);

/// Creates an empty "<runs>/2026-11-21-lenet5-a7" (mode 0700) for a caller that starts the run's process and needs its
/// folder beforehand (`netwright-cli train FILE --run-dir` accepts a folder without run.json, and writes it).
Result<fs::path> reserve_run_folder(const fs::path& runs, const std::string& name);
/// As reserve_run_folder(), with run.json; sets `created` and `version` where they are empty.
Result<fs::path> create_run_folder(const fs::path& runs, RunDefinition&);
/// Writes run.json (again while the run starts and its definition is completed); makes the folder if
/// necessary.
Status write_run_definition(const fs::path& run, const RunDefinition&);
Result<RunDefinition> read_run_definition(const fs::path& run);
fs::path runs_folder();  // $NETWRIGHT_RUNS or data_folder()/runs

enum class RunStatus : std::uint8_t {
  running,
  finished,
  stopped,
  failed,
  interrupted
};  // interrupted: the process ended without an "ended" event
std::string_view name_of(RunStatus);
RunStatus status_after(EndReason);

// of the event `knob` with which a run is trained further: its value is the new number of epochs
inline constexpr const char* epochs_knob = "epochs";
inline constexpr const char* events_file = "events.jsonl";
// LayerStatistics only: long lines that few readers need
inline constexpr const char* statistics_file = "statistics.jsonl";

/// Reads events.jsonl, or another file of such lines, while it grows; only whole lines. Handles truncation, replacement
/// and damaged lines.
class EventTail {
 public:
  explicit EventTail(fs::path run, std::string file = events_file);
  /// Appends events completed since the last call (at most `limit_bytes` of the file per call). True: more is left.
  Result<bool> poll(std::vector<Event>& out, std::size_t limit_bytes = std::size_t{4} << 20);
  std::int64_t damaged_lines() const { return damaged_; }

 private:
  fs::path run_;
  std::string file_;
  std::uint64_t offset_ = 0, inode_ = 0;
  bool skipping_ = false;  // inside a line that is longer than any event
  std::string rest_;
  std::int64_t damaged_ = 0;
};

/// What a completed epoch reported. NaN: not measured.
struct EpochFigures {
  std::int64_t epoch = 0;  // 1-based
  double train_loss = 0, train_accuracy = 0, validation_loss = 0, validation_accuracy = 0;
  double learning_rate = 0;  // of the epoch's last recorded step
  std::int64_t step = 0;     // completed steps
  double seconds = 0;        // trained until then, by all processes of the run
  // that the GPUs used until then: the sum of their measured power over time; NaN: not measured
  double gpu_energy_j = std::numeric_limits<double>::quiet_NaN();
};

/// A row of a list of runs, read from the run's folder, which is untrusted input.
struct RunSummary {
  fs::path folder;
  std::string name, device;
  std::string given_name;  // by the user, in notes.json; empty: none, or the file cannot be read
  RunStatus status = RunStatus::interrupted;
  double created = 0, wall_s = 0;
  // epochs: to be trained in all; more than run.json names if the run was trained further
  std::int64_t epochs = 0, epochs_done = 0, steps = 0, parameters = 0;
  std::int64_t extended_from_step = -1;  // the step from which it was last trained further; -1: never
  // 0…1, R² also below 0; NaN: unknown or undefined
  double best_accuracy = std::numeric_limits<double>::quiet_NaN(), test_accuracy = best_accuracy;
  double last_loss = -1;             // training loss of the last whole epoch; before it, of the last record; -1 unknown
  Metric metric = Metric::accuracy;  // the quantity called accuracy
  double gpu_energy_j = -1, cpu_energy_j = -1;  // over all processes of the run; -1 unknown
  std::int64_t images = 0;                      // trained on, counted once per epoch
  std::vector<float> curve;                     // validation (or train) accuracy per epoch
  std::vector<EpochFigures> history;            // completed epochs
  bool can_resume = false;                      // not finished, and it has a checkpoint
  bool can_train_further = false;               // it has a checkpoint and does not run
};
Result<RunSummary> summarize_run(const fs::path& run);
/// The same with the run's definition, which was read before.
Result<RunSummary> summarize_run(const fs::path& run, const RunDefinition&);
std::vector<RunSummary> list_runs(const fs::path& runs);  // newest first; damaged folders are listed as failed
bool is_running(const fs::path& run);                     // a process holds its lock

/// Checkpoints: checkpoints/step-00012000/{model.safetensors, optimizer.safetensors, state.json, manifest.json}.
struct CheckpointName {
  std::string name;
  std::int64_t step = 0;
};
std::vector<CheckpointName> list_checkpoints(const fs::path& run);       // complete ones only, oldest first
Result<CheckpointName> latest_checkpoint(const fs::path& run);           // falls back to the newest complete one
Result<CheckpointName> best_checkpoint(const fs::path& run);             // falls back to latest
Status verify_checkpoint(const fs::path& run, const std::string& name);  // sizes and XXH3 of the manifest
std::string checkpoint_name(std::int64_t step);                          // "step-00012000"
std::optional<std::int64_t> checkpoint_step(std::string_view name);      // nullopt: not such a name

/// Sends one line ("pause", "set learning_rate 0.001", "status") over the run's control socket and returns the
/// response: "ok", or a JSON object for "status"; a rejection is an error with the run's message. Errc::no_response: no
/// process responds.
Result<std::string> control_run(const fs::path& run, std::string_view command, double timeout_s = 5);
fs::path control_socket(const fs::path& run);
/// Whether a process takes connections there: the file of one that was killed stays.
bool control_listens(const fs::path& run);

}  // namespace nw
