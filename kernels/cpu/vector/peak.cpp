// SPDX-License-Identifier: Apache-2.0
// The largest possible rate of multiply-adds of a core, which the throughput of kernels is compared with.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {

// Twelve independent sums: a core starts two multiply-adds per cycle, and each takes about five cycles.
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
