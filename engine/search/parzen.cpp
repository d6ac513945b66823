// SPDX-License-Identifier: Apache-2.0
#include "engine/search/parzen.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <unordered_map>

#include "engine/search/normal.hpp"

namespace nw::search {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
/// Beyond so many widths from both ends a kernel has all its mass between them, to the last digit.
constexpr double far = 8.3;
/// Terms that are smaller by this factor's logarithm do not change a sum's digits that matter.
constexpr double negligible = 36;

bool is_choice(const Parameter& p) { return p.kind == Parameter::Kind::choice; }
double inner(const Parameter& p, double value) { return p.log ? std::log(value) : value; }

/// The distance to the farther neighbour, at least `least` and at most `most`; the ends of the range are no neighbours
/// unless there is one point only.
std::vector<double> neighbour_widths(const std::vector<double>& centre, double low, double high, double least,
                                     double most) {
  const std::size_t n = centre.size();
  std::vector<double> width(n, least);
  if (n == 1) width[0] = std::max(centre[0] - low, high - centre[0]);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return centre[a] < centre[b]; });
  for (std::size_t i = 0; n > 1 && i < n; ++i) {
    const double before = i == 0 ? 0 : centre[order[i]] - centre[order[i - 1]];
    const double after = i + 1 == n ? 0 : centre[order[i + 1]] - centre[order[i]];
    width[order[i]] = std::max(before, after);
  }
  for (double& w : width) w = std::clamp(w, least, most);
  return width;
}

/// The same without sorting, for many points: in a cell as wide as `least` only the outermost points can have a farther
/// neighbour.
std::vector<double> many_widths(const std::vector<double>& centre, double low, double least, double most) {
  struct Cell {
    std::size_t first = 0, last = 0;
    bool used = false;
  };
  std::vector<double> width(centre.size(), least);
  std::vector<Cell> cells(static_cast<std::size_t>(std::ceil(most / least)) + 2);
  for (std::size_t i = 0; i < centre.size(); ++i) {
    Cell& c = cells[std::min(cells.size() - 1, static_cast<std::size_t>(std::max(0.0, (centre[i] - low) / least)))];
    if (!c.used || centre[i] < centre[c.first]) c.first = i;
    if (!c.used || centre[i] > centre[c.last]) c.last = i;
    c.used = true;
  }
  const Cell* before = nullptr;
  for (const Cell& c : cells) {
    if (!c.used) continue;
    if (before) {
      const double gap = centre[c.first] - centre[before->last];
      width[c.first] = std::clamp(std::max(width[c.first], gap), least, most);
      width[before->last] = std::clamp(std::max(width[before->last], gap), least, most);
    }
    before = &c;
  }
  return width;
}

}  // namespace

Parzen::Axis Parzen::axis_of(const Parameter& p, std::size_t index, std::span<const Point* const> observed) {
  Axis a;
  a.parameter = index;
  a.of = &p;
  a.centre.reserve(observed.size() + 1);
  for (const Point* point : observed) a.centre.push_back(is_choice(p) ? (*point)[index] : inner(p, (*point)[index]));
  if (is_choice(p)) {
    const auto choices = static_cast<double>(p.values.size()), kernels = static_cast<double>(observed.size() + 1);
    const double each = 1 / kernels, all = 1 + choices * each;
    a.match = std::log((1 + each) / all);
    a.miss = std::log(each / all);
    a.flat = -std::log(choices);
    return a;
  }
  a.low = inner(p, p.low - p.step / 2);
  a.high = inner(p, p.high + p.step / 2);
  set_widths(a);
  a.centre.push_back(0.5 * (a.low + a.high));
  a.width.push_back(a.high - a.low);
  if (p.step > 0) set_kinds(a);
  return a;
}

void Parzen::set_widths(Axis& a) {
  const double range = a.high - a.low;
  const double least = range / std::min(100.0, 2.0 + static_cast<double>(a.centre.size()));
  a.width = a.centre.size() < 98 ? neighbour_widths(a.centre, a.low, a.high, least, range)
                                 : many_widths(a.centre, a.low, least, range);
}

