// SPDX-License-Identifier: Apache-2.0
// The transforms of Winograd's convolution: one-dimensional ones, applied to columns and then to rows of a tile in registers.
#include "kernels/cpu/vector/simd.hpp"
#include "kernels/cpu/vector/sources.hpp"

namespace nw::cpu::NW_ISA {
namespace {

// Of one dimension, between points 0, 1, -1 (2, -2) and infinity. data: B^T, result: A^T, spread: A, weights: G, taps: G^T.
template <int m>
struct Transform;

template <>
struct Transform<2> {
  static NW_INLINE void data(const Vec* d, Vec* v) {
    v[0] = d[0] - d[2];
    v[1] = d[1] + d[2];
    v[2] = d[2] - d[1];
    v[3] = d[1] - d[3];
  }
  static NW_INLINE void result(const Vec* v, Vec* y) {
    y[0] = v[0] + v[1] + v[2];
    y[1] = v[1] - v[2] - v[3];
  }
  static NW_INLINE void spread(const Vec* y, Vec* v) {
    v[0] = y[0];
    v[1] = y[0] + y[1];
    v[2] = y[0] - y[1];
    v[3] = -y[1];
  }
  static NW_INLINE void weights(const Vec* g, Vec* u) {
    const Vec even = 0.5f * (g[0] + g[2]), odd = 0.5f * g[1];
    u[0] = g[0];
    u[1] = even + odd;
    u[2] = even - odd;
    u[3] = g[2];
  }
  static NW_INLINE void taps(const Vec* u, Vec* g) {
    const Vec half = 0.5f * (u[1] + u[2]);
    g[0] = u[0] + half;
    g[1] = 0.5f * (u[1] - u[2]);
    g[2] = half + u[3];
  }
};

template <>
struct Transform<4> {
  static NW_INLINE void data(const Vec* d, Vec* v) {
    const Vec a = d[4] - 4.0f * d[2], b = d[3] - 4.0f * d[1], c = d[4] - d[2], e = 2.0f * (d[3] - d[1]);
    v[0] = 4.0f * d[0] - 5.0f * d[2] + d[4];
    v[1] = a + b;
    v[2] = a - b;
    v[3] = c + e;
    v[4] = c - e;
    v[5] = 4.0f * d[1] - 5.0f * d[3] + d[5];
  }
  static NW_INLINE void result(const Vec* v, Vec* y) {
    const Vec s = v[1] + v[2], d = v[1] - v[2], s2 = v[3] + v[4], d2 = v[3] - v[4];
    y[0] = v[0] + s + s2;
    y[1] = d + 2.0f * d2;
    y[2] = s + 4.0f * s2;
    y[3] = d + 8.0f * d2 + v[5];
  }
  static NW_INLINE void spread(const Vec* y, Vec* v) {
    const Vec even = y[0] + y[2], odd = y[1] + y[3], even2 = y[0] + 4.0f * y[2], odd2 = 2.0f * y[1] + 8.0f * y[3];
    v[0] = y[0];
    v[1] = even + odd;
    v[2] = even - odd;
    v[3] = even2 + odd2;
    v[4] = even2 - odd2;
    v[5] = y[3];
  }
  static NW_INLINE void weights(const Vec* g, Vec* u) {
    const Vec even = (-1.0f / 6) * (g[0] + g[2]), odd = (1.0f / 6) * g[1], even2 = (1.0f / 24) * g[0] + (1.0f / 6) * g[2], odd2 = (1.0f / 12) * g[1];
    u[0] = 0.25f * g[0];
    u[1] = even - odd;
    u[2] = even + odd;
    u[3] = even2 + odd2;
    u[4] = even2 - odd2;
    u[5] = g[2];
  }
  static NW_INLINE void taps(const Vec* u, Vec* g) {
    const Vec s = (-1.0f / 6) * (u[1] + u[2]), s2 = u[3] + u[4];
    g[0] = 0.25f * u[0] + s + (1.0f / 24) * s2;
    g[1] = (1.0f / 6) * (u[2] - u[1]) + (1.0f / 12) * (u[3] - u[4]);
    g[2] = s + (1.0f / 6) * s2 + u[5];
  }
};

// from[ins][ins] -> to[outs][outs], with one function for columns and rows.
template <int ins, int outs, class F>
NW_INLINE void both_ways(const Vec (&from)[ins][ins], Vec (&to)[outs][outs], F f) {
  Vec half[outs][ins];
#pragma GCC unroll 8
  for (int x = 0; x < ins; ++x) {
    Vec column[ins], made[outs];
#pragma GCC unroll 8
    for (int y = 0; y < ins; ++y) column[y] = from[y][x];
    f(column, made);
#pragma GCC unroll 8
    for (int y = 0; y < outs; ++y) half[y][x] = made[y];
  }
#pragma GCC unroll 8
  for (int y = 0; y < outs; ++y) f(half[y], to[y]);
}

alignas(64) constexpr float outside[lanes] = {};

// size x size pixels from (row, column) on; outside the image: zero.
template <int size>
NW_INLINE void load_pixels(const float* image, i64 height, i64 width, i64 row, i64 column, Vec (&d)[size][size]) {
  const float* from = image + (row * width + column) * lanes;
  if (row >= 0 && column >= 0 && row + size <= height && column + size <= width) {
#pragma GCC unroll 8
    for (int y = 0; y < size; ++y)
#pragma GCC unroll 8
      for (int x = 0; x < size; ++x) d[y][x] = load(from + (y * width + x) * lanes);
    return;
  }
  const i64 top = row < 0 ? -row : 0, bottom = height - row, left = column < 0 ? -column : 0, right = width - column;
#pragma GCC unroll 8
  for (int y = 0; y < size; ++y)
#pragma GCC unroll 8
    for (int x = 0; x < size; ++x) {
      const bool inside = (y >= top) & (y < bottom) & (x >= left) & (x < right);
      d[y][x] = load(inside ? from + (y * width + x) * lanes : outside);
    }
}

template <int n>
NW_INLINE void store_frequencies(const Vec (&v)[n][n], i64 frequency, float* to) {
#pragma GCC unroll 8
  for (int y = 0; y < n; ++y)
#pragma GCC unroll 8
    for (int x = 0; x < n; ++x) store(to + (y * n + x) * frequency, v[y][x]);
}

template <int m, int size, class F>
NW_INLINE void transform_tiles(const TileRow& r, const float* image, float* to, F f) {
  for (i64 c = 0; c < r.channels; ++c)
    for (i64 t = 0; t < r.tiles; ++t)
      for (int lane = 0; lane < lanes; lane += width) {
        Vec d[size][size], v[m + 2][m + 2];
        load_pixels(image + c * r.height * r.width * lanes + lane, r.height, r.width, r.row, r.column + t * m, d);
        both_ways(d, v, f);
        store_frequencies(v, r.frequency, to + c * r.channel + t * r.tile + lane);
      }
}

template <int m>
void image_to_frequencies(const TileRow& r, const float* image, float* to) {
  transform_tiles<m, m + 2>(r, image, to, [](const Vec* d, Vec* v) NW_INLINE_LAMBDA { Transform<m>::data(d, v); });
}

template <int m>
void gradient_to_frequencies(const TileRow& r, const float* dy, float* to) {
  transform_tiles<m, m>(r, dy, to, [](const Vec* d, Vec* v) NW_INLINE_LAMBDA { Transform<m>::spread(d, v); });
}

template <int m>
void frequencies_to_image(const TileRow& r, const float* from, const TileEnding& ending, float* image) {
  constexpr int n = m + 2;
  const i64 rows = r.height - r.row < m ? r.height - r.row : m;
  for (i64 c = 0; c < r.channels; ++c)
    for (i64 t = 0; t < r.tiles; ++t)
      for (int lane = 0; lane < lanes; lane += width) {
        Vec v[n][n], d[m][m];
        const float* at = from + c * r.channel + t * r.tile + lane;
#pragma GCC unroll 8
        for (int y = 0; y < n; ++y)
#pragma GCC unroll 8
          for (int x = 0; x < n; ++x) v[y][x] = load(at + (y * n + x) * r.frequency);
        both_ways(v, d, [](const Vec* a, Vec* b) NW_INLINE_LAMBDA { Transform<m>::result(a, b); });
        const i64 column = r.column + t * m, columns = r.width - column < m ? r.width - column : m;
        const Vec bias = all(ending.bias ? ending.bias[c] : 0.0f);
        for (i64 y = 0; y < rows; ++y)
          for (i64 x = 0; x < columns; ++x) {
            const i64 to = ((c * r.height + r.row + y) * r.width + column + x) * lanes + lane;
            Vec p = d[y][x] + bias;
            if (ending.relu) p = p <= 0.0f ? Vec{} : p;
            if (ending.gate) p = load(ending.gate + to) <= 0.0f ? Vec{} : p;
            store(image + to, p);
          }
      }
}

// `width` inputs at a time; their nine taps follow one another and are sorted by tap first.
template <int m>
void weights_to_frequencies(const TapWeights& w, i64 first, i64 last, float* u) {
  constexpr int n = m + 2;
  for (i64 o = first; o < last; ++o)
    for (i64 i = 0; i < w.ins; i += width) {
      const int count = static_cast<int>(w.ins - i < width ? w.ins - i : width);
      float tap[9][width] = {};
      for (int j = 0; j < count; ++j)
        for (int t = 0; t < 9; ++t) tap[w.turned ? 8 - t : t][j] = w.w[o * w.w_out + (i + j) * w.w_in + t];
      Vec g[3][3], v[n][n];
      for (int t = 0; t < 9; ++t) g[t / 3][t % 3] = load(tap[t]);
      both_ways(g, v, [](const Vec* a, Vec* b) NW_INLINE_LAMBDA { Transform<m>::weights(a, b); });
      for (int f = 0; f < n * n; ++f) {
        float* to = u + (f * w.outs + o) * w.ins + i;
        if (count == width) store(to, v[f / n][f % n]);
        else
          for (int j = 0; j < count; ++j) to[j] = v[f / n][f % n][j];
      }
    }
}

template <int m>
void frequencies_to_weights(const float* du, i64 first, i64 last, i64 outs, i64 ins, float* dw) {
  constexpr int n = m + 2;
  for (i64 o = first; o < last; ++o)
    for (i64 i = 0; i < ins; i += width) {
      const int count = static_cast<int>(ins - i < width ? ins - i : width);
      Vec v[n][n], g[3][3];
      for (int f = 0; f < n * n; ++f) {
        const float* from = du + (f * outs + o) * ins + i;
        Vec part{};
        if (count == width) part = load(from);
        else
          for (int j = 0; j < count; ++j) part[j] = from[j];
        v[f / n][f % n] = part;
      }
      both_ways(v, g, [](const Vec* a, Vec* b) NW_INLINE_LAMBDA { Transform<m>::taps(a, b); });
      for (int j = 0; j < count; ++j)
        for (int t = 0; t < 9; ++t) dw[(o * ins + i + j) * 9 + t] = g[t / 3][t % 3][j];
    }
}

template <int m>
constexpr WinogradKernels kernels_of{m, image_to_frequencies<m>, gradient_to_frequencies<m>, frequencies_to_image<m>, weights_to_frequencies<m>,
                                     frequencies_to_weights<m>};

}  // namespace

constinit const WinogradKernels winograd2 = kernels_of<2>, winograd4 = kernels_of<4>;

}  // namespace nw::cpu::NW_ISA
