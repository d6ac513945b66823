// SPDX-License-Identifier: Apache-2.0
// Layers that move numbers, and those that blend neighbours (Upsample, ConvTranspose2d).
#include <fmt/format.h>

#include "engine/deploy/layers/c_layer.hpp"

namespace nw {
namespace deploy {
namespace {

constexpr std::string_view permute_text = R"C(
/* The numbers of three dimensions, the last first; sizes of the output and where its neighbours lie in the input. */
NW_KERNEL void nw_permute(const float *x, float *y, int n0, int n1, int n2, int s0, int s1, int s2) {
  int i, j, k;
  for (i = 0; i < n0; ++i)
    for (j = 0; j < n1; ++j)
      for (k = 0; k < n2; ++k) *y++ = x[(ptrdiff_t)i * s0 + (ptrdiff_t)j * s1 + (ptrdiff_t)k * s2];
}
)C";

constexpr std::string_view upsample_text = R"C(
NW_KERNEL void nw_nearest(const float *x, float *y, int height, int width, int n, int by_y, int by_x) {
  int i, j;
  for (i = 0; i < height * by_y; ++i)
    for (j = 0; j < width * by_x; ++j, y += n)
      memcpy(y, x + ((ptrdiff_t)(i / by_y) * width + j / by_x) * n, sizeof(float) * (size_t)n);
}
)C";

constexpr std::string_view bilinear_text = R"C(
/* Where the output's place `i` lies among `n` places: the first of two neighbours and the second's share. */
static int nw_between(int i, int by, int n, float *share) {
  const float at = ((float)i + 0.5f) / (float)by - 0.5f;
  int first = at > 0.0f ? (int)at : 0;
  if (first > n - 1) first = n - 1;
  *share = at > 0.0f ? at - (float)first : 0.0f;
  return first;
}
NW_KERNEL void nw_bilinear(const float *x, float *y, int height, int width, int n, int by_y, int by_x) {
  int i, j, k;
  for (i = 0; i < height * by_y; ++i)
    for (j = 0; j < width * by_x; ++j, y += n) {
      float v, u;
      const int y0 = nw_between(i, by_y, height, &v), x0 = nw_between(j, by_x, width, &u);
      const int y1 = y0 + 1 < height ? y0 + 1 : y0, x1 = x0 + 1 < width ? x0 + 1 : x0;
      const float *a = x + ((ptrdiff_t)y0 * width + x0) * n, *b = x + ((ptrdiff_t)y0 * width + x1) * n;
      const float *c = x + ((ptrdiff_t)y1 * width + x0) * n, *d = x + ((ptrdiff_t)y1 * width + x1) * n;
      for (k = 0; k < n; ++k)
        y[k] = (1.0f - v) * ((1.0f - u) * a[k] + u * b[k]) + v * ((1.0f - u) * c[k] + u * d[k]);
    }
}
)C";

constexpr std::string_view transposed_text = R"C(
/* A transposed convolution. `w`: the biases, then for each place of the window and each input its group's outputs. */
typedef struct {
  int height, width, in, rows, columns, out, window_y, window_x, step_y, step_x, top, left, apart_y, apart_x, groups;
} nw_spread;
NW_KERNEL void nw_spread_out(const nw_spread *g, const float *x, const float *w, float *y) {
  const int each = g->out / g->groups, inputs = g->in / g->groups;
  int i, j, ky, kx, c, k;
  for (i = 0; i < g->rows * g->columns; ++i) memcpy(y + (ptrdiff_t)i * g->out, w, sizeof(float) * (size_t)g->out);
  for (i = 0; i < g->height; ++i)
    for (j = 0; j < g->width; ++j)
      for (ky = 0; ky < g->window_y; ++ky)
        for (kx = 0; kx < g->window_x; ++kx) {
          const int row = i * g->step_y + ky * g->apart_y - g->top, column = j * g->step_x + kx * g->apart_x - g->left;
          const float *from = x + ((ptrdiff_t)i * g->width + j) * g->in;
          const float *q = w + g->out + (ptrdiff_t)(ky * g->window_x + kx) * g->in * each;
          if (row < 0 || column < 0 || row >= g->rows || column >= g->columns) continue;
          for (c = 0; c < g->in; ++c, q += each) {
            float *to = y + ((ptrdiff_t)row * g->columns + column) * g->out + c / inputs * each;
            for (k = 0; k < each; ++k) to[k] += from[c] * q[k];
          }
        }
}
)C";

/// The numbers as they lie in memory become those of (C,H,W), or the other way round.
void permute(CWriter& w, const std::string& from, const std::string& to, std::int64_t n0, std::int64_t n1,
             std::int64_t n2, std::int64_t s0, std::int64_t s1, std::int64_t s2) {
  w.needs("nw_permute");
  w.call(fmt::format("nw_permute({}, {}, {}, {}, {}, {}, {}, {});", from, to, n0, n1, n2, s0, s1, s2));
}

void to_planes(CWriter& w, const Shape& s, const std::string& from, const std::string& to) {
  permute(w, from, to, s[1], s[2], s[3], 1, s[3] * s[1], s[1]);
}

void to_pixels(CWriter& w, const Shape& s, const std::string& from, const std::string& to) {
  permute(w, from, to, s[2], s[3], s[1], s[3], 1, s[2] * s[3]);
}

