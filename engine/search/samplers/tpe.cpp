// SPDX-License-Identifier: Apache-2.0
// The tree-structured Parzen estimator: Bergstra et al., "Algorithms for hyper-parameter optimization", 2011, with one
// density over all parameters that exist together, running trials counted as bad ones (constant liar), and for two
// objectives the good trials of Ozaki et al., "Multiobjective tree-structured Parzen estimator", 2022. Constants are
// those of Optuna 5.0, except the number of candidates (there 24): more find better points, and a point that was tried
// before is no candidate.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "engine/search/parzen.hpp"
#include "engine/search/sampler.hpp"

namespace nw::search {
namespace {

constexpr std::int64_t start_trials = 10, candidates = 48;
constexpr std::int64_t most_good = 25;  // with one objective
constexpr std::size_t recent = 25;      // trials of full weight; those before them weigh less, the first 1/n

bool is_over(const Trial& t) { return t.state != TrialState::running && t.state != TrialState::failed; }

using Rank = std::tuple<int, double, double>;
/// Complete trials by their loss, then those that stopped early by epoch and loss, then those without any value.
Rank rank(const Trial& t, const Objective& o) {
  if (t.state == TrialState::complete) return {0, as_loss(o, t.values.front()), 0};
  if (const auto r = last_report(t); r && std::isfinite(r->value))
    return {1, -static_cast<double>(r->epoch), as_loss(o, r->value)};
  return {2, 0, 0};
}

std::vector<const Trial*> good_trials(const History& h) {
  std::vector<const Trial*> over;
  for (const Trial& t : h.trials)
    if (is_over(t)) over.push_back(&t);
  auto count = static_cast<std::int64_t>(std::ceil(0.1 * static_cast<double>(over.size())));
  if (h.objectives.size() > 1) return best_of_both(over, h.objectives, static_cast<std::size_t>(count));
  count = std::min(count, most_good);
  std::vector<std::pair<Rank, const Trial*>> ranked;
  for (const Trial* t : over) ranked.emplace_back(rank(*t, h.objectives.front()), t);
  const auto end = ranked.begin() + count;
  std::partial_sort(ranked.begin(), end, ranked.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second->number < b.second->number;
  });
  std::vector<const Trial*> good;
  for (auto it = ranked.begin(); it != end; ++it) good.push_back(it->second);
  return good;
}

std::vector<double> weights_for(std::size_t n) {
  std::vector<double> w(n, 1);
  const std::size_t ramp = n < recent ? 0 : n - recent;
  const double first = 1 / static_cast<double>(n);
  for (std::size_t i = 0; i < ramp; ++i)
    w[i] = ramp == 1 ? first : first + (1 - first) * static_cast<double>(i) / static_cast<double>(ramp - 1);
  return w;
}

/// Parameters with the same condition exist together: one density for each such group, parents before children.
std::vector<std::vector<std::size_t>> groups_of(const Space& space) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::pair<int, std::vector<std::size_t>>, std::size_t> known;
  for (std::size_t i = 0; i < space.parameters.size(); ++i) {
    const Parameter& p = space.parameters[i];
    const auto [it, added] = known.emplace(std::pair(p.parent, p.when), groups.size());
    if (added) groups.emplace_back();
    groups[it->second].push_back(i);
  }
  return groups;
}

/// The density of the good or of the other trials over the parameters of a group.
Parzen density(const History& h, const std::vector<std::size_t>& group, const std::vector<const Trial*>& trials,
               bool equal_weights) {
  std::vector<const Point*> points;
  for (const Trial* t : trials)
    if (!std::isnan(t->point[group.front()])) points.push_back(&t->point);
  const std::vector<double> weights =
      equal_weights ? std::vector<double>(points.size(), 1) : weights_for(points.size());
  return {h.space, group, points, weights};
}

/// The candidates of the whole space, best first: each group's are drawn for the parents' values of their candidate.
class Proposal {
 public:
  explicit Proposal(const History& h) : h_(h), draw_(h.seed, h.number), good_(good_trials(h)) {
    std::sort(good_.begin(), good_.end(), [](const Trial* a, const Trial* b) { return a->number < b->number; });
    std::size_t next = 0;
    for (const Trial& t : h.trials) {
      if (next < good_.size() && good_[next] == &t)
        ++next;
      else
        other_.push_back(&t);
    }
  }

  Point make() {
    const Tried tried(h_.trials);
    std::vector<Point> points(candidates, Point(h_.space.parameters.size(), std::numeric_limits<double>::quiet_NaN()));
    std::vector<double> score(points.size(), 0);
    for (const auto& group : groups_of(h_.space)) add_group(group, points, score);
    std::vector<std::size_t> order(points.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
    for (const std::size_t i : order)
      if (!tried.has(points[i])) return points[i];
    return points[order.front()];
  }

 private:
  void add_group(const std::vector<std::size_t>& group, std::vector<Point>& points, std::vector<double>& score) {
    std::vector<std::size_t> in, varying;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (exists_at(h_.space, points[i], group.front())) in.push_back(i);
    for (const std::size_t p : group) {
      if (values_of(h_.space.parameters[p]) != 1) varying.push_back(p);
      for (const std::size_t i : in) points[i][p] = nearest_value(h_.space.parameters[p], h_.space.parameters[p].low);
    }
    if (in.empty() || varying.empty()) return;
    const bool equal = h_.objectives.size() > 1;
    const Parzen good = density(h_, varying, good_, equal), other = density(h_, varying, other_, false);
    std::vector<Point> some;
    for (const std::size_t i : in) {
      good.draw(draw_, points[i]);
      some.push_back(points[i]);
    }
    const auto above = good.log_density(some), below = other.log_density(some);
    for (std::size_t i = 0; i < in.size(); ++i) score[in[i]] += above[i] - below[i];
  }

  const History& h_;
  Draw draw_;
  std::vector<const Trial*> good_, other_;
};

std::optional<Point> propose_tpe(const History& h) {
  const auto over = std::count_if(h.trials.begin(), h.trials.end(), is_over);
  if (over >= start_trials) return Proposal(h).make();
  Draw draw(h.seed, h.number);
  const Tried tried(h.trials);
  Point point = spread_point(h, start_trials);
  for (int again = 0; again < 100 && tried.has(point); ++again) point = random_point(h.space, draw);
  return point;
}

}  // namespace
}  // namespace nw::search

namespace nw {

extern const search::Sampler tpe_sampler{
    .name = "tpe",
    .summary = text(NW_TR("Tree-structured Parzen estimator: points like the best trials")),
    .propose = search::propose_tpe};

}  // namespace nw
