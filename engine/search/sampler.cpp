// SPDX-License-Identifier: Apache-2.0
#include "engine/search/sampler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace nw::search {
namespace {

constexpr std::int64_t largest_grid = 1'000'000'000;

/// The value below which the fraction `u` of a parameter's values lies.
double value_at(const Parameter& p, double u) {
  if (p.kind == Parameter::Kind::choice) return nearest_value(p, std::floor(u * static_cast<double>(p.values.size())));
  const double half = p.step / 2;
  if (!p.log) return nearest_value(p, p.low - half + u * (p.high - p.low + p.step));
  const double low = std::log(p.low - half), high = std::log(p.high + half);
  return nearest_value(p, std::exp(low + u * (high - low)));
}

/// The stratum of `number` among `strata`, in an order drawn for parameter `i`.
std::size_t stratum_of(std::uint64_t seed, std::int64_t block, std::size_t i, std::size_t number, std::size_t strata) {
  std::vector<std::size_t> order(strata);
  std::iota(order.begin(), order.end(), 0);
  Draw draw(seed, block, static_cast<std::uint32_t>(i + 1));
  for (std::size_t k = strata; k-- > 1;) std::swap(order[k], order[draw.below(k + 1)]);
  return order[number];
}

std::uint64_t hash_of(const Point& point) {
  std::uint64_t h = 0x9E3779B97F4A7C15u;
  for (const double v : point) {
    h ^= std::isnan(v) ? 0x7FFFu : std::bit_cast<std::uint64_t>(v + 0.0);
    h *= 0xFF51AFD7ED558CCDu;
    h ^= h >> 32;
  }
  return h;
}

}  // namespace

const Sampler* find_sampler(std::string_view name) {
  for (const Sampler* s : all_samplers())
    if (s->name == name) return s;
  return nullptr;
}

Point random_point(const Space& space, Draw& draw) {
  Point point(space.parameters.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < point.size(); ++i)
    if (exists_at(space, point, i)) point[i] = value_at(space.parameters[i], draw.uniform());
  return point;
}

Point spread_point(const History& h, std::int64_t strata) {
  Draw draw(h.seed, h.number);
  Point point(h.space.parameters.size(), std::numeric_limits<double>::quiet_NaN());
  const auto many = static_cast<std::size_t>(strata);
  for (std::size_t i = 0; i < point.size(); ++i) {
    const double u = draw.uniform();
    const std::size_t at = stratum_of(h.seed, h.number / strata, i, static_cast<std::size_t>(h.number % strata), many);
    if (exists_at(h.space, point, i))
      point[i] = value_at(h.space.parameters[i], (static_cast<double>(at) + u) / static_cast<double>(strata));
  }
  return point;
}

std::int64_t grid_size(const Space& space) {
  std::int64_t size = 1;
  for (const Parameter& p : space.parameters) {
    const std::int64_t n = values_of(p);
    if (n == 0 || n > largest_grid / size) return 0;
    size *= n;
  }
  return size;
}

// Parameters that do not exist at a point make several indices the same point; the sampler passes over these.
Point grid_point(const Space& space, std::int64_t index) {
  Point point(space.parameters.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < point.size(); ++i) {
    const Parameter& p = space.parameters[i];
    const auto at = static_cast<double>(index % values_of(p));
    index /= values_of(p);
    if (exists_at(space, point, i))
      point[i] = p.kind == Parameter::Kind::choice ? at : nearest_value(p, p.low + p.step * at);
  }
  return point;
}

Tried::Tried(std::span<const Trial> trials) {
  hashes_.reserve(trials.size());
  for (const Trial& t : trials) hashes_.push_back(hash_of(t.point));
}

// A few points are looked for: to sort the hashes would take longer.
bool Tried::has(const Point& point) const {
  return std::find(hashes_.begin(), hashes_.end(), hash_of(point)) != hashes_.end();
}

}  // namespace nw::search
