// SPDX-License-Identifier: Apache-2.0
// A study: the state that the records of its journal add up to, and what is to be done next. Pure: no files, no clock.
#pragma once
#include <set>

#include "engine/search/pruner.hpp"
#include "engine/search/sampler.hpp"

namespace nw::search {

inline constexpr std::int64_t most_trials = 1'000'000;
inline constexpr std::size_t most_repeats = 1000;

/// What a study was begun with; does not change when it is continued.
struct StudyDefinition {
  std::string name;           // of the project
  std::uint64_t project = 0;  // hash of the project's text
  Space space;
  std::vector<Objective> objectives;
  std::string sampler = "tpe", pruner = "none";
  std::uint64_t seed = 0;
  std::int64_t epochs = 1, first_rung = 1, reduction = 3;
  bool operator==(const StudyDefinition&) const = default;
};

/// A record of the journal. Values of a report and of a complete trial are finite.
struct Began {
  StudyDefinition definition;
  double time = 0;
};
struct WentOn {
  std::int64_t trials = 0;
  double time = 0;
};  // by every process of the study: how many trials it makes
struct Proposed {
  std::int64_t trial = 0;
  Point point;
  std::int64_t to_epoch = 0;
  double time = 0;
};
struct Promoted {
  std::int64_t trial = 0, to_epoch = 0;
  double time = 0;
};
struct Reported {
  std::int64_t trial = 0, epoch = 0;
  double value = 0;
};
struct Paused {
  std::int64_t trial = 0;
  double time = 0;
};
struct Closed {
  std::int64_t trial = 0;
  TrialState state = TrialState::complete;
  std::vector<double> values;
  std::string message;
  double time = 0;
};
/// The trial's point trained to the end once more, with another seed of the training: its values, or why it has none.
struct Repeated {
  std::int64_t trial = 0;
  std::uint64_t seed = 0;
  std::vector<double> values;
  std::string message;
  double time = 0;
};
struct Stopped {
  std::string how;
  double time = 0;
};
/// The whole study pauses, with its trials where they are, or goes on.
struct Held {
  bool on = false;
  double time = 0;
};
using Record = std::variant<Began, WentOn, Proposed, Promoted, Reported, Paused, Closed, Repeated, Stopped, Held>;

/// What a study does next.
struct Step {
  enum class Kind : std::uint8_t {
    go_on,  // train a running trial that no process trains
    promote,
    start,  // a new trial
    wait,   // until a trial ends
    done
  };
  Kind kind = Kind::done;
  std::int64_t trial = 0;
  Point point = {};           // start
  std::int64_t to_epoch = 0;  // promote, start
};

class Study {
 public:
  /// Errc::bad_input: the record contradicts those before it; nothing changes.
  Status take(const Record&);
  const StudyDefinition& definition() const { return definition_; }
  const std::vector<Trial>& trials() const { return trials_; }
  /// In the order they ended.
  const std::vector<Repeated>& repeats() const { return repeats_; }
  std::int64_t wanted() const { return wanted_; }
  bool began() const { return began_; }
  /// Its process has paused it; false once that process has ended.
  bool held() const { return held_; }
  /// `live`: trials that a process trains now.
  Step next(const std::set<std::int64_t>& live) const;
  /// Whether the pruner gives the running trial up after its last report.
  bool gives_up(std::int64_t trial) const;
  /// nullptr: no trial has a value, or the study has two objectives.
  const Trial* best() const;

 private:
  Status take(const Began&);
  Status take(const WentOn&);
  Status take(const Proposed&);
  Status take(const Promoted&);
  Status take(const Reported&);
  Status take(const Paused&);
  Status take(const Closed&);
  Status take(const Repeated&);
  Status take(const Stopped&);
  Status take(const Held&);
  Result<Trial*> running(std::int64_t trial);
  Budget budget() const;

  bool began_ = false, held_ = false;
  StudyDefinition definition_;
  std::vector<Trial> trials_;
  std::vector<Repeated> repeats_;
  std::int64_t wanted_ = 0;
};

/// The name of a trial's run folder: "trial-0007".
std::string run_of(std::int64_t trial);
/// The name of the run in which a trial is trained again: "trial-0007-seed-3".
std::string run_of(std::int64_t trial, std::uint64_t seed);

/// What the same training with other seeds gives.
struct Spread {
  std::size_t runs = 0;
  double mean = 0, deviation = 0, low = 0, high = 0;  // deviation: of a sample, n - 1; 0 of one run
};
/// Of the first objective, over the repeats of a trial that have values.
Spread spread_of(std::span<const Repeated>, std::int64_t trial);

}  // namespace nw::search
