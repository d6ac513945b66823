// SPDX-License-Identifier: Apache-2.0
// Convolutions of images so small that one and the filters for a few channels fit in a block's shared memory. T: the
// type in which images and weights are stored; numbers are added in float within a sample, in double beyond.
#pragma once
#include "kernels/cuda/blocks/block.hpp"
#include "kernels/cuda/elements/conv2d.hpp"

namespace nw::cuda {

/// What fits in shared memory, in floats.
inline constexpr int most_image = 4096, most_filters = 4096, most_results = 6400;

/// ConvShape in 32 bits; one group.
struct SmallConvShape {
  int c, h, w, o, oh, ow, kh, kw, sh, sw, ph, pw, dh, dw;
  NW_HOST_DEVICE int pixels() const { return h * w; }
  NW_HOST_DEVICE int positions() const { return oh * ow; }
  NW_HOST_DEVICE int taps() const { return kh * kw; }
};

/// The range of positions along one axis at which a tap, `offset` pixels from the first, reads a pixel.
struct Reached {
  int begin, end;
};
NW_HOST_DEVICE inline Reached reached(int offset, int padding, int stride, int pixels, int positions) {
  const int first = padding - offset, last = pixels - 1 + padding - offset;  // of stride * position
  return {first > 0 ? (first + stride - 1) / stride : 0, last < 0 ? 0 : smaller(last / stride + 1, positions)};
}

/// store(i, load(i)) for every threads-th i of `count` from this thread's on. Several are loaded before the first is
/// stored: a thread then waits for memory once instead of each time.
template <int threads, class Load, class Store>
NW_HOST_DEVICE inline void load_all(int thread, int count, const Load& load, const Store& store) {
  constexpr int together = 8;
  for (int first = thread; first < count; first += threads * together) {
    float numbers[together] = {};
    NW_UNROLL
    for (int j = 0; j < together; ++j)
      if (first + j * threads < count) numbers[j] = load(first + j * threads);
    NW_UNROLL
    for (int j = 0; j < together; ++j)
      if (first + j * threads < count) store(first + j * threads, numbers[j]);
  }
}
/// The blocks that share a sample's `items`: so many that about 512 blocks have work, and each has some for every
/// thread.
inline int slices_of_sample(i64 blocks, i64 items, int threads) {
  return static_cast<int>(larger(i64{1}, smaller(512 / larger(blocks, i64{1}), items / threads)));
}

/// y = conv(x, weight) + bias. Block: a slice of a sample's results of 8 output channels; a thread has four channels of
/// every 128th position.
template <class T>
struct SmallConv {
  static constexpr int threads = 256, phases = 2, tile = 8, quads = tile / 4;
  struct Shared {
    float x[most_image];                // [channel][pixel]
    alignas(16) float w[most_filters];  // [channel][tap][output channel of the tile]
  };
  ConvShape s;
  const T *x, *weight;
  const float* bias;  // may be null
  T* y;
  SmallConvShape k;
  bool relu;
  int slices;
  NW_HOST_DEVICE static bool fits(const ConvShape& s) {
    return s.c == s.in_per_group && s.c * s.h * s.w <= most_image && s.c * s.kh * s.kw * tile <= most_filters;
  }
  static int tiles_of(const ConvShape& s) { return static_cast<int>((s.o + tile - 1) / tile); }
  static int slices_of(const ConvShape& s) { return slices_of_sample(s.n * tiles_of(s), s.oh * s.ow * quads, threads); }
  i64 blocks() const { return s.n * tiles_of(s) * slices; }
  NW_HOST_DEVICE void operator()(i64 block, int thread, int phase, Shared& shared) const {
    const int tiles = (k.o + tile - 1) / tile, within = static_cast<int>(block % (tiles * slices)),
              first = within % tiles * tile;
    const i64 n = block / (tiles * slices);
    if (phase == 0) return load(n, first, thread, shared);
    const Range part = slice_of(k.positions(), slices, within / tiles);
    const auto end = static_cast<int>(part.end) * quads;
    for (int i = static_cast<int>(part.begin) * quads + thread; i < end; i += threads)
      compute(n, first + i % quads * 4, i / quads, &shared.w[i % quads * 4], shared);
  }

