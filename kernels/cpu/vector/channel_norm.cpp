// SPDX-License-Identifier: Apache-2.0
// Layer norm over the channels of each pixel, one shard: a channel's pixels are adjacent, its channels `pixels` vectors
// apart. Sums in double.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

NW_INLINE Vec narrow(WideVec v) { return __builtin_convertvector(v, Vec); }
NW_INLINE Vec weight_of(const ChannelNorm& n, i64 c) { return all(n.w ? n.w[c] : 1.0f); }

// Calls f(offset of the pixel's vector in channel 0, and in the statistics) for every part of every pixel.
template <class F>
NW_INLINE void each_pixel(const ChannelNorm& n, F f) {
  for (i64 at = 0; at < n.pixels * lanes; at += width) f(at);
}

}  // namespace

void channel_norm(const ChannelNorm& given, double eps, float* mean, float* invstd, float* y) {
  const ChannelNorm n = given;  // a copy: stores cannot alias it
  const i64 step = n.pixels * lanes;
  const double share = 1.0 / static_cast<double>(n.channels);
  each_pixel(n, [&](i64 at) {
    WideVec sum_x = {}, squares = {};
    for (i64 c = 0; c < n.channels; ++c) sum_x += widen(load(n.x + c * step + at));
    const WideVec m = sum_x * share;
    for (i64 c = 0; c < n.channels; ++c) {
      const WideVec d = widen(load(n.x + c * step + at)) - m;
      squares += d * d;
    }
    const WideVec variance = squares * share + eps;
    const Vec middle = narrow(m);
    store(mean + at, middle);
    for (int i = 0; i < width; ++i) invstd[at + i] = static_cast<float>(1.0 / __builtin_sqrt(variance[i]));
    const Vec scale = load(invstd + at);
    for (i64 c = 0; c < n.channels; ++c)
      store(y + c * step + at,
            (load(n.x + c * step + at) - middle) * (scale * weight_of(n, c)) + all(n.b ? n.b[c] : 0.0f));
  });
}

void channel_norm_gradient(const ChannelNorm& given, const float* mean, const float* invstd, const float* dy,
                           float* dx) {
  const ChannelNorm n = given;
  const i64 step = n.pixels * lanes;
  const double share = 1.0 / static_cast<double>(n.channels);
  each_pixel(n, [&](i64 at) {
    const Vec middle = load(mean + at), scale = load(invstd + at);
    WideVec sum = {}, dot = {};
    for (i64 c = 0; c < n.channels; ++c) {
      const Vec d = load(dy + c * step + at) * weight_of(n, c);
      sum += widen(d);
      dot += widen(d) * widen((load(n.x + c * step + at) - middle) * scale);
    }
    const Vec offset = narrow(sum * share), slope = narrow(dot * share);
    for (i64 c = 0; c < n.channels; ++c) {
      const Vec xhat = (load(n.x + c * step + at) - middle) * scale;
      store(dx + c * step + at, scale * (load(dy + c * step + at) * weight_of(n, c) - offset - xhat * slope));
    }
  });
}

void channel_norm_weight_gradient(const ChannelNorm& given, const float* mean, const float* invstd, const float* dy,
                                  i64 valid, float* dw, float* db) {
  const ChannelNorm n = given;
  for (i64 c = 0; c < n.channels; ++c) {
    const float *x = n.x + c * n.pixels * lanes, *d = dy + c * n.pixels * lanes;
    double weight = 0, bias = 0;
    for (int lane = 0; lane < lanes; lane += width) {
      const IntVec mask = count_from(lane) < static_cast<int>(valid);
      WideVec sum_w = {}, sum_b = {};
      for (i64 at = lane; at < n.pixels * lanes; at += lanes) {
        const Vec v = mask ? load(d + at) : Vec{};
        sum_w += widen(v) * widen(mask ? (load(x + at) - load(mean + at)) * load(invstd + at) : Vec{});
        sum_b += widen(v);
      }
      weight += sum(sum_w);
      bias += sum(sum_b);
    }
    dw[c] = static_cast<float>(weight);
    db[c] = static_cast<float>(bias);
  }
}

}  // namespace nw::cpu::NW_ISA
