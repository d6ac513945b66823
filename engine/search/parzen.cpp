// SPDX-License-Identifier: Apache-2.0
#include "engine/search/parzen.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "engine/search/normal.hpp"

namespace nw::search {
namespace {

/// Beyond so many widths from both ends a kernel has all its mass between them, to the last digit.
constexpr double far = 8.3;
/// Terms that are smaller by this factor's logarithm do not change a sum's digits that matter.
constexpr float negligible = 20;
constexpr double half_log_2pi = 0.91893853320467274178;
/// The least width of n kernels is 1/(2 + 2n) of the range, at least 1/100. Optuna 5.0 has 1/(2 + n); narrower kernels
/// find the bottom of a valley sooner (docs/performance.md, "Search").
constexpr double narrowing = 2, most_narrow = 100;

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
    a.place.assign(a.centre.begin(), a.centre.end());
    return a;
  }
  a.low = inner(p, p.low - p.step / 2);
  a.high = inner(p, p.high + p.step / 2);
  set_widths(a);
  a.centre.push_back(0.5 * (a.low + a.high));
  a.width.push_back(a.high - a.low);
  if (p.step > 0) {
    set_kinds(a);
    return a;
  }
  for (const double c : a.centre) a.place.push_back(static_cast<float>((c - a.low) / (a.high - a.low)));
  for (const double w : a.width) a.steepness.push_back(static_cast<float>((a.high - a.low) / w));
  return a;
}

void Parzen::set_widths(Axis& a) {
  const double range = a.high - a.low;
  const double least = range / std::min(most_narrow, 2 + narrowing * static_cast<double>(a.centre.size()));
  a.width = a.centre.size() < 200 ? neighbour_widths(a.centre, a.low, a.high, least, range)
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
    constant_.push_back(static_cast<float>(std::log(w)));
  }
  for (const std::size_t i : axes) axes_.push_back(axis_of(space.parameters[i], i, observed));
  for (const Axis& a : axes_) {
    if (is_choice(*a.of) || a.of->step > 0) continue;
    double width = -1, log_width = 0;
    for (std::size_t k = 0; k < constant_.size(); ++k) {
      if (a.width[k] != width) log_width = std::log(width = a.width[k]);
      const double from = (a.low - a.centre[k]) / width, to = (a.high - a.centre[k]) / width;
      const bool whole = from < -far && to > far;
      constant_[k] -= static_cast<float>(log_width + half_log_2pi + (whole ? 0 : log_normal_mass(from, to)));
    }
  }
}

void Parzen::draw(Draw& draw, Point& into) const {
  const double u = draw.uniform() * cumulated_.back();
  const auto k =
      static_cast<std::size_t>(std::min(std::upper_bound(cumulated_.begin(), cumulated_.end(), u) - cumulated_.begin(),
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

void Parzen::add_stepped(const Axis& a, double value, std::vector<float>& sums) {
  const double half = a.of->step / 2, from = inner(*a.of, value - half), to = inner(*a.of, value + half);
  std::vector<float> log_mass(a.kinds.size());
  for (std::size_t i = 0; i < a.kinds.size(); ++i) {
    const auto& [centre, width] = a.kinds[i];
    const double below = (from - centre) / width, above = (to - centre) / width;
    const bool none = below > far || above < -far;
    log_mass[i] = none ? -1e3F : static_cast<float>(log_normal_mass(below, above) - a.mass[i]);
  }
  float* const sum = sums.data();
  const float* const mass = log_mass.data();
  const std::uint32_t* const kind = a.kind.data();
  for (std::size_t k = 0; k < sums.size(); ++k) sum[k] += mass[kind[k]];
}

// Single precision is enough: near a kernel the numbers are small, and far from it they do not count. Pointers, because
// the checks of vectors keep the compiler from vectorizing.
void Parzen::add_log_density(const Axis& a, double value, std::vector<float>& sums) {
  const std::size_t kernels = sums.size();
  if (a.of->step > 0) return add_stepped(a, value, sums);
  float* const sum = sums.data();
  const float* const place = a.place.data();
  if (is_choice(*a.of)) {
    const auto chosen = static_cast<float>(value), match = static_cast<float>(a.match),
               miss = static_cast<float>(a.miss);
    for (std::size_t k = 0; k + 1 < kernels; ++k) sum[k] += place[k] == chosen ? match : miss;
    sums.back() += static_cast<float>(a.flat);
    return;
  }
  const float* const steepness = a.steepness.data();
  const auto x = static_cast<float>((inner(*a.of, value) - a.low) / (a.high - a.low));
  for (std::size_t k = 0; k < kernels; ++k) {
    const float z = (x - place[k]) * steepness[k];
    sum[k] -= 0.5F * z * z;
  }
}

std::vector<double> Parzen::log_density(std::span<const Point> points) const {
  std::vector<double> all;
  std::vector<float> sums;
  for (const Point& point : points) {
    sums = constant_;
    for (const Axis& a : axes_) add_log_density(a, point[a.parameter], sums);
    const float most = *std::max_element(sums.begin(), sums.end());
    double sum = 0;
    for (const float s : sums)
      if (s > most - negligible) sum += std::exp(static_cast<double>(s - most));
    all.push_back(static_cast<double>(most) + std::log(sum));
  }
  return all;
}

}  // namespace nw::search
