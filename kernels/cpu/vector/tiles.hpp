// SPDX-License-Identifier: Apache-2.0
// How sums are divided into tiles that stay in registers.
#pragma once
#include "kernels/cpu/vector/simd.hpp"

namespace nw::cpu::NW_ISA {
namespace {

// The accumulators of a tile use 24 of 32 registers, or 12 of 16.
constexpr int most_pixels = width == 16 ? 6 : 3;
constexpr i64 max_outs(i64 pixels) {
  return width == 16 ? (pixels > 4 ? 4 : pixels == 4 ? 6 : 8) : (pixels > 2 ? 4 : pixels == 2 ? 6 : 8);
}

/// `count` items in parts of nearly equal size, none above `most`: 16 are 6 + 5 + 5, 8 are 4 + 4.
struct Parts {
  i64 count, parts;
  Parts(i64 n, i64 most) : count(n), parts((n + most - 1) / most) {}
  i64 begin(i64 i) const { return count * i / parts; }
  i64 largest() const { return (count + parts - 1) / parts; }
};

}  // namespace
}  // namespace nw::cpu::NW_ISA
