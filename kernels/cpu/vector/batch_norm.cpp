// SPDX-License-Identifier: Apache-2.0
// Batch norm of one channel of one shard. Sums in double: E[x^2] - E[x]^2 loses digits that float does not have.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

NW_INLINE IntVec lane_mask(int first, i64 valid) { return count_from(first) < static_cast<int>(valid); }

}  // namespace

void norm_stats(const float* x, i64 pixels, i64 valid, double* sums) {
  for (int lane = 0; lane < lanes; lane += width) {
    WideVec sum_x = {}, sum_xx = {};
    const IntVec mask = lane_mask(lane, valid);
    for (i64 q = 0; q < pixels; ++q) {
      const WideVec v = widen(mask ? load(x + q * lanes + lane) : Vec{});
      sum_x += v;
      sum_xx += v * v;
    }
    sums[0] += sum(sum_x);
    sums[1] += sum(sum_xx);
  }
}

void norm_gradient_stats(const float* dy, const float* x, float mean, i64 pixels, i64 valid, double* sums) {
  for (int lane = 0; lane < lanes; lane += width) {
    WideVec sum_d = {}, sum_dx = {};
    const IntVec mask = lane_mask(lane, valid);
    for (i64 q = 0; q < pixels; ++q) {
      const Vec d = mask ? load(dy + q * lanes + lane) : Vec{}, centred = mask ? load(x + q * lanes + lane) - mean : Vec{};
      sum_d += widen(d);
      sum_dx += widen(d) * widen(centred);
    }
    sums[0] += sum(sum_d);
    sums[1] += sum(sum_dx);
  }
}

namespace {

template <bool relu, bool residual>
void apply(const NormApply& a) {
  for (i64 i = 0; i < a.pixels * lanes; i += width) {
    Vec v = (load(a.x + i) - a.mean) * a.scale + a.shift;
    if (residual) v += load(a.residual + i);
    store(a.y + i, relu ? (v <= 0.0f ? Vec{} : v) : v);
  }
}

}  // namespace

void norm_apply(const NormApply& a) {
  if (a.relu) a.residual ? apply<true, true>(a) : apply<true, false>(a);
  else a.residual ? apply<false, true>(a) : apply<false, false>(a);
}

void norm_gradient(const float* dy, const float* x, float* dx, float mean, float scale, float offset, float slope, i64 pixels,
                   i64 valid) {
  for (int lane = 0; lane < lanes; lane += width) {
    const IntVec mask = lane_mask(lane, valid);
    for (i64 q = 0; q < pixels; ++q) {
      const i64 i = q * lanes + lane;
      const Vec v = scale * (load(dy + i) - offset - (load(x + i) - mean) * slope);
      store(dx + i, mask ? v : Vec{});
    }
  }
}

}  // namespace nw::cpu::NW_ISA
