// SPDX-License-Identifier: Apache-2.0
#include "engine/deploy/arena.hpp"

#include <algorithm>
#include <numeric>

namespace nw::deploy {
namespace {

std::int64_t rounded(std::int64_t n, std::int64_t align) { return (n + align - 1) / align * align; }

bool together(const ArenaValue& a, const ArenaValue& b) { return a.first <= b.last && b.first <= a.last; }

}  // namespace

Arena plan_arena(std::span<const ArenaValue> values, std::int64_t align) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a].size > values[b].size; });
  Arena arena{.places = std::vector<std::int64_t>(values.size())};
  std::vector<std::size_t> placed;  // by their places
  for (const std::size_t v : order) {
    std::int64_t at = 0;
    for (const std::size_t other : placed) {
      if (!together(values[v], values[other])) continue;
      if (at + values[v].size <= arena.places[other]) break;
      at = std::max(at, rounded(arena.places[other] + values[other].size, align));
    }
    arena.places[v] = at;
    arena.size = std::max(arena.size, at + values[v].size);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), v,
                                   [&](auto a, auto b) { return arena.places[a] < arena.places[b]; }),
                  v);
  }
  return arena;
}

}  // namespace nw::deploy
