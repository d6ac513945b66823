// SPDX-License-Identifier: Apache-2.0
// Places of values in one piece of memory, such that values that live at the same time do not overlap.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace nw::deploy {

struct ArenaValue {
  std::int64_t size = 0;    // in elements
  int first = 0, last = 0;  // steps in which it is used
};
struct Arena {
  std::vector<std::int64_t> places;  // of each value, multiples of `align`
  std::int64_t size = 0;
};
/// The largest values first, each at the lowest place that is free while it lives.
Arena plan_arena(std::span<const ArenaValue>, std::int64_t align);

}  // namespace nw::deploy
