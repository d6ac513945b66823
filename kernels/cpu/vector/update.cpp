// SPDX-License-Identifier: Apache-2.0
// One pass over a block of the flat regions. Counts need not be multiples of a vector: weights end anywhere.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

// Calls f(vector at an offset, how many of its floats count) over [0, count): whole vectors, then one partial.
template <class F>
NW_INLINE void each_vector(i64 count, F f) {
  i64 i = 0;
  for (; i + width <= count; i += width) f(i, width);
  if (i < count) f(i, static_cast<int>(count - i));
}
NW_INLINE Vec load_some(const float* p, int n) {
  if (n == width) return load(p);
  Vec v = {};
  for (int i = 0; i < n; ++i) v[i] = p[i];
  return v;
}
NW_INLINE void store_some(float* p, Vec v, int n) {
  if (n == width) return store(p, v);
  for (int i = 0; i < n; ++i) p[i] = v[i];
}
double careful_square_sum(const float* g, i64 count) {
  WideVec s = {};
  each_vector(count, [&](i64 i, int n) {
    const WideVec v = widen(load_some(g + i, n));
    s += v * v;
  });
  return sum(s);
}
NW_INLINE Vec sign(Vec v) { return (v > 0.0f ? all(1.0f) : Vec{}) - (v < 0.0f ? all(1.0f) : Vec{}); }
template <bool penalised>
NW_INLINE Vec with_penalty(Vec g, Vec w, const UpdateArgs& a) {
  return penalised ? g + a.l2 * w + a.l1 * sign(w) : g;
}

template <bool penalised>
void sgd_of(const UpdateArgs& given) {
  const UpdateArgs a = given;  // a copy: no store can change it
  each_vector(a.count, [&](i64 i, int n) {
    const Vec w = load_some(a.w + i, n), g = with_penalty<penalised>(load_some(a.g + i, n), w, a);
    const Vec velocity = a.momentum * load_some(a.m + i, n) + g;
    store_some(a.m + i, velocity, n);
    const Vec direction = a.nesterov ? g + a.momentum * velocity : velocity;
    store_some(a.w + i, w - a.rate * direction, n);
  });
}

template <bool penalised>
void adam_of(const UpdateArgs& given) {
  const UpdateArgs a = given;
  each_vector(a.count, [&](i64 i, int n) {
    const Vec w = load_some(a.w + i, n), g = with_penalty<penalised>(load_some(a.g + i, n), w, a);
    Vec m = load_some(a.m + i, n), v = load_some(a.v + i, n);
    m += (g - m) * a.one_minus_beta1;
    v = v * a.beta2 + a.one_minus_beta2 * (g * g);
    store_some(a.m + i, m, n);
    store_some(a.v + i, v, n);
    store_some(a.w + i, w * a.decay_factor - over_root(a.rate * m, v, a.inverse_sqrt_bias2, a.eps), n);
  });
}

}  // namespace

// In float over short runs, which is quick, and those in double; a run whose sum leaves float's good range is taken in
// double.
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

// Up to eight rows' squares meet in one vector before they are widened.
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

void sgd(const UpdateArgs& a) { (a.l1 != 0.0f || a.l2 != 0.0f ? sgd_of<true> : sgd_of<false>)(a); }

void adam(const UpdateArgs& a) { (a.l1 != 0.0f || a.l2 != 0.0f ? adam_of<true> : adam_of<false>)(a); }

double penalty(const float* w, i64 count, float l1, float l2) {
  WideVec s = {};
  each_vector(count, [&](i64 i, int n) {
    const Vec v = load_some(w + i, n);
    s += widen(absolute(v)) * static_cast<double>(l1) + widen(v) * widen(v) * (0.5 * static_cast<double>(l2));
  });
  return sum(s);
}

}  // namespace nw::cpu::NW_ISA
