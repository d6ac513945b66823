// SPDX-License-Identifier: Apache-2.0
// One process of a study: starts trials, follows them, writes the journal.
#pragma once
#include <chrono>
#include <map>
#include <set>

#include "app/cli/study_trials.hpp"
#include "engine/search/journal.hpp"

namespace nw::cli {

struct StudyOutput {
  bool json = false, quiet = false;
};

/// Unix seconds, to milliseconds.
double unix_now();

class StudyProcess {
 public:
  StudyProcess(search::Journal& journal, TrialPlan plan, std::size_t jobs, double minutes, StudyOutput output)
      : journal_(journal), plan_(std::move(plan)), jobs_(jobs), minutes_(minutes), output_(output) {}
  /// Runs until the trials are done, the time is over, or a signal came. Returns the exit code.
  /// `repeats`: with so many other seeds the best trial is trained again when the study is done.
  int run(std::int64_t trials, std::int64_t repeats = 0);

 private:
  using Clock = std::chrono::steady_clock;
  const search::Study& study() const { return journal_.study(); }
  const search::Trial& trial(std::int64_t n) const { return study().trials()[static_cast<std::size_t>(n)]; }
  Status write(const search::Record&);
  Status loop();
  static void listen_for_pauses();
  Status hold(const std::map<std::int64_t, LiveTrial*>& live);
  Status start_some();
  Status follow();
  Status go_on(std::int64_t trial);
  Status report(std::int64_t trial, LiveTrial&);
  Status finish(std::int64_t trial, LiveTrial&);
  Status complete(std::int64_t trial, LiveTrial&, const RunSummary&);
  Status fail_trial(std::int64_t trial, const std::string& message);
  /// After a process of the trial was killed: it is trained on, unless it was killed often without any progress.
  Status try_again(std::int64_t trial, const RunSummary* run, const std::string& message);
  Status repeat_best(std::int64_t count);
  Result<LiveTrial> begin_repeat(search::Trial trial, std::uint64_t seed);
  Status finish_repeat(const search::Trial& trial, std::uint64_t seed, LiveTrial&);
  /// "trial 7 trained with 5 other seeds: accuracy 0.98 ± 0.001 (0.979 to 0.981)"; empty: it was not.
  std::string spread_text(std::int64_t trial) const;
  void stop_all();
  bool is_over() const;
  void say(const search::Record&) const;
  std::string line_of(const search::Trial&) const;
  int end(const Status& done);
  void print_result(const std::string& how) const;

  search::Journal& journal_;
  const TrialPlan plan_;
  const std::size_t jobs_;
  const double minutes_;  // 0: without end
  const StudyOutput output_;
  const Clock::time_point begin_ = Clock::now();
  std::map<std::int64_t, LiveTrial> live_;
  std::set<std::int64_t> waiting_;  // live trials that were told to pause
  Clock::duration held_{};          // for how long the study was paused in all
  Clock::time_point looked_ = Clock::now();
  struct Tries {
    std::int64_t step = -1;
    int kills = 0;
  };
  std::map<std::int64_t, Tries> tries_;
};

}  // namespace nw::cli