 private:
  NW_HOST_DEVICE void load(i64 n, int first, int thread, Shared& shared) const {
    const int pixels = k.pixels(), taps = k.taps();
    const T* from = x + n * pixels * k.c;
    load_all<threads>(
        thread, pixels * k.c, [&](int i) { return static_cast<float>(from[i]); },
        [&](int i, float v) { shared.x[i % k.c * pixels + i / k.c] = v; });
    load_all<threads>(
        thread, k.c * taps * tile, [&](int i) { return filter(first + i % tile, i / tile % taps, i / tile / taps); },
        [&](int i, float v) { shared.w[i] = v; });
  }
  NW_HOST_DEVICE float filter(int o, int tap, int c) const {
    return o < k.o ? static_cast<float>(weight[s.weight(o, c, tap / k.kw, tap % k.kw)]) : 0.0f;
  }
  NW_HOST_DEVICE void compute(i64 n, int o, int position, const float* w, const Shared& shared) const {
    const int top = position / k.ow * k.sh - k.ph, left = position % k.ow * k.sw - k.pw;
    float sums[4] = {};
    for (int c = 0; c < k.c; ++c)
      for (int ky = 0; ky < k.kh; ++ky) {
        const int iy = top + ky * k.dh;
        if (iy < 0 || iy >= k.h) continue;
        const float *row = shared.x + c * k.pixels() + iy * k.w, *by = w + (c * k.taps() + ky * k.kw) * tile;
        NW_UNROLL_BY(5)
        for (int kx = 0; kx < k.kw; ++kx) {
          const int ix = left + kx * k.dw;
          const float v = ix >= 0 && ix < k.w ? row[ix] : 0.0f;
          const auto four = read_pack<4>(by + kx * tile);
          for (int j = 0; j < 4; ++j) sums[j] += v * four.at[j];
        }
      }
    T* to = y + (n * k.positions() + position) * k.o + o;
    for (int j = 0; j < smaller(4, k.o - o); ++j) {
      const float v = sums[j] + (bias ? bias[o + j] : 0.0f);
      to[j] = relu && v < 0 ? 0.0f : v;
    }
  }
};

/// dx. Block: a slice of a sample's gradients of four input channels; a thread has every 256th pixel.
template <class T>
struct SmallConvGradInput {
  static constexpr int threads = 256, phases = 2, tile = 4;
  struct Shared {
    float dy[most_results];             // [output channel][position]
    alignas(16) float w[most_filters];  // [tap][output channel][input channel of the tile]
  };
  ConvShape s;
  const T *dy, *weight;
  T* dx;
  SmallConvShape k;
  int slices;
  NW_HOST_DEVICE static bool fits(const ConvShape& s) {
    return s.c == s.in_per_group && s.o * s.oh * s.ow <= most_results && s.o * s.kh * s.kw * tile <= most_filters;
  }
  static int tiles_of(const ConvShape& s) { return static_cast<int>((s.c + tile - 1) / tile); }
  static int slices_of(const ConvShape& s) { return slices_of_sample(s.n * tiles_of(s), s.h * s.w, threads); }
  i64 blocks() const { return s.n * tiles_of(s) * slices; }
  NW_HOST_DEVICE void operator()(i64 block, int thread, int phase, Shared& shared) const {
    const int tiles = (k.c + tile - 1) / tile, within = static_cast<int>(block % (tiles * slices)),
              first = within % tiles * tile;
    const i64 n = block / (tiles * slices);
    if (phase == 0) return load(n, first, thread, shared);
    const Range part = slice_of(k.pixels(), slices, within / tiles);
    for (int i = static_cast<int>(part.begin) + thread; i < static_cast<int>(part.end); i += threads)
      compute(n, first, i, shared);
  }

