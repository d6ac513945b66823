// SPDX-License-Identifier: Apache-2.0
// The trials of a study and what they are compared by.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "engine/search/space.hpp"

namespace nw::search {

inline constexpr std::size_t most_objectives = 2;

struct Objective {
  std::string metric;
  bool maximize = false;
  bool operator==(const Objective&) const = default;
};

/// paused: stopped at a rung, may be promoted. pruned: given up for its reports. Neither ended by itself.
enum class TrialState : std::uint8_t { running, paused, complete, pruned, failed };
std::string_view name_of(TrialState);

/// The first objective after an epoch: the best value so far.
struct Report {
  std::int64_t epoch = 0;
  double value = 0;
};

struct Trial {
  std::int64_t number = 0;  // from 0
  Point point = {};
  TrialState state = TrialState::running;
  std::int64_t to_epoch = 0;         // a running trial trains until this epoch is done, a paused one has
  std::vector<Report> reports = {};  // by epoch
  std::vector<double> values = {};   // of the objectives; complete trials only
  std::string run = {};              // name of its run folder
  std::string message = {};          // failed: why
};

/// The value as a loss: lower is better.
inline double as_loss(const Objective& o, double value) { return o.maximize ? -value : value; }
/// A trial without a value that counts: its last report, if it has one.
std::optional<Report> last_report(const Trial&);
/// The best complete trial of a study with one objective; of equal ones the first. Without a complete one the paused or
/// pruned trial of the largest epoch and best value; null: no trial has a value.
const Trial* best_trial(std::span<const Trial>, const Objective&);
/// The objectives of a trial as losses.
std::vector<double> losses_of(const Trial&, std::span<const Objective>);
/// The best `count` complete trials by two objectives: whole fronts, and of the front that does not fit the points of
/// the largest area. Fewer where there are not so many.
std::vector<const Trial*> best_of_both(const std::vector<const Trial*>& trials, std::span<const Objective> objectives,
                                       std::size_t count);
/// The complete trials that no other one is better than in one objective without being worse in the other, by the first
/// objective, the best first.
std::vector<const Trial*> pareto_front(std::span<const Trial>, std::span<const Objective>);

}  // namespace nw::search
