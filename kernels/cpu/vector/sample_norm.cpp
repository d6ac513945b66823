// SPDX-License-Identifier: Apache-2.0
// Layer and group norm of one shard: each lane is an image, so a sample's sums never leave their lane. Sums in double.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

NW_INLINE Vec narrow(WideVec v) { return __builtin_convertvector(v, Vec); }
NW_INLINE Vec weight_of(const NormGroup& g, i64 i) { return all(g.w ? g.w[i] : 1.0f); }

}  // namespace

void group_stats(const float* x, i64 count, double eps, float* mean, float* invstd) {
  const double share = 1.0 / static_cast<double>(count);
  for (int lane = 0; lane < lanes; lane += width) {
    WideVec sum_x = {}, sum_xx = {};
    for (i64 q = 0; q < count; ++q) {
      const WideVec v = widen(load(x + q * lanes + lane));
      sum_x += v;
      sum_xx += v * v;
    }
    const WideVec m = sum_x * share, square = sum_xx * share - m * m;
    const WideVec variance = (square > 0.0 ? square : WideVec{}) + eps;
    store(mean + lane, narrow(m));
    for (int i = 0; i < width; ++i) invstd[lane + i] = static_cast<float>(1.0 / __builtin_sqrt(variance[i]));
  }
}

void group_apply(const NormGroup& g, float* y) {
  for (int lane = 0; lane < lanes; lane += width) {
    const Vec mean = load(g.mean + lane), invstd = load(g.invstd + lane);
    for (i64 i = 0; i < g.weights; ++i) {
      const Vec scale = invstd * weight_of(g, i), shift = all(g.b ? g.b[i] : 0.0f);
      for (i64 at = i * g.pixels * lanes + lane, end = at + g.pixels * lanes; at < end; at += lanes)
        store(y + at, (load(g.x + at) - mean) * scale + shift);
    }
  }
}

void group_gradient(const NormGroup& g, const float* dy, float* dx) {
  const double share = 1.0 / static_cast<double>(g.weights * g.pixels);
  for (int lane = 0; lane < lanes; lane += width) {
    const Vec mean = load(g.mean + lane), invstd = load(g.invstd + lane);
    WideVec sum = {}, dot = {};
    for (i64 i = 0; i < g.weights; ++i) {
      const Vec w = weight_of(g, i);
      for (i64 at = i * g.pixels * lanes + lane, end = at + g.pixels * lanes; at < end; at += lanes) {
        const Vec d = load(dy + at) * w;
        sum += widen(d);
        dot += widen(d) * widen((load(g.x + at) - mean) * invstd);
      }
    }
    const Vec offset = narrow(sum * share), slope = narrow(dot * share);
    for (i64 i = 0; i < g.weights; ++i) {
      const Vec w = weight_of(g, i);
      for (i64 at = i * g.pixels * lanes + lane, end = at + g.pixels * lanes; at < end; at += lanes)
        store(dx + at, invstd * (load(dy + at) * w - offset - (load(g.x + at) - mean) * invstd * slope));
    }
  }
}

void group_weight_gradient(const NormGroup& g, const float* dy, i64 valid, float* dw, float* db) {
  for (i64 i = 0; i < g.weights; ++i) {
    double weight = 0, bias = 0;
    for (int lane = 0; lane < lanes; lane += width) {
      const IntVec mask = count_from(lane) < static_cast<int>(valid);
      const Vec mean = load(g.mean + lane), invstd = load(g.invstd + lane);
      WideVec sum_w = {}, sum_b = {};
      for (i64 at = i * g.pixels * lanes + lane, end = at + g.pixels * lanes; at < end; at += lanes) {
        const Vec d = mask ? load(dy + at) : Vec{};
        sum_w += widen(d) * widen(mask ? (load(g.x + at) - mean) * invstd : Vec{});
        sum_b += widen(d);
      }
      weight += sum(sum_w);
      bias += sum(sum_b);
    }
    dw[i] = static_cast<float>(weight);
    if (db) db[i] = static_cast<float>(bias);
  }
}

double slope_gradient(const float* dy, const float* x, i64 pixels, i64 valid) {
  double total = 0;
  for (int lane = 0; lane < lanes; lane += width) {
    const IntVec mask = count_from(lane) < static_cast<int>(valid);
    WideVec products = {};
    for (i64 q = 0; q < pixels; ++q) {
      const Vec v = load(x + q * lanes + lane);
      products += widen(mask & ~(v > 0.0f) ? load(dy + q * lanes + lane) * v : Vec{});
    }
    total += sum(products);
  }
  return total;
}

}  // namespace nw::cpu::NW_ISA
