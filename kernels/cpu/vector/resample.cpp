// SPDX-License-Identifier: Apache-2.0
// Resampling, one shard at a time, and products of images.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

void clear(float* p, i64 floats) {
  for (i64 i = 0; i < floats; i += width) store(p + i, Vec{});
}

/// The four pixels around an output, and their weights.
struct Corners {
  i64 at[4];
  float share[4];
};
NW_INLINE Corners corners_of(const Resize& r, i64 oy, i64 ox) {
  const i64 top = r.rows.first[oy] * r.in_w, bottom = r.rows.second[oy] * r.in_w;
  const i64 left = r.columns.first[ox], right = r.columns.second[ox];
  const float up = r.rows.low[oy], near = r.columns.low[ox];
  return {{(top + left) * lanes, (top + right) * lanes, (bottom + left) * lanes, (bottom + right) * lanes},
          {up * near, up * (1.0f - near), (1.0f - up) * near, (1.0f - up) * (1.0f - near)}};
}

// Calls f(offset of the channel's input, oy, ox, offset of the output) for all outputs.
template <class F>
NW_INLINE void each_output(i64 channels, i64 in_pixels, i64 out_h, i64 out_w, F f) {
  i64 out = 0;
  for (i64 c = 0; c < channels; ++c)
    for (i64 oy = 0; oy < out_h; ++oy)
      for (i64 ox = 0; ox < out_w; ++ox, out += lanes) f(c * in_pixels * lanes, oy, ox, out);
}

NW_INLINE float share_of(const Windows& w, i64 oy, i64 ox) {
  return 1.0f / static_cast<float>((w.row[2 * oy + 1] - w.row[2 * oy]) * (w.column[2 * ox + 1] - w.column[2 * ox]));
}

}  // namespace

void multiply(const float* a, const float* b, float* y, i64 channels, i64 pixels, i64 b_pixels) {
  for (i64 c = 0; c < channels; ++c)
    for (i64 q = 0; q < pixels; ++q)
      for (int lane = 0; lane < lanes; lane += width) {
        const i64 at = (c * pixels + q) * lanes + lane;
        store(y + at, load(a + at) * load(b_pixels == 1 ? b + c * lanes + lane : b + at));
      }
}

void resize(const Resize& r, const float* x, float* y) {
  each_output(r.channels, r.in_h * r.in_w, r.out_h, r.out_w, [&](i64 image, i64 oy, i64 ox, i64 out) {
    const Corners k = corners_of(r, oy, ox);
    for (int lane = 0; lane < lanes; lane += width) {
      const float* from = x + image + lane;
      store(y + out + lane, load(from + k.at[0]) * k.share[0] + load(from + k.at[1]) * k.share[1] +
                                load(from + k.at[2]) * k.share[2] + load(from + k.at[3]) * k.share[3]);
    }
  });
}

void resize_gradient(const Resize& r, const float* dy, float* dx) {
  clear(dx, r.channels * r.in_h * r.in_w * lanes);
  each_output(r.channels, r.in_h * r.in_w, r.out_h, r.out_w, [&](i64 image, i64 oy, i64 ox, i64 out) {
    const Corners k = corners_of(r, oy, ox);
    for (int lane = 0; lane < lanes; lane += width) {
      const Vec d = load(dy + out + lane);
      for (int i = 0; i < 4; ++i) {
        float* to = dx + image + k.at[i] + lane;
        store(to, load(to) + d * k.share[i]);
      }
    }
  });
}

void window_mean(const Windows& w, const float* x, float* y) {
  each_output(w.channels, w.in_h * w.in_w, w.out_h, w.out_w, [&](i64 image, i64 oy, i64 ox, i64 out) {
    const float share = share_of(w, oy, ox);
    for (int lane = 0; lane < lanes; lane += width) {
      Vec sum = {};
      for (i64 iy = w.row[2 * oy]; iy < w.row[2 * oy + 1]; ++iy)
        for (i64 ix = w.column[2 * ox]; ix < w.column[2 * ox + 1]; ++ix)
          sum += load(x + image + (iy * w.in_w + ix) * lanes + lane);
      store(y + out + lane, sum * share);
    }
  });
}

void window_mean_gradient(const Windows& w, const float* dy, float* dx) {
  clear(dx, w.channels * w.in_h * w.in_w * lanes);
  each_output(w.channels, w.in_h * w.in_w, w.out_h, w.out_w, [&](i64 image, i64 oy, i64 ox, i64 out) {
    const float share = share_of(w, oy, ox);
    for (int lane = 0; lane < lanes; lane += width) {
      const Vec d = load(dy + out + lane) * share;
      for (i64 iy = w.row[2 * oy]; iy < w.row[2 * oy + 1]; ++iy)
        for (i64 ix = w.column[2 * ox]; ix < w.column[2 * ox + 1]; ++ix) {
          float* to = dx + image + (iy * w.in_w + ix) * lanes + lane;
          store(to, load(to) + d);
        }
    }
  });
}

}  // namespace nw::cpu::NW_ISA
