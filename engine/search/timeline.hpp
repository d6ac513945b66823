// SPDX-License-Identifier: Apache-2.0
// When the trials of a study trained: its records' times, in seconds of the study's processes. The time between two
// processes does not count.
#pragma once
#include "engine/search/study.hpp"

namespace nw::search {

/// A trial trained from a pause, or from its beginning, to the next one or to its end.
struct Stretch {
  std::int64_t trial = 0, to_epoch = 0;
  double from_s = 0, to_s = 0;
  std::size_t lane = 0;  // of trials that train at the same time, from 0
  bool open = true;      // it trains; to_s is meaningless
};

/// Times come from an untrusted file: they never run backwards here, and no number is infinite.
class Timeline {
 public:
  void take(const Record&);
  const std::vector<Stretch>& stretches() const { return stretches_; }
  /// Until the last record with a time.
  double seconds() const { return now_s_; }
  std::size_t lanes() const { return lanes_.size(); }
  /// Seconds that the trial has trained; with `now_s` the open stretch counts until then.
  double seconds_of(std::int64_t trial, double now_s) const;
  /// The clock time of the last record, Unix seconds.
  double last_clock() const { return clock_; }

 private:
  static constexpr double longest_s = 1e9;
  void advance(double clock, bool process_begins);
  void open(std::int64_t trial, std::int64_t to_epoch);
  void close(std::int64_t trial);
  std::vector<Stretch> stretches_;
  std::vector<std::int64_t> lanes_;                 // the trial in each; -1: none
  std::vector<std::vector<std::size_t>> of_trial_;  // positions in stretches_
  double now_s_ = 0, clock_ = 0;
};

}  // namespace nw::search
