// SPDX-License-Identifier: Apache-2.0
// The transforms of Winograd's convolution: one-dimensional ones, applied to columns and then to rows of a tile.
#include "kernels/cpu/vector/sources.hpp"
#include "kernels/cpu/vector/toom_cook.hpp"

namespace nw::cpu::NW_ISA {
namespace {

// Applies `f`, which computes `outs` numbers from `ins`, to the columns and then to the rows of a tile: get(x, column)
// reads each of `ins` columns, put(y, row) writes each of `outs` rows.
template <int ins, int outs, class Get, class Put, class F>
NW_INLINE void both_ways(Get get, Put put, F f) {
  Vec half[outs][ins];
#pragma GCC unroll 8
  for (int x = 0; x < ins; ++x) {
    Vec column[ins], made[outs];
    get(x, column);
    f(column, made);
#pragma GCC unroll 8
    for (int y = 0; y < outs; ++y) half[y][x] = made[y];
  }
#pragma GCC unroll 8
  for (int y = 0; y < outs; ++y) {
    Vec row[outs];
    f(half[y], row);
    put(y, row);
  }
}

alignas(64) constexpr float outside[lanes] = {};

// Reads size x size pixels from (row, column) on, column by column; zeros outside the image.
template <int size>
struct Pixels {
  const float* from;
  i64 stride, top, bottom, left, right;
  NW_INLINE Pixels(const float* image, i64 height, i64 width, i64 row, i64 column)
      : from(image + (row * width + column) * lanes),
        stride(width * lanes),
        top(row < 0 ? -row : 0),
        bottom(height - row),
        left(column < 0 ? -column : 0),
        right(width - column) {}
  NW_INLINE bool all_inside() const { return top == 0 && left == 0 && size <= bottom && size <= right; }
  NW_INLINE void inner_column(int x, Vec* d) const {
#pragma GCC unroll 8
    for (int y = 0; y < size; ++y) d[y] = load(from + y * stride + x * lanes);
  }
  NW_INLINE void column(int x, Vec* d) const {
#pragma GCC unroll 8
    for (int y = 0; y < size; ++y) {
      const bool inside = (y >= top) & (y < bottom) & (x >= left) & (x < right);
      d[y] = load(inside ? from + y * stride + x * lanes : outside);
    }
  }
};

template <int m, int n, int size, class F>
NW_INLINE void transform_tiles(const TileRow& r, const float* image, float* to, F f) {
  for (i64 c = 0; c < r.channels; ++c)
    for (i64 t = 0; t < r.tiles; ++t)
      for (int lane = 0; lane < lanes; lane += width) {
        const Pixels<size> d(image + c * r.height * r.width * lanes + lane, r.height, r.width, r.row, r.column + t * m);
        float* const at = to + c * r.channel + t * r.tile + lane;
        const auto put = [&](int y, const Vec* v) NW_INLINE_LAMBDA {
#pragma GCC unroll 8
          for (int x = 0; x < n; ++x) store(at + (y * n + x) * r.frequency, v[x]);
        };
        if (d.all_inside())
          both_ways<size, n>([&](int x, Vec* v) NW_INLINE_LAMBDA { d.inner_column(x, v); }, put, f);
        else
          both_ways<size, n>([&](int x, Vec* v) NW_INLINE_LAMBDA { d.column(x, v); }, put, f);
      }
}

template <class Form>
void image_to_frequencies(const TileRow& r, const float* image, float* to) {
  transform_tiles<Form::m, Form::n, Form::n>(
      r, image, to, [](const Vec* d, Vec* v) NW_INLINE_LAMBDA { times<Form::scheme::data, Form::n, Form::n>(d, v); });
}

template <class Form>
void gradient_to_frequencies(const TileRow& r, const float* dy, float* to) {
  transform_tiles<Form::m, Form::n, Form::m>(
      r, dy, to, [](const Vec* d, Vec* v) NW_INLINE_LAMBDA { times<Form::scheme::result, Form::n, Form::m>(d, v); });
}

template <class Form>
void frequencies_to_image(const TileRow& r, const float* from, const TileEnding& ending, float* image) {
  constexpr int m = Form::m, n = Form::n;
  const i64 rows = r.height - r.row < m ? r.height - r.row : m;
  for (i64 c = 0; c < r.channels; ++c)
    for (i64 t = 0; t < r.tiles; ++t)
      for (int lane = 0; lane < lanes; lane += width) {
        const float* const at = from + c * r.channel + t * r.tile + lane;
        const i64 column = r.column + t * m, columns = r.width - column < m ? r.width - column : m;
        const Vec bias = all(ending.bias ? ending.bias[c] : 0.0f);
        const auto get = [&](int x, Vec* v) NW_INLINE_LAMBDA {
#pragma GCC unroll 8
          for (int y = 0; y < n; ++y) v[y] = load(at + (y * n + x) * r.frequency);
        };
        const auto put = [&](int y, const Vec* d) NW_INLINE_LAMBDA {
          if (y >= rows) return;
          const i64 to = ((c * r.height + r.row + y) * r.width + column) * lanes + lane;
#pragma GCC unroll 8
          for (int x = 0; x < m; ++x) {
            if (x >= columns) return;
            Vec p = d[x] + bias;
            if (ending.relu) p = p <= 0.0f ? Vec{} : p;
            if (ending.gate) p = load(ending.gate + to + x * lanes) <= 0.0f ? Vec{} : p;
            store(image + to + x * lanes, p);
          }
        };
        both_ways<n, m>(get, put, [](const Vec* v, Vec* y) NW_INLINE_LAMBDA {
          transposed_times<Form::scheme::result, n, m>(v, y);
        });
      }
}

// `width` inputs at a time; the taps of an input are adjacent and are first sorted by tap.
template <class Form>
void weights_to_frequencies(const TapWeights& w, i64 first, i64 last, float* u) {
  constexpr int n = Form::n, r = Form::r;
  for (i64 o = first; o < last; ++o)
    for (i64 i = 0; i < w.ins; i += width) {
      const int count = static_cast<int>(w.ins - i < width ? w.ins - i : width);
      float tap[r * r][width] = {};
      for (int j = 0; j < count; ++j)
        for (int t = 0; t < r * r; ++t) tap[w.turned ? r * r - 1 - t : t][j] = w.w[o * w.w_out + (i + j) * w.w_in + t];
      const auto get = [&](int x, Vec* g) NW_INLINE_LAMBDA {
#pragma GCC unroll 8
        for (int y = 0; y < r; ++y) g[y] = load(tap[y * r + x]);
      };
      const auto put = [&](int y, const Vec* v) NW_INLINE_LAMBDA {
        for (int x = 0; x < n; ++x) {
          float* const to = u + ((y * n + x) * w.outs + o) * w.ins + i;
          if (count == width)
            store(to, v[x]);
          else
            for (int j = 0; j < count; ++j) to[j] = v[x][j];
        }
      };
      both_ways<r, n>(get, put,
                      [](const Vec* g, Vec* v) NW_INLINE_LAMBDA { times<Form::scheme::weights, n, r>(g, v); });
    }
}

template <class Form>
void frequencies_to_weights(const float* du, i64 first, i64 last, i64 outs, i64 ins, float* dw) {
  constexpr int n = Form::n, r = Form::r;
  for (i64 o = first; o < last; ++o)
    for (i64 i = 0; i < ins; i += width) {
      const int count = static_cast<int>(ins - i < width ? ins - i : width);
      const auto get = [&](int x, Vec* v) NW_INLINE_LAMBDA {
        for (int y = 0; y < n; ++y) {
          const float* const from = du + ((y * n + x) * outs + o) * ins + i;
          v[y] = Vec{};
          if (count == width)
            v[y] = load(from);
          else
            for (int j = 0; j < count; ++j) v[y][j] = from[j];
        }
      };
      const auto put = [&](int y, const Vec* g) NW_INLINE_LAMBDA {
        for (int j = 0; j < count; ++j)
          for (int x = 0; x < r; ++x) dw[(o * ins + i + j) * r * r + y * r + x] = g[x][j];
      };
      both_ways<n, r>(
          get, put, [](const Vec* v, Vec* g) NW_INLINE_LAMBDA { transposed_times<Form::scheme::weights, n, r>(v, g); });
    }
}

template <int outputs, int taps>
struct Form {
  using scheme = ToomCook<outputs, taps>;
  static constexpr int m = outputs, r = taps, n = scheme::n;
  static constexpr WinogradKernels kernels{m,
                                           r,
                                           image_to_frequencies<Form>,
                                           gradient_to_frequencies<Form>,
                                           frequencies_to_image<Form>,
                                           weights_to_frequencies<Form>,
                                           frequencies_to_weights<Form>};
};

}  // namespace

constinit const WinogradForms winograd{&Form<2, 3>::kernels, &Form<4, 3>::kernels, &Form<4, 5>::kernels};

}  // namespace nw::cpu::NW_ISA
