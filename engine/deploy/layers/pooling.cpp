// SPDX-License-Identifier: Apache-2.0
// Poolings. A window at the border ends there.
#include <fmt/format.h>

#include <cmath>

#include "engine/deploy/layers/windows.hpp"

namespace nw {
namespace deploy {
namespace {

constexpr std::string_view geometry_text = R"C(
/* A pooling: sizes of the image and of the output, the window, its steps and the padding at top and left. */
typedef struct {
  int height, width, channels, rows, columns, window_y, window_x, step_y, step_x, top, left;
} nw_pool;
#define NW_WINDOW(g, row, column)                                                  \
  int y0 = (row) * (g)->step_y - (g)->top, x0 = (column) * (g)->step_x - (g)->left; \
  int y1 = y0 + (g)->window_y, x1 = x0 + (g)->window_x;                             \
  y1 = y1 < (g)->height ? y1 : (g)->height;                                         \
  x1 = x1 < (g)->width ? x1 : (g)->width;                                           \
  y0 = y0 > 0 ? y0 : 0;                                                             \
  x0 = x0 > 0 ? x0 : 0;
)C";

constexpr std::string_view max_text = R"C(
NW_KERNEL void nw_max_pool(const nw_windows *c, const float *x, float *y) {
  const int n = c->run;
  int row, column, ky, kx, k;
  for (row = 0; row < c->rows; ++row)
    for (column = 0; column < c->columns; ++column, y += n) {
      const float *first = x + row * c->step_y + column * c->step_x;
      k = 0;
#if NW_LANES > 1
      NW_SHORT_LOOP
      for (; k + NW_LANES <= n; k += NW_LANES) {
        nw_v most = NW_AT(first + k);
        NW_SHORT_LOOP
        for (ky = 0; ky < c->taps_y; ++ky) {
          NW_SHORT_LOOP
          for (kx = 0; kx < c->taps_x; ++kx) most = nw_larger(most, NW_AT(first + ky * c->tap_y + kx * n + k));
        }
        NW_AT(y + k) = most;
      }
#endif
      NW_SHORT_LOOP
      for (; k < n; ++k) {
        float most = first[k];
        NW_SHORT_LOOP
        for (ky = 0; ky < c->taps_y; ++ky) {
          NW_SHORT_LOOP
          for (kx = 0; kx < c->taps_x; ++kx) {
            const float v = first[ky * c->tap_y + kx * n + k];
            most = v > most ? v : most;
          }
        }
        y[k] = most;
      }
    }
}
)C";

constexpr std::string_view average_text = R"C(
/* `all`: what the sum is divided by; 0: the places of the window that lie in the image. */
NW_KERNEL void nw_average_pool(const nw_pool *g, int all, const float *x, float *y) {
  const int n = g->channels;
  int row, column, i, j, k;
  for (row = 0; row < g->rows; ++row)
    for (column = 0; column < g->columns; ++column, y += n) {
      NW_WINDOW(g, row, column)
      const float share = 1.0f / (float)(all > 0 ? all : (y1 - y0) * (x1 - x0));
      for (k = 0; k < n; ++k) y[k] = 0.0f;
      for (i = y0; i < y1; ++i)
        for (j = x0; j < x1; ++j) {
          const float *from = x + ((ptrdiff_t)i * g->width + j) * n;
          for (k = 0; k < n; ++k) y[k] += from[k];
        }
      for (k = 0; k < n; ++k) y[k] *= share;
    }
}
)C";