void Parzen::set_kinds(Axis& a) {
  struct Hash {
    std::size_t operator()(const std::pair<double, double>& p) const {
      return std::bit_cast<std::uint64_t>(p.first) * 0x9E3779B97F4A7C15u ^ std::bit_cast<std::uint64_t>(p.second);
    }
  };
  std::unordered_map<std::pair<double, double>, std::uint32_t, Hash> known;
  for (std::size_t k = 0; k < a.centre.size(); ++k) {
    const std::pair key{a.centre[k], a.width[k]};
    const auto [it, added] = known.emplace(key, static_cast<std::uint32_t>(a.kinds.size()));
    if (added) a.kinds.push_back(key);
    a.kind.push_back(it->second);
  }
  for (const auto& [centre, width] : a.kinds)
    a.mass.push_back(log_normal_mass((a.low - centre) / width, (a.high - centre) / width));
}

Parzen::Parzen(const Space& space, std::span<const std::size_t> axes, std::span<const Point* const> observed,
               std::span<const double> weights) {
  double total = 1;  // of the wide kernel
  for (const double w : weights) total += w;
  double sum = 0;
  for (std::size_t k = 0; k <= observed.size(); ++k) {
    const double w = (k < observed.size() ? weights[k] : 1) / total;
    cumulated_.push_back(sum += w);
    constant_.push_back(std::log(w));
  }
  for (const std::size_t i : axes) axes_.push_back(axis_of(space.parameters[i], i, observed));
  for (const Axis& a : axes_) {
    if (is_choice(*a.of) || a.of->step > 0) continue;
    double width = -1, log_width = 0;
    for (std::size_t k = 0; k < constant_.size(); ++k) {
      if (a.width[k] != width) log_width = std::log(width = a.width[k]);
      const double from = (a.low - a.centre[k]) / width, to = (a.high - a.centre[k]) / width;
      constant_[k] -= log_width + 0.5 * std::log(2 * std::numbers::pi);
      if (from > -far || to < far) constant_[k] -= log_normal_mass(from, to);
    }
  }
}

void Parzen::draw(Draw& draw, Point& into) const {
  const double u = draw.uniform() * cumulated_.back();
  const auto k = static_cast<std::size_t>(
      std::min(std::upper_bound(cumulated_.begin(), cumulated_.end(), u) - cumulated_.begin(),
               static_cast<std::ptrdiff_t>(cumulated_.size()) - 1));
  const bool wide = k + 1 == cumulated_.size();
  for (const Axis& a : axes_) {
    const double v = draw.uniform();
    if (is_choice(*a.of)) {
      const double choices = static_cast<double>(a.of->values.size()), other = std::exp(a.miss) * choices;
      const bool keeps = !wide && v >= other;
      into[a.parameter] = keeps ? a.centre[k] : std::min(choices - 1, std::floor((wide ? v : v / other) * choices));
      continue;
    }
    const double from = normal_cdf((a.low - a.centre[k]) / a.width[k]);
    const double to = normal_cdf((a.high - a.centre[k]) / a.width[k]);
    const double x = std::clamp(a.centre[k] + a.width[k] * normal_quantile(from + v * (to - from)), a.low, a.high);
    into[a.parameter] = nearest_value(*a.of, a.of->log ? std::exp(x) : x);
  }
}

void Parzen::add_stepped(const Axis& a, double value, std::vector<double>& sums) const {
  const double half = a.of->step / 2, from = inner(*a.of, value - half), to = inner(*a.of, value + half);
  std::vector<double> log_mass(a.kinds.size());
  for (std::size_t i = 0; i < a.kinds.size(); ++i) {
    const auto& [centre, width] = a.kinds[i];
    log_mass[i] = log_normal_mass((from - centre) / width, (to - centre) / width) - a.mass[i];
  }
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += log_mass[a.kind[k]];
}

void Parzen::add_log_density(const Axis& a, double value, std::vector<double>& sums) const {
  if (is_choice(*a.of)) {
    for (std::size_t k = 0; k + 1 < sums.size(); ++k) sums[k] += a.centre[k] == value ? a.match : a.miss;
    sums.back() += a.flat;
    return;
  }
  if (a.of->step > 0) return add_stepped(a, value, sums);
  const double x = inner(*a.of, value);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const double z = (x - a.centre[k]) / a.width[k];
    sums[k] -= 0.5 * z * z;
  }
}

std::vector<double> Parzen::log_density(std::span<const Point> points) const {
  std::vector<double> all, sums;
  for (const Point& point : points) {
    sums = constant_;
    for (const Axis& a : axes_) add_log_density(a, point[a.parameter], sums);
    const double most = *std::max_element(sums.begin(), sums.end());
    double sum = 0;
    for (const double s : sums)
      if (s > most - negligible) sum += std::exp(s - most);
    all.push_back(most == -infinite ? most : most + std::log(sum));
  }
  return all;
}

}  // namespace nw::search
