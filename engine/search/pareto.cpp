// SPDX-License-Identifier: Apache-2.0
#include "engine/search/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace nw::search {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<std::size_t> by_first(std::span<const Losses> points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
  return order;
}

/// A point that is worse than all of them, and not by so much that it drowns the others.
Losses reference_of(std::span<const Losses> points) {
  Losses worst = {-infinite, -infinite};
  for (const Losses& p : points)
    for (std::size_t i = 0; i < 2; ++i) worst[i] = std::max(worst[i], p[i]);
  for (double& w : worst) w = w == 0 ? 1e-12 : std::max(1.1 * w, 0.9 * w);
  return worst;
}

/// The area under a staircase of chosen points.
class Staircase {
 public:
  explicit Staircase(const Losses& reference) : reference_(reference) {}
  /// What `p` would add.
  double gain(const Losses& p) const {
    double area = 0, x = p[0];
    auto it = steps_.upper_bound(p[0]);
    double height = it == steps_.begin() ? reference_[1] : std::prev(it)->second;
    while (height > p[1] && x < reference_[0]) {
      const double next = it == steps_.end() ? reference_[0] : std::min(it->first, reference_[0]);
      area += (next - x) * (height - p[1]);
      x = next;
      if (it == steps_.end()) break;
      height = it->second;
      ++it;
    }
    return area;
  }
  void add(const Losses& p) {
    auto it = steps_.upper_bound(p[0]);
    if (it != steps_.begin() && std::prev(it)->second <= p[1]) return;
    it = steps_.lower_bound(p[0]);
    while (it != steps_.end() && it->second >= p[1]) it = steps_.erase(it);
    steps_[p[0]] = p[1];
  }

 private:
  Losses reference_;
  std::map<double, double> steps_;  // first loss -> second loss, falling
};

}  // namespace

std::vector<std::size_t> fronts(std::span<const Losses> points) {
  std::vector<std::size_t> front(points.size());
  std::vector<double> lowest;  // second loss of each front's last point
  const Losses* before = nullptr;
  std::size_t of_before = 0;
  for (const std::size_t i : by_first(points)) {
    if (!before || *before != points[i]) {
      const auto it = std::upper_bound(lowest.begin(), lowest.end(), points[i][1]);
      of_before = static_cast<std::size_t>(it - lowest.begin());
      if (it == lowest.end())
        lowest.push_back(points[i][1]);
      else
        *it = points[i][1];
    }
    front[i] = of_before;
    before = &points[i];
  }
  return front;
}

std::vector<double> crowding(std::span<const Losses> points) {
  std::vector<double> distance(points.size(), 0);
  for (std::size_t axis = 0; axis < 2; ++axis) {
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return points[a][axis] < points[b][axis]; });
    if (order.empty()) return distance;
    const double range = points[order.back()][axis] - points[order.front()][axis];
    distance[order.front()] = distance[order.back()] = infinite;
    for (std::size_t i = 1; range > 0 && i + 1 < order.size(); ++i)
      distance[order[i]] += (points[order[i + 1]][axis] - points[order[i - 1]][axis]) / range;
  }
  return distance;
}

double hypervolume(std::span<const Losses> points, const Losses& reference) {
  Staircase stairs(reference);
  double area = 0;
  for (const Losses& p : points) {
    area += stairs.gain(p);
    stairs.add(p);
  }
  return area;
}

std::vector<std::size_t> largest_area(std::span<const Losses> points, std::size_t count) {
  Staircase stairs(reference_of(points));
  std::vector<std::size_t> left(points.size()), chosen;
  std::iota(left.begin(), left.end(), 0);
  std::vector<double> bound(points.size(), infinite);  // a gain never grows as points are added
  while (chosen.size() < count && !left.empty()) {
    std::size_t best = left.size();
    double best_gain = -1;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (bound[left[i]] <= best_gain) continue;
      bound[left[i]] = stairs.gain(points[left[i]]);
      if (bound[left[i]] > best_gain) best = i, best_gain = bound[left[i]];
    }
    stairs.add(points[left[best]]);
    chosen.push_back(left[best]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return chosen;
}

}  // namespace nw::search
