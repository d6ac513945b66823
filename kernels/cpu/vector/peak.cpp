// SPDX-License-Identifier: Apache-2.0
// As many multiply-adds as a core can do: what the speed of kernels is measured against.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {

// Twelve sums that wait for nothing but themselves: a core begins two a cycle and needs some five cycles for one.
i64 multiply_adds(i64 rounds, float* result) {
  constexpr int sums = 12;
  Vec acc[sums];
  for (int i = 0; i < sums; ++i) acc[i] = all(static_cast<float>(i));
  const Vec factor = all(0.999f), term = load(result);
  for (i64 r = 0; r < rounds; ++r)
#pragma GCC unroll 12
    for (int i = 0; i < sums; ++i) acc[i] = acc[i] * factor + term;
  Vec sum = {};
  for (int i = 0; i < sums; ++i) sum += acc[i];
  store(result, sum);
  return rounds * sums * width * 2;
}

}  // namespace nw::cpu::NW_ISA
