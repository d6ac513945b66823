// SPDX-License-Identifier: Apache-2.0
// NSGA-II: Deb et al., "A fast and elitist multiobjective genetic algorithm", 2002. The parents of a trial are the best
// complete trials so far; it takes each parameter from one of two of them, and sometimes draws it anew.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "engine/search/pareto.hpp"
#include "engine/search/sampler.hpp"

namespace nw::search {
namespace {

constexpr std::size_t population = 20;
constexpr double crossover = 0.9;

struct Parent {
  const Trial* trial = nullptr;
  std::size_t front = 0;
  double crowding = 0;
};

/// The best trials: by front, then the less crowded.
std::vector<Parent> parents_of(const History& h) {
  std::vector<Parent> all;
  std::vector<Losses> losses;
  for (const Trial& t : h.trials) {
    if (t.state != TrialState::complete) continue;
    const auto each = losses_of(t, h.objectives);
    all.push_back({&t});
    losses.push_back({each[0], each.back()});
  }
  const auto front = fronts(losses);
  std::map<std::size_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < all.size(); ++i) members[all[i].front = front[i]].push_back(i);
  for (const auto& [number, of_front] : members) {
    std::vector<Losses> some;
    for (const std::size_t i : of_front) some.push_back(losses[i]);
    const auto distances = crowding(some);
    for (std::size_t i = 0; i < of_front.size(); ++i) all[of_front[i]].crowding = distances[i];
  }
  std::stable_sort(all.begin(), all.end(), [](const Parent& a, const Parent& b) {
    return a.front != b.front ? a.front < b.front : a.crowding > b.crowding;
  });
  all.resize(std::min(all.size(), population));
  return all;
}

/// The better of two parents drawn; they are sorted.
const Point& tournament(const std::vector<Parent>& parents, Draw& draw) {
  const std::size_t a = draw.below(parents.size()), b = draw.below(parents.size());
  return parents[std::min(a, b)].trial->point;
}

Point child_of(const History& h, const std::vector<Parent>& parents, Draw& draw) {
  const Point& first = tournament(parents, draw);
  const Point& second = draw.uniform() < crossover ? tournament(parents, draw) : first;
  const Point fresh = random_point(h.space, draw);
  Point child(first.size(), std::numeric_limits<double>::quiet_NaN());
  const double mutation = 1 / static_cast<double>(first.size());
  for (std::size_t i = 0; i < child.size(); ++i) {
    if (!exists_at(h.space, child, i)) continue;
    const double mine = draw.uniform() < 0.5 ? first[i] : second[i];
    child[i] = std::isnan(mine) ? first[i] : mine;
    if (draw.uniform() < mutation || std::isnan(child[i])) child[i] = fresh[i];
    for (; std::isnan(child[i]); child[i] = random_point(h.space, draw)[i]) {
      // until the parameter exists at a random point; its condition can hold, as it does here
      if (draw.uniform() < 0.01) return fresh;
    }
  }
  return child;
}

std::optional<Point> propose_nsga2(const History& h) {
  Draw draw(h.seed, h.number);
  const Tried tried(h.trials);
  const auto parents = parents_of(h);
  Point point;
  for (int again = 0; again < 100 && (point.empty() || tried.has(point)); ++again)
    point = parents.size() < population ? random_point(h.space, draw) : child_of(h, parents, draw);
  return point;
}

}  // namespace
}  // namespace nw::search

namespace nw {

extern const search::Sampler nsga2_sampler{
    .name = "nsga2", .summary = text(NW_TR("NSGA-II: recombines the best trials")), .propose = search::propose_nsga2};

}  // namespace nw
