// SPDX-License-Identifier: Apache-2.0
// Batch norm of one channel of one shard. Sums are in double, because E[x^2] - E[x]^2 loses digits that float does not
// have.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

NW_INLINE IntVec lane_mask(int first, i64 valid) { return count_from(first) < static_cast<int>(valid); }

}  // namespace

// Pixels alternate between two sums each, because additions to a single sum would wait for each other.
void norm_stats(const float* x, i64 pixels, i64 valid, double* sums) {
  for (int lane = 0; lane < lanes; lane += width) {
    DoubleSums sum_x[2], sum_xx[2];
    const IntVec mask = lane_mask(lane, valid);
    const auto take = [&](i64 q, int turn) NW_INLINE_LAMBDA {
      const Vec v = mask ? load(x + q * lanes + lane) : Vec{};
      sum_x[turn].add(v);
      sum_xx[turn].add_product(v, v);
    };
    i64 q = 0;
    for (; q + 2 <= pixels; q += 2) {
      take(q, 0);
      take(q + 1, 1);
    }
    if (q < pixels) take(q, 0);
    sums[0] += sum_x[0].total() + sum_x[1].total();
    sums[1] += sum_xx[0].total() + sum_xx[1].total();
  }
}

void norm_gradient_stats(const float* dy, const float* x, float mean, i64 pixels, i64 valid, double* sums) {
  for (int lane = 0; lane < lanes; lane += width) {
    DoubleSums sum_d[2], sum_dx[2];
    const IntVec mask = lane_mask(lane, valid);
    const auto take = [&](i64 q, int turn) NW_INLINE_LAMBDA {
      const Vec d = mask ? load(dy + q * lanes + lane) : Vec{},
                centred = mask ? load(x + q * lanes + lane) - mean : Vec{};
      sum_d[turn].add(d);
      sum_dx[turn].add_product(d, centred);
    };
    i64 q = 0;
    for (; q + 2 <= pixels; q += 2) {
      take(q, 0);
      take(q + 1, 1);
    }
    if (q < pixels) take(q, 0);
    sums[0] += sum_d[0].total() + sum_d[1].total();
    sums[1] += sum_dx[0].total() + sum_dx[1].total();
  }
}

namespace {

template <bool relu, bool residual>
void apply(const NormApply a) {  // a copy: stores cannot alias it
  for (i64 i = 0; i < a.pixels * lanes; i += width) {
    Vec v = (load(a.x + i) - a.mean) * a.scale + a.shift;
    if (residual) v += load(a.residual + i);
    store(a.y + i, relu ? (v <= 0.0f ? Vec{} : v) : v);
  }
}

}  // namespace

void norm_apply(const NormApply& a) {
  if (a.relu)
    a.residual ? apply<true, true>(a) : apply<true, false>(a);
  else
    a.residual ? apply<false, true>(a) : apply<false, false>(a);
}

void norm_gradient(const float* dy, const float* x, float* dx, float mean, float scale, float offset, float slope,
                   i64 pixels, i64 valid) {
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
