// SPDX-License-Identifier: Apache-2.0
// One pass over a block of the flat regions. Counts need not be multiples of a vector.
#include "kernels/cpu/vector/each_vector.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

double careful_square_sum(const float* g, i64 count) {
  WideVec s = {};
  each_vector(count, [&](i64 i, int n) {
    const WideVec v = widen(load_some(g + i, n));
    s += v * v;
  });
  return sum(s);
}

}  // namespace

// Sums in float over short runs, which is faster, and adds the runs in double; a run whose sum is outside the range in
// which float is accurate is summed in double.
double square_sum(const float* g, i64 count) {
  constexpr i64 run = 32 * width;
  double total = 0;
  for (i64 at = 0; at < count; at += run) {
    const i64 end = at + run < count ? at + run : count;
    Vec s[4] = {};
    i64 i = at;
    for (; i + 4 * width <= end; i += 4 * width)
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) s[k] += load(g + i + k * width) * load(g + i + k * width);
    for (; i < end; i += width) {
      const Vec v = load_some(g + i, end - i < width ? static_cast<int>(end - i) : width);
      s[0] += v * v;
    }
    const double quick = sum(widen((s[0] + s[1]) + (s[2] + s[3])));
    total += quick > 1e-24 && quick < 1e36 ? quick : careful_square_sum(g + at, end - at);
  }
  return total;
}

// The squares of up to eight rows are added in one vector before they are converted to double.
double square_sum_rows(const float* g, i64 rows, i64 step, i64 count) {
  double total = 0;
  if (count % width != 0) {
    for (i64 r = 0; r < rows; ++r) total += square_sum(g + r * step, count);
    return total;
  }
  constexpr i64 together = 8;
  for (i64 first = 0; first < rows; first += together) {
    const i64 last = first + together < rows ? first + together : rows;
    Vec s[2] = {};
    for (i64 r = first; r < last; ++r)
      for (i64 i = 0; i < count; i += width) {
        const Vec v = load(g + r * step + i);
        s[r % 2] += v * v;
      }
    const double quick = sum(widen(s[0] + s[1]));
    if (quick > 1e-24 && quick < 1e36)
      total += quick;
    else
      for (i64 r = first; r < last; ++r) total += careful_square_sum(g + r * step, count);
  }
  return total;
}

void scale(float* g, i64 count, float by) {
  each_vector(count, [&](i64 i, int n) { store_some(g + i, load_some(g + i, n) * by, n); });
}

void clamp(float* g, i64 count, float limit) {
  each_vector(count, [&](i64 i, int n) {
    const Vec v = load_some(g + i, n);
    store_some(g + i, v > limit ? all(limit) : v < -limit ? all(-limit) : v, n);
  });
}

double penalty(const float* w, i64 count, float l1, float l2) {
  WideVec s = {};
  each_vector(count, [&](i64 i, int n) {
    const Vec v = load_some(w + i, n);
    s += widen(absolute(v)) * static_cast<double>(l1) + widen(v) * widen(v) * (0.5 * static_cast<double>(l2));
  });
  return sum(s);
}

}  // namespace nw::cpu::NW_ISA