/// One order is the other: a vector, one channel, or one pixel.
bool ordered(const Shape& s) { return s.rank() != 4 || s[1] == 1 || s[2] * s[3] == 1; }

void write_flatten(CWriter& w) {
  if (ordered(w.in()) || w.any_order()) return w.same();
  to_planes(w, w.in(), "{0}", "{out}");
}

void write_reshape(CWriter& w) {
  const Shape &in = w.in(), &out = w.out();
  if (in == out || (ordered(in) && ordered(out))) return w.same();
  if (ordered(out)) return to_planes(w, in, "{0}", "{out}");
  if (ordered(in)) return to_pixels(w, out, "{0}", "{out}");
  const std::string planes = w.scratch(in.per_sample());
  to_planes(w, in, "{0}", planes);
  to_pixels(w, out, planes, "{out}");
}

void write_transpose(CWriter& w) {
  const Shape& s = w.in();
  std::int64_t steps[] = {0, 1, s[3] * s[1], s[1]};  // of C, H, W
  std::swap(steps[w.attrs().integer("dim0")], steps[w.attrs().integer("dim1")]);
  permute(w, "{0}", "{out}", w.out()[2], w.out()[3], w.out()[1], steps[2], steps[3], steps[1]);
}

void write_shuffle(CWriter& w) {
  const std::int64_t groups = w.attrs().integer("groups"), channels = w.in()[1], each = channels / groups;
  permute(w, "{0}", "{out}", pixels_of(w.in()), each, groups, channels, 1, each);
}

void write_slice(CWriter& w) {
  const std::string dim = w.attrs().choice("dim");
  const std::int64_t start = w.attrs().integer("start"), channels = w.in()[1];
  w.needs("nw_copy");
  if (dim == "channels")
    return w.call(fmt::format("nw_copy({{0}} + {}, {{out}}, {}, {}, {}, {});", start, pixels_of(w.in()), w.out()[1],
                              channels, w.out()[1]));
  const std::int64_t row = w.in()[3] * channels, wide = w.out()[3] * channels;
  w.call(fmt::format("nw_copy({{0}} + {}, {{out}}, {}, {}, {}, {});", start * (dim == "rows" ? row : channels),
                     w.out()[2], wide, row, wide));
}

void write_zero_pad(CWriter& w) {
  const std::int64_t channels = w.in()[1];
  w.needs("nw_pad");
  w.call(fmt::format("nw_pad({{0}}, {{out}}, {}, {}, {}, {}, {}, {}, 0.0f);", w.in()[2], w.in()[3] * channels,
                     w.attrs().integer("padding_top"), w.attrs().integer("padding_left") * channels, w.out()[2],
                     w.out()[3] * channels));
}

void write_upsample(CWriter& w) {
  const auto [by_y, by_x] = w.attrs().pair("scale_factor");
  const char* name = w.attrs().choice("mode") == "bilinear" ? "nw_bilinear" : "nw_nearest";
  w.needs(name);
  w.call(fmt::format("{}({{0}}, {{out}}, {}, {}, {}, {}, {});", name, w.in()[2], w.in()[3], w.in()[1], by_y, by_x));
}

void write_transposed(CWriter& w) {
  const Attrs& a = w.attrs();
  const auto [kh, kw] = a.pair("kernel_size");
  const std::int64_t in = w.in()[1], out = w.out()[1], groups = a.integer("groups"), each = out / groups;
  const std::vector<float> weight = w.weight("weight");
  std::vector<float> all = w.weight("bias");
  all.resize(static_cast<std::size_t>(out));
  for (std::int64_t k = 0; k < kh * kw; ++k)
    for (std::int64_t c = 0; c < in; ++c)
      for (std::int64_t o = 0; o < each; ++o)
        all.push_back(weight[static_cast<std::size_t>((c * each + o) * kh * kw + k)]);
  w.needs("nw_spread_out");
  w.call(fmt::format("static const nw_spread g = {{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}};",
                     w.in()[2], w.in()[3], in, w.out()[2], w.out()[3], out, kh, kw, a.pair("stride").first,
                     a.pair("stride").second, a.pair("padding").first, a.pair("padding").second,
                     a.pair("dilation").first, a.pair("dilation").second, groups));
  w.call(fmt::format("nw_spread_out(&g, {{0}}, {}, {{out}});", w.constants(all)));
}

}  // namespace
}  // namespace deploy

extern const deploy::CLayerFile rearranging_c_layers;
const deploy::CLayerFile rearranging_c_layers{{{"Flatten", deploy::write_flatten},
                                               {"Reshape", deploy::write_reshape},
                                               {"Transpose", deploy::write_transpose},
                                               {"ChannelShuffle", deploy::write_shuffle},
                                               {"Slice", deploy::write_slice},
                                               {"ZeroPad2d", deploy::write_zero_pad},
                                               {"Upsample", deploy::write_upsample},
                                               {"ConvTranspose2d", deploy::write_transposed}},
                                              {{"nw_permute", std::string(deploy::permute_text)},
                                               {"nw_nearest", std::string(deploy::upsample_text)},
                                               {"nw_bilinear", std::string(deploy::bilinear_text)},
                                               {"nw_spread_out", std::string(deploy::transposed_text)}}};

}  // namespace nw
