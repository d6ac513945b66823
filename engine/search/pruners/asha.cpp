// SPDX-License-Identifier: Apache-2.0
// Asynchronous successive halving with pausing and promotion: Li et al., "A system for massively parallel
// hyperparameter tuning", 2020, algorithm 2. Trials pause at rungs, whose epochs grow by a factor; the best 1/factor of
// a rung are trained to the next one.
#include <algorithm>
#include <tuple>
#include <vector>

#include "engine/search/pruner.hpp"

namespace nw::search {
namespace {

std::vector<std::int64_t> rungs_of(const Budget& b) {
  std::vector<std::int64_t> rungs;
  for (std::int64_t epoch = std::max<std::int64_t>(1, b.first_rung); epoch < b.epochs; epoch *= b.reduction)
    rungs.push_back(epoch);
  rungs.push_back(b.epochs);
  return rungs;
}

std::int64_t first_rung(const Budget& b) { return rungs_of(b).front(); }

/// A trial that has reached a rung.
struct Place {
  double loss = 0;
  std::int64_t trial = 0;
  bool waits = false;  // paused at this rung
  bool operator<(const Place& other) const { return std::tie(loss, trial) < std::tie(other.loss, other.trial); }
};

/// All trials that reached the rung, the best first.
std::vector<Place> places_at(const Budget& b, std::span<const Trial> trials, std::int64_t rung) {
  std::vector<Place> places;
  for (const Trial& t : trials)
    for (const Report& r : t.reports)
      if (r.epoch == rung && t.state != TrialState::failed)
        places.push_back(
            {as_loss(b.objective, r.value), t.number, t.state == TrialState::paused && last_report(t)->epoch == rung});
  std::sort(places.begin(), places.end());
  return places;
}

// The highest rung first, as in the paper. At the end a study without a whole trial trains its best one to the end.
std::optional<Promotion> promote_best(const Budget& b, std::span<const Trial> trials, bool closing) {
  const auto rungs = rungs_of(b);
  for (std::size_t k = rungs.size() - 1; k-- > 0;) {
    const auto places = places_at(b, trials, rungs[k]);
    const std::size_t best = places.size() / static_cast<std::size_t>(b.reduction);
    for (std::size_t i = 0; i < best; ++i)
      if (places[i].waits) return Promotion{places[i].trial, rungs[k + 1]};
  }
  const auto is_whole = [](const Trial& t) { return t.state == TrialState::complete; };
  if (!closing || std::any_of(trials.begin(), trials.end(), is_whole)) return std::nullopt;
  for (std::size_t k = rungs.size() - 1; k-- > 0;)
    for (const Place& place : places_at(b, trials, rungs[k]))
      if (place.waits) return Promotion{place.trial, rungs[k + 1]};
  return std::nullopt;
}

}  // namespace
}  // namespace nw::search

namespace nw {

extern const search::Pruner asha_pruner{
    .name = "asha",
    .summary = text(NW_TR("Successive halving: trials pause at rungs, and the best ones are trained further")),
    .first_pause = search::first_rung,
    .promote = search::promote_best};

}  // namespace nw
