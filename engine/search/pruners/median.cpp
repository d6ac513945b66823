// SPDX-License-Identifier: Apache-2.0
// Gives a trial up when its best value so far is worse than the median of what complete trials had at that epoch.
#include <algorithm>
#include <vector>

#include "engine/search/pruner.hpp"

namespace nw::search {
namespace {

constexpr std::size_t fewest_complete = 5;

/// The last report up to an epoch as a loss; nullopt: there is none.
std::optional<double> loss_at(const Trial& t, const Objective& o, std::int64_t epoch) {
  std::optional<double> loss;
  for (const Report& r : t.reports)
    if (r.epoch <= epoch) loss = as_loss(o, r.value);
  return loss;
}

bool worse_than_median(const Budget& budget, std::span<const Trial> trials, const Trial& trial) {
  const auto report = last_report(trial);
  if (!report || report->epoch >= budget.epochs) return false;
  std::vector<double> losses;
  for (const Trial& t : trials)
    if (t.state == TrialState::complete)
      if (const auto loss = loss_at(t, budget.objective, report->epoch)) losses.push_back(*loss);
  if (losses.size() < fewest_complete) return false;
  const auto middle = losses.begin() + static_cast<std::ptrdiff_t>(losses.size() / 2);
  std::nth_element(losses.begin(), middle, losses.end());
  double median = *middle;
  if (losses.size() % 2 == 0) median = (median + *std::max_element(losses.begin(), middle)) / 2;
  return as_loss(budget.objective, report->value) > median;
}

}  // namespace
}  // namespace nw::search

namespace nw {

extern const search::Pruner median_pruner{
    .name = "median",
    .summary = text(NW_TR("Gives up trials that are worse than the median of the complete ones")),
    .gives_up = search::worse_than_median};

}  // namespace nw