constexpr std::string_view adaptive_text = R"C(
NW_KERNEL void nw_adaptive_pool(const float *x, float *y, int height, int width, int n, int rows, int columns) {
  int row, column, i, j, k;
  for (row = 0; row < rows; ++row)
    for (column = 0; column < columns; ++column, y += n) {
      const int y0 = row * height / rows, y1 = ((row + 1) * height + rows - 1) / rows;
      const int x0 = column * width / columns, x1 = ((column + 1) * width + columns - 1) / columns;
      const float share = 1.0f / (float)((y1 - y0) * (x1 - x0));
      for (k = 0; k < n; ++k) y[k] = 0.0f;
      for (i = y0; i < y1; ++i)
        for (j = x0; j < x1; ++j) {
          const float *from = x + ((ptrdiff_t)i * width + j) * n;
          for (k = 0; k < n; ++k) y[k] += from[k];
        }
      for (k = 0; k < n; ++k) y[k] *= share;
    }
}
)C";

void declare(CWriter& w, std::pair<std::int64_t, std::int64_t> window, std::pair<std::int64_t, std::int64_t> stride,
             std::pair<std::int64_t, std::int64_t> padding) {
  w.call(fmt::format("static const nw_pool g = {{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}};", w.in()[2], w.in()[3],
                     w.in()[1], w.out()[2], w.out()[3], window.first, window.second, stride.first, stride.second,
                     padding.first, padding.second));
}

using Pair = std::pair<std::int64_t, std::int64_t>;

/// Padding is smaller than everything.
void max_pool(CWriter& w, Pair window, Pair stride, Pair padding) {
  const std::int64_t channels = w.in()[1], row = (w.in()[3] + 2 * padding.second) * channels;
  const bool vector = w.out().rank() != 4;
  w.needs("nw_max_pool");
  const std::string x = padding == Pair{0, 0} ? "{0}" : padded(w, padding, -INFINITY);
  w.call(declared({.rows = vector ? 1 : w.out()[2],
                   .columns = vector ? 1 : w.out()[3],
                   .step_x = stride.second * channels,
                   .step_y = stride.first * row,
                   .taps_y = window.first,
                   .tap_y = row,
                   .taps_x = window.second,
                   .tap_x = channels,
                   .run = channels,
                   .out = channels}));
  w.call(fmt::format("nw_max_pool(&c, {}, {{out}});", x));
}

void write_max(CWriter& w) {
  const Attrs& a = w.attrs();
  max_pool(w, a.pair("kernel_size"), a.pair("stride"), a.pair("padding"));
}

void write_global_max(CWriter& w) { max_pool(w, {w.in()[2], w.in()[3]}, {1, 1}, {0, 0}); }

void write_average(CWriter& w) {
  const Attrs& a = w.attrs();
  const auto [kh, kw] = a.pair("kernel_size");
  w.needs("nw_average_pool");
  declare(w, {kh, kw}, a.pair("stride"), a.pair("padding"));
  w.call(fmt::format("nw_average_pool(&g, {}, {{0}}, {{out}});", a.boolean("count_include_pad") ? kh * kw : 0));
}

void write_adaptive(CWriter& w) {
  const std::int64_t rows = w.out().rank() == 4 ? w.out()[2] : 1, columns = w.out().rank() == 4 ? w.out()[3] : 1;
  w.needs("nw_adaptive_pool");
  w.call(fmt::format("nw_adaptive_pool({{0}}, {{out}}, {}, {}, {}, {}, {});", w.in()[2], w.in()[3], w.in()[1], rows,
                     columns));
}

}  // namespace
}  // namespace deploy

extern const deploy::CLayerFile pooling_c_layers;
const deploy::CLayerFile pooling_c_layers{{{"MaxPool2d", deploy::write_max},
                                           {"GlobalMaxPool2d", deploy::write_global_max},
                                           {"AvgPool2d", deploy::write_average},
                                           {"AdaptiveAvgPool2d", deploy::write_adaptive},
                                           {"GlobalAvgPool2d", deploy::write_adaptive}},
                                          {{"nw_pool", std::string(deploy::geometry_text)},
                                           {"nw_max_pool", std::string(deploy::max_text), {"nw_windows", "nw_larger"}},
                                           {"nw_average_pool", std::string(deploy::average_text), {"nw_pool"}},
                                           {"nw_adaptive_pool", std::string(deploy::adaptive_text)}}};

}  // namespace nw