 private:
  NW_HOST_DEVICE void load(i64 n, int first, int thread, Shared& shared) const {
    const int positions = k.positions();
    const T* from = dy + n * positions * k.o;
    load_all<threads>(
        thread, positions * k.o, [&](int i) { return static_cast<float>(from[i]); },
        [&](int i, float v) { shared.dy[i % k.o * positions + i / k.o] = v; });
    load_all<threads>(
        thread, k.taps() * k.o * tile, [&](int i) { return filter(i / tile % k.o, i / tile / k.o, first + i % tile); },
        [&](int i, float v) { shared.w[i] = v; });
  }
  NW_HOST_DEVICE float filter(int o, int tap, int c) const {
    return c < k.c ? static_cast<float>(weight[s.weight(o, c, tap / k.kw, tap % k.kw)]) : 0.0f;
  }
  /// The position along one axis whose tap `offset` reads this pixel; -1: there is none.
  NW_HOST_DEVICE static int position(int pixel, int padding, int offset, int stride, int positions) {
    const int at = pixel + padding - offset;
    if (stride == 1) return at < positions ? at : -1;  // divisions are slow
    return at < 0 || at % stride != 0 || at / stride >= positions ? -1 : at / stride;
  }
  NW_HOST_DEVICE void compute(i64 n, int first, int pixel, const Shared& shared) const {
    float sums[tile] = {};
    for (int ky = 0; ky < k.kh; ++ky) {
      const int oy = position(pixel / k.w, k.ph, ky * k.dh, k.sh, k.oh);
      if (oy < 0) continue;
      for (int kx = 0; kx < k.kw; ++kx) {
        const int ox = position(pixel % k.w, k.pw, kx * k.dw, k.sw, k.ow);
        if (ox < 0) continue;
        const float *from = shared.dy + oy * k.ow + ox, *by = shared.w + (ky * k.kw + kx) * k.o * tile;
        NW_UNROLL_BY(4)
        for (int o = 0; o < k.o; ++o) {
          const float v = from[o * k.positions()];
          const auto four = read_pack<tile>(by + o * tile);
          for (int j = 0; j < tile; ++j) sums[j] += v * four.at[j];
        }
      }
    }
    T* to = dx + (n * k.pixels() + pixel) * k.c + first;
    for (int j = 0; j < smaller(tile, k.c - first); ++j) to[j] = sums[j];
  }
};

/// parts[sample][weight] and, if there is a bias, bias_parts[sample][output channel] = the gradients by this sample;
/// sums over samples follow. Block: a sample's gradients of 8 output
/// channels; a thread has four channels of a tap, over some rows of positions if there are fewer taps than threads.
template <class T>
struct SmallConvGradWeight {
  static constexpr int threads = 256, phases = 3, tile = 8, quads = tile / 4;
  struct Shared {
    float x[most_image];                 // as stored
    alignas(16) float dy[most_results];  // [position][output channel of the tile]
    float sums[threads][4];
    float of_bias[threads / tile][tile];
  };
  ConvShape s;
  const T *dy, *x;
  double *parts, *bias_parts;  // bias_parts may be null
  const StepBlock* block;
  SmallConvShape k;
  NW_HOST_DEVICE static bool fits(const ConvShape& s) {
    return s.c == s.in_per_group && s.c * s.h * s.w <= most_image && s.oh * s.ow * tile <= most_results;
  }
  NW_HOST_DEVICE i64 blocks() const { return s.n * tiles(); }
  NW_HOST_DEVICE void operator()(i64 at, int thread, int phase, Shared& shared) const {
    const i64 n = at / tiles();
    const int first = static_cast<int>(at % tiles()) * tile, items = k.c * k.taps() * quads,
              slices = larger(1, threads / items);
    if (phase == 0) load(n, first, thread, shared);
    if (phase == 1 && thread < items * slices)
      for (int i = thread; i < items * slices; i += threads) compute(n, first, i % items, i / items, slices, shared);
    if (phase == 1 && bias_parts) shared.of_bias[thread / tile][thread % tile] = of_lane(thread, shared);
    if (phase == 2 && slices > 1 && thread < items) join(n, first, thread, items, slices, shared);
    if (phase == 2 && bias_parts && thread < tile && first + thread < k.o)
      bias_parts[n * k.o + first + thread] = of_channel(thread, shared);
  }

