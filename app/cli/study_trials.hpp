// SPDX-License-Identifier: Apache-2.0
// The processes of a study: each trial is a run in the study's folder, trained by `netwright-cli train` or `resume`.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "app/cli/cli.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/search/metrics.hpp"
#include "engine/search/study.hpp"

namespace nw::cli {

/// How a trial's project is trained.
struct TrialPlan {
  fs::path folder;  // of the study
  GraphDoc base;    // the project, with the options of the command line
  std::string data;
  DataFacts facts;
  std::int64_t epochs = 1;
  std::int64_t threads = 0;  // of a trial that shares the processor with others; 0: as the project has it
};

/// A trial that a process trains: this one's child, or one that an earlier process of the study left behind.
class LiveTrial {
 public:
  /// Starts `netwright-cli train` or `resume`, or waits for the process that holds the run's lock, or starts nothing
  /// because the run has reached its epoch. The project file and the run's log are in the study's folder.
  static Result<LiveTrial> begin(const TrialPlan&, const search::Trial&, const GraphDoc& project);
  LiveTrial(LiveTrial&&) noexcept;
  LiveTrial& operator=(LiveTrial&&) noexcept;
  ~LiveTrial();  // a child that still runs is sent SIGTERM and waited for

  /// The epochs that the run has finished, read anew from its events.
  const std::vector<EpochEnd>& epochs();
  bool ended();
  /// Whether the run, which is not being trained, has a checkpoint of the rung or of a later epoch. A trial of all
  /// epochs has no rung to pause at: one that was killed between its last epoch and its end is resumed, and ends.
  bool has_reached(std::int64_t rung, std::int64_t all_epochs);
  /// Asks the child to stop with a checkpoint; once.
  void stop();
  bool was_stopped() const { return stopped_; }
  /// After ended(): what waitpid() reported; 0: no child.
  int status() const { return status_; }
  const fs::path& run() const { return run_; }

 private:
  explicit LiveTrial(fs::path run) : run_(std::move(run)), tail_(run_) {}
  Status start(const std::vector<std::string>& arguments);

  fs::path run_;
  EventTail tail_;
  std::vector<EpochEnd> epochs_;
  pid_t pid_ = -1;
  bool stopped_ = false;
  int status_ = 0;
};

/// The figures of a run and of its network, for the study's objectives.
search::Figures figures_of(const std::vector<EpochEnd>& epochs, const RunSummary& run, const Analysis& network);
/// The last line of the run's log: why its process failed.
std::string last_words(const fs::path& run);
/// The project with the trial's values. Errc::bad_input: it has none, or its network has errors.
Result<GraphDoc> project_of(const TrialPlan&, const search::Space&, const search::Trial&);
/// Shapes and problems of the network for the study's data.
Analysis network_of(const TrialPlan&, const GraphDoc& project);

}  // namespace nw::cli
