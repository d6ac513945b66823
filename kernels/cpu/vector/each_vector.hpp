// SPDX-License-Identifier: Apache-2.0
// A pass over numbers of the flat regions, vector by vector. Counts need not be multiples of a vector.
#pragma once
#include "kernels/cpu/vector/simd.hpp"

namespace nw::cpu::NW_ISA {
namespace {

// Calls f(vector at an offset, number of its floats to use) over [0, count): whole vectors, then one partial vector.
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

}  // namespace
}  // namespace nw::cpu::NW_ISA