 private:
  NW_HOST_DEVICE i64 tiles() const { return (s.o + tile - 1) / tile; }
  NW_HOST_DEVICE void load(i64 n, int first, int thread, Shared& shared) const {
    const bool valid = n < block->valid;
    const T *image = x + n * k.pixels() * k.c, *gradients = dy + n * k.positions() * k.o;
    load_all<threads>(
        thread, k.pixels() * k.c, [&](int i) { return valid ? static_cast<float>(image[i]) : 0.0f; },
        [&](int i, float v) { shared.x[i] = v; });
    load_all<threads>(
        thread, k.positions() * tile,
        [&](int i) {
          const int o = first + i % tile;
          return valid && o < k.o ? static_cast<float>(gradients[i / tile * k.o + o]) : 0.0f;
        },
        [&](int i, float v) { shared.dy[i] = v; });
  }
  NW_HOST_DEVICE void compute(i64 n, int first, int item, int slice, int slices, Shared& shared) const {
    // channels are innermost in x too, so that adjacent threads read adjacent numbers
    const int quad = item / (k.c * k.taps()), at = item % (k.c * k.taps()), c = at % k.c, tap = at / k.c,
              ky = tap / k.kw * k.dh - k.ph, kx = tap % k.kw * k.dw - k.pw;
    const Reached rows = reached(ky + k.ph, k.ph, k.sh, k.h, k.oh), columns = reached(kx + k.pw, k.pw, k.sw, k.w, k.ow);
    float sums[4] = {};
    const int across = columns.end - columns.begin;
    for (int oy = rows.begin + slice; across > 0 && oy < rows.end; oy += slices) {
      const float *from = shared.x + ((oy * k.sh + ky) * k.w + columns.begin * k.sw + kx) * k.c + c,
                  *by = shared.dy + (oy * k.ow + columns.begin) * tile + quad * 4;
      NW_UNROLL_BY(4)
      for (int i = 0; i < across; ++i) {
        const float v = from[i * k.sw * k.c];
        const auto four = read_pack<4>(by + i * tile);
        for (int j = 0; j < 4; ++j) sums[j] += v * four.at[j];
      }
    }
    for (int j = 0; j < 4; ++j)
      if (slices > 1)
        shared.sums[slice * k.c * k.taps() * quads + item][j] = sums[j];
      else
        store(n, first, item, j, static_cast<double>(sums[j]));
  }
  NW_HOST_DEVICE void join(i64 n, int first, int item, int items, int slices, const Shared& shared) const {
    for (int j = 0; j < 4; ++j) {
      double sum = 0;
      for (int i = 0; i < slices; ++i) sum += static_cast<double>(shared.sums[i * items + item][j]);
      store(n, first, item, j, sum);
    }
  }
  NW_HOST_DEVICE float of_lane(int thread, const Shared& shared) const {
    float sum = 0;
    for (int at = thread / tile; at < k.positions(); at += threads / tile) sum += shared.dy[at * tile + thread % tile];
    return sum;
  }
  NW_HOST_DEVICE static double of_channel(int channel, const Shared& shared) {
    double sum = 0;
    for (const auto& lane : shared.of_bias) sum += static_cast<double>(lane[channel]);
    return sum;
  }
  NW_HOST_DEVICE void store(i64 n, int first, int item, int j, double sum) const {
    const int at = item % (k.c * k.taps()), o = first + item / (k.c * k.taps()) * 4 + j;
    if (o < k.o) parts[n * s.weights() + (static_cast<i64>(o) * k.c + at % k.c) * k.taps() + at / k.c] = sum;
  }
};

}  // namespace nw::cuda
