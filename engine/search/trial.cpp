// SPDX-License-Identifier: Apache-2.0
#include "engine/search/trial.hpp"

#include <algorithm>
#include <map>

#include "engine/search/pareto.hpp"

namespace nw::search {

std::string_view name_of(TrialState state) {
  switch (state) {
    case TrialState::running:
      return "running";
    case TrialState::paused:
      return "paused";
    case TrialState::complete:
      return "complete";
    case TrialState::pruned:
      return "pruned";
    case TrialState::failed:
      return "failed";
  }
  return "";
}

std::optional<Report> last_report(const Trial& t) {
  return t.reports.empty() ? std::nullopt : std::optional(t.reports.back());
}

const Trial* best_trial(std::span<const Trial> trials, const Objective& objective) {
  const Trial *complete = nullptr, *other = nullptr;
  const auto loss = [&](const Trial& t) { return as_loss(objective, t.values.front()); };
  const auto rank = [&](const Trial& t) {
    const Report r = *last_report(t);
    return std::pair(-r.epoch, as_loss(objective, r.value));
  };
  for (const Trial& t : trials) {
    if (t.state == TrialState::complete && (!complete || loss(t) < loss(*complete))) complete = &t;
    if ((t.state == TrialState::paused || t.state == TrialState::pruned) && last_report(t) &&
        (!other || rank(t) < rank(*other)))
      other = &t;
  }
  return complete ? complete : other;
}

std::vector<double> losses_of(const Trial& t, std::span<const Objective> objectives) {
  std::vector<double> losses;
  for (std::size_t i = 0; i < objectives.size() && i < t.values.size(); ++i)
    losses.push_back(as_loss(objectives[i], t.values[i]));
  return losses;
}

std::vector<const Trial*> best_of_both(const std::vector<const Trial*>& trials, std::span<const Objective> objectives,
                                       std::size_t count) {
  std::vector<const Trial*> complete, good;
  std::vector<Losses> losses;
  for (const Trial* t : trials) {
    if (t->state != TrialState::complete) continue;
    const auto both = losses_of(*t, objectives);
    complete.push_back(t);
    losses.push_back({both[0], both[1]});
  }
  std::map<std::size_t, std::vector<std::size_t>> by_front;
  const auto front = fronts(losses);
  for (std::size_t i = 0; i < complete.size(); ++i) by_front[front[i]].push_back(i);
  for (const auto& [number, members] : by_front) {
    if (good.size() == count) break;
    std::vector<Losses> of_members;
    for (const std::size_t i : members) of_members.push_back(losses[i]);
    for (const std::size_t i : largest_area(of_members, count - good.size())) good.push_back(complete[members[i]]);
  }
  return good;
}

std::vector<const Trial*> pareto_front(std::span<const Trial> trials, std::span<const Objective> objectives) {
  std::vector<const Trial*> complete, best;
  std::vector<Losses> losses;
  for (const Trial& t : trials) {
    if (t.state != TrialState::complete || t.values.size() < 2 || objectives.size() < 2) continue;
    complete.push_back(&t);
    const auto both = losses_of(t, objectives);
    losses.push_back({both[0], both[1]});
  }
  const auto front = fronts(losses);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < complete.size(); ++i)
    if (front[i] == 0) chosen.push_back(i);
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) { return losses[a] < losses[b]; });
  for (const std::size_t i : chosen) best.push_back(complete[i]);
  return best;
}

}  // namespace nw::search
