// SPDX-License-Identifier: Apache-2.0
#include "engine/deploy/arena.hpp"

#include <gtest/gtest.h>

#include <random>

namespace nw::deploy {
namespace {

TEST(Arena, AChainNeedsItsTwoLargestNeighbours) {
  const std::vector<ArenaValue> chain{{100, 0, 0}, {400, 0, 1}, {300, 1, 2}, {50, 2, 3}};
  EXPECT_EQ(plan_arena(chain, 1).size, 700);
}

TEST(Arena, ValuesThatLiveTogetherNeverOverlap) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<ArenaValue> values;
    std::int64_t all = 0;
    for (int i = 0; i < 20; ++i) {
      const int first = static_cast<int>(random() % 12);
      values.push_back({static_cast<std::int64_t>(1 + random() % 90), first, first + static_cast<int>(random() % 5)});
      all += (values.back().size + 15) / 16 * 16;
    }
    const Arena arena = plan_arena(values, 16);
    EXPECT_LE(arena.size, all);
    for (std::size_t a = 0; a < values.size(); ++a) {
      EXPECT_EQ(arena.places[a] % 16, 0);
      EXPECT_LE(arena.places[a] + values[a].size, arena.size);
      for (std::size_t b = 0; b < a; ++b)
        if (values[a].first <= values[b].last && values[b].first <= values[a].last)
          EXPECT_TRUE(arena.places[a] + values[a].size <= arena.places[b] ||
                      arena.places[b] + values[b].size <= arena.places[a]);
    }
  }
}

}  // namespace
}  // namespace nw::deploy
