// SPDX-License-Identifier: Apache-2.0
// Convolutions. Their channels lie in blocks of 16, 8 and 4: a block's sums for several pixels stay in registers while
// the window's numbers are read once. Padding is a copy with zeros around. With one channel a group, each is a sum over
// its own window; with other groups, plain loops.
#include <fmt/format.h>

#include <algorithm>

#include "engine/deploy/layers/windows.hpp"

namespace nw {
namespace deploy {
namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;

struct Geometry {
  std::int64_t in, height, width, out, rows, columns, groups;  // channels and sizes
  Pair kernel, stride{1, 1}, padding{0, 0}, dilation{1, 1};
};

Geometry geometry_of(const CWriter& w) {
  const Attrs& a = w.attrs();
  return {w.in()[1],        w.in()[2],         w.in()[3],           w.out()[1],
          w.out()[2],       w.out()[3],        a.integer("groups"), a.pair("kernel_size"),
          a.pair("stride"), a.pair("padding"), a.pair("dilation")};
}

// `w`: the biases of the block's `n` channels, then their numbers for each input of the window. A block reads and
// stores as many as it is wide; what it stores too much is written again by the next pixel or the next block.
constexpr std::string_view tile_text = R"C(
#if NW_LANES == 1
NW_KERNEL void nw_conv(const nw_windows *c, const float *x, const float *w, int n, float *y) {
  int row, column, o, ky, kx, k;
  for (row = 0; row < c->rows; ++row)
    for (column = 0; column < c->columns; ++column, y += c->out)
      for (o = 0; o < n; ++o) {
        const float *q = w + o;
        float sum = *q;
        for (ky = 0; ky < c->taps_y; ++ky)
          for (kx = 0; kx < c->taps_x; ++kx) {
            const float *at = x + row * c->step_y + column * c->step_x + ky * c->tap_y + kx * c->tap_x;
            for (k = 0; k < c->run; ++k) sum += at[k] * *(q += n);
          }
        y[o] = nw_limit(sum, c->least, c->most);
      }
}
#define nw_conv16 nw_conv
#define nw_conv8 nw_conv
#define nw_conv4 nw_conv
#endif
#if NW_LANES == 16 /* one vector is as fast as a half of it */
#define nw_conv8 nw_conv16
#define nw_conv4 nw_conv16
#endif
/* One block of channels, NW_PIXELS pixels at a time. Where no pixel is left, the last one is computed again. */
#define NW_PIXEL(i)                    \
  const float *x##i = x;               \
  float *y##i = y;                     \
  NW_BLOCK a##i = bias;                \
  if (left > 1) {                      \
    --left;                            \
    x += c->step_x;                    \
    y += c->out;                       \
    if (++column == c->columns) {      \
      column = 0;                      \
      x = line += c->step_y;           \
    }                                  \
  }
#define NW_ADD(i) a##i = NW_BLOCK_ADD(a##i, x##i[at + k], v);
#define NW_STORE(i) NW_BLOCK_STORE(y##i, a##i, c->least, c->most);
)C";

constexpr std::string_view conv_text = R"C(
#if @
#define NW_BLOCK nw_block#
#define NW_BLOCK_ADD nw_add#
#define NW_BLOCK_STORE nw_store#
NW_KERNEL void nw_conv#(const nw_windows *c, const float *x, const float *w, int n, float *y) {
  const NW_BLOCK bias = nw_load#(w);
  const float *line = x;
  const int pixels = c->rows * c->columns;
  int left = pixels, column = 0, done, ky, kx, k;
  for (done = 0; done < pixels; done += NW_PIXELS) {
    const float *q = w + n;
    NW_EACH(NW_PIXEL)
    for (ky = 0; ky < c->taps_y; ++ky)
      for (kx = 0; kx < c->taps_x; ++kx) {
        const ptrdiff_t at = (ptrdiff_t)ky * c->tap_y + (ptrdiff_t)kx * c->tap_x;
        for (k = 0; k < c->run; ++k, q += n) {
          const NW_BLOCK v = nw_load#(q);
          NW_EACH(NW_ADD)
        }
      }
    NW_EACH(NW_STORE)
  }
}
#undef NW_BLOCK
#undef NW_BLOCK_ADD
#undef NW_BLOCK_STORE
#endif
)C";

std::string conv_of(int width) {
  std::string text(conv_text);
  const std::string condition = width == 16 ? "NW_LANES > 1" : "NW_LANES > 1 && NW_LANES < 16";
  text.replace(text.find('@'), 1, condition);
  const std::string number = std::to_string(width);
  for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1))
    if (text[at - 1] != '\n') text.replace(at, 1, number);
  return text;
}

constexpr std::string_view depthwise_text = R"C(
/* Every channel by itself. `w`: the biases, then a number of each channel for each place of the window. */
NW_KERNEL void nw_depthwise(const nw_windows *c, const float *x, const float *w, float *y) {
  const int channels = c->run;
  const int pixels = c->rows * c->columns;
  int n, ky, kx, k;
  for (n = 0; n < pixels; ++n, y += c->out) {
    const float *from = x + (ptrdiff_t)(n / c->columns) * c->step_y + (ptrdiff_t)(n % c->columns) * c->step_x;
    k = 0;
#if NW_LANES > 1
    for (; k + NW_LANES <= channels; k += NW_LANES) {
      const float *q = w + k;
      nw_v sum = NW_AT((const float *)q);
      for (ky = 0; ky < c->taps_y; ++ky)
        for (kx = 0; kx < c->taps_x; ++kx) {
          q += channels;
          sum += NW_AT(from + (ptrdiff_t)ky * c->tap_y + (ptrdiff_t)kx * c->tap_x + k) * NW_AT(q);
        }
      NW_AT(y + k) = nw_limit(sum, c->least, c->most);
    }
#endif
    NW_SHORT_LOOP
    for (; k < channels; ++k) {
      const float *q = w + k;
      float sum = *q;
      for (ky = 0; ky < c->taps_y; ++ky)
        for (kx = 0; kx < c->taps_x; ++kx) {
          q += channels;
          sum += from[(ptrdiff_t)ky * c->tap_y + (ptrdiff_t)kx * c->tap_x + k] * *q;
        }
      sum = sum < c->least ? c->least : sum;
      y[k] = sum > c->most ? c->most : sum;
    }
  }
}
)C";

constexpr std::string_view grouped_text = R"C(
/* Channels in groups. `w`: for each output its bias, then its numbers for each place and input of its group. */
NW_KERNEL void nw_grouped(const nw_windows *c, int groups, int outputs, const float *x, const float *w, float *y) {
  const int pixels = c->rows * c->columns;
  int n, o, ky, kx, k;
  for (n = 0; n < pixels; ++n, y += c->out) {
    const float *from = x + (ptrdiff_t)(n / c->columns) * c->step_y + (ptrdiff_t)(n % c->columns) * c->step_x, *q = w;
    for (o = 0; o < outputs; ++o) {
      const float *group = from + (ptrdiff_t)(o / (outputs / groups)) * c->run;
      float sum = *q++;
      for (ky = 0; ky < c->taps_y; ++ky)
        for (kx = 0; kx < c->taps_x; ++kx) {
          const float *at = group + (ptrdiff_t)ky * c->tap_y + (ptrdiff_t)kx * c->tap_x;
          for (k = 0; k < c->run; ++k) sum += at[k] * *q++;
        }
      sum = sum < c->least ? c->least : sum;
      y[o] = sum > c->most ? c->most : sum;
    }
  }
}
)C";

/// The statement that makes `x` the padded image; returns its width.
std::int64_t pad(CWriter& w, const Geometry& g, std::string& x) {
  if (g.padding == Pair{0, 0}) return g.width;
  x = padded(w, g.padding, 0);
  return g.width + 2 * g.padding.second;
}

/// `merged`: a row of the window is one run.
std::string windows_of(const Geometry& g, std::int64_t width, std::int64_t run, bool merged, const Clamp& clamp) {
  return declared({.rows = g.rows,
                   .columns = g.columns,
                   .step_x = g.stride.second * g.in,
                   .step_y = g.stride.first * width * g.in,
                   .taps_y = g.kernel.first,
                   .tap_y = g.dilation.first * width * g.in,
                   .taps_x = merged ? 1 : g.kernel.second,
                   .tap_x = g.dilation.second * g.in,
                   .run = merged ? g.kernel.second * run : run,
                   .out = g.out,
                   .clamp = clamp});
}

/// Bias, or zeros.
std::vector<float> bias_of(const CWriter& w, std::int64_t count) {
  std::vector<float> bias = w.weight("bias");
  bias.resize(static_cast<std::size_t>(count));
  return bias;
}

/// The number for output `o`, the group's input `i` and the place `k` of the window.
float at(const std::vector<float>& weight, const Geometry& g, std::int64_t o, std::int64_t i, std::int64_t k) {
  return weight[static_cast<std::size_t>((o * (g.in / g.groups) + i) * g.kernel.first * g.kernel.second + k)];
}

/// Biases and numbers of `count` channels from `first` on, as nw_convN reads them.
void add_block(std::vector<float>& to, const std::vector<float>& weight, const std::vector<float>& bias,
               const Geometry& g, std::int64_t first, std::int64_t count) {
  for (std::int64_t o = 0; o < count; ++o) to.push_back(bias[static_cast<std::size_t>(first + o)]);
  for (std::int64_t k = 0; k < g.kernel.first * g.kernel.second; ++k)
    for (std::int64_t i = 0; i < g.in; ++i)
      for (std::int64_t o = 0; o < count; ++o) to.push_back(at(weight, g, first + o, i, k));
}

struct Block {
  std::int64_t first, count, width;
};
/// Blocks of 16; the rest in one of 8, of 4, of both, or of 16.
std::vector<Block> blocks_of(std::int64_t channels) {
  std::vector<Block> all;
  for (std::int64_t at = 0; at < channels;) {
    const std::int64_t rest = channels - at, width = rest > 12 ? 16 : rest > 4 ? 8 : 4;
    all.push_back({at, std::min(rest, width), width});
    at += all.back().count;
  }
  return all;
}

/// From the last block to the first: what a partial block stores behind its channels is written again afterwards.
void write_blocks(CWriter& w, const Geometry& g, const std::string& x, const std::string& y,
                  const std::vector<float>& weight, const std::vector<float>& bias) {
  const std::vector<Block> blocks = blocks_of(g.out);
  const std::int64_t full = g.out / 16, taps = g.in * g.kernel.first * g.kernel.second;
  for (std::int64_t b = std::ssize(blocks) - 1; b >= full; --b) {
    const Block& block = blocks[static_cast<std::size_t>(b)];
    std::vector<float> numbers;
    add_block(numbers, weight, bias, g, block.first, block.count);
    w.needs(fmt::format("nw_conv{}", block.width));
    w.call(fmt::format("nw_conv{}(&c, {}, {}, {}, {} + {});", block.width, x, w.constants(numbers, 16 - block.count),
                       block.count, y, block.first));
  }
  if (full == 0) return;
  std::vector<float> numbers;
  for (std::int64_t b = 0; b < full; ++b) add_block(numbers, weight, bias, g, b * 16, 16);
  w.needs("nw_conv16");
  const std::string place = w.constants(numbers);
  if (full == 1)
    w.call(fmt::format("nw_conv16(&c, {}, {}, 16, {});", x, place, y));
  else
    w.call(fmt::format("for (o = {}; o >= 0; --o) nw_conv16(&c, {}, {} + o * {}, 16, {} + 16 * o);", full - 1, x, place,
                       (taps + 1) * 16, y));
}

void write_depthwise(CWriter& w, const Geometry& g, const std::string& x) {
  const std::vector<float> weight = w.weight("weight");
  std::vector<float> all = bias_of(w, g.out);
  for (std::int64_t k = 0; k < g.kernel.first * g.kernel.second; ++k)
    for (std::int64_t c = 0; c < g.out; ++c) all.push_back(at(weight, g, c, 0, k));
  w.needs("nw_depthwise");
  w.call(fmt::format("nw_depthwise(&c, {}, {}, {{out}});", x, w.constants(all)));
}

void write_grouped(CWriter& w, const Geometry& g, const std::string& x) {
  const std::vector<float> weight = w.weight("weight"), bias = bias_of(w, g.out);
  std::vector<float> all;
  for (std::int64_t o = 0; o < g.out; ++o) {
    all.push_back(bias[static_cast<std::size_t>(o)]);
    for (std::int64_t k = 0; k < g.kernel.first * g.kernel.second; ++k)
      for (std::int64_t i = 0; i < g.in / g.groups; ++i) all.push_back(at(weight, g, o, i, k));
  }
  w.needs("nw_grouped");
  w.call(fmt::format("nw_grouped(&c, {}, {}, {}, {}, {{out}});", g.groups, g.out, x, w.constants(all)));
}

void write(CWriter& w, const Geometry& g) {
  std::string x = "{0}";
  w.needs("nw_windows");
  const std::int64_t width = pad(w, g, x);
  const bool merged = g.groups == 1 && g.dilation.second == 1, depthwise = g.groups == g.in && g.groups == g.out;
  w.call(windows_of(g, width, depthwise ? g.in : g.in / g.groups, merged && !depthwise, w.clamp()));
  if (g.groups == 1)
    write_blocks(w, g, x, "{out}", w.weight("weight"), bias_of(w, g.out));
  else if (depthwise)
    write_depthwise(w, g, x);
  else
    write_grouped(w, g, x);
}

void write_conv(CWriter& w) { write(w, geometry_of(w)); }

/// Patches next to each other, in the order of their tokens.
void write_patches(CWriter& w) {
  const std::int64_t patch = w.attrs().integer("patch_size"), rows = w.in()[2] / patch, columns = w.in()[3] / patch;
  write(w, {w.in()[1], w.in()[2], w.in()[3], w.out()[1], rows, columns, 1, {patch, patch}, {patch, patch}});
}

/// A convolution of single pixels: all of them in one row.
void write_channel_linear(CWriter& w) {
  const std::int64_t pixels = pixels_of(w.in());
  write(w, {w.in()[1], 1, pixels, w.out()[1], 1, pixels, 1, {1, 1}});
}

}  // namespace

void write_product(CWriter& w, const std::string& x, const std::string& y, const PixelProduct& p) {
  const Geometry g{p.in, 1, p.pixels, p.out, 1, p.pixels, 1, {1, 1}};
  w.needs("nw_windows");
  w.call("{");
  w.call(windows_of(g, p.pixels, p.in, true, {}));
  write_blocks(w, g, x, y, p.weight, p.bias);
  w.call("}");
}

}  // namespace deploy

extern const deploy::CLayerFile convolution_c_layers;
const deploy::CLayerFile convolution_c_layers = [] {
  using namespace deploy;
  CLayer conv{"Conv2d", write_conv}, patches{"PatchEmbedding", write_patches},
      channels{"ChannelLinear", write_channel_linear};
  conv.clamps = patches.clamps = channels.clamps = conv.folds_norm = true;
  CLayerFile file{{conv, patches, channels},
                  {{"nw_tiles", std::string(tile_text), {"nw_windows", "nw_vectors"}},
                   {"nw_depthwise", std::string(depthwise_text), {"nw_windows", "nw_vectors"}},
                   {"nw_grouped", std::string(grouped_text), {"nw_windows", "nw_vectors"}}}};
  for (const auto& [width, name, block] :
       {std::tuple{16, "nw_conv16", "nw_block16"}, {8, "nw_conv8", "nw_block8"}, {4, "nw_conv4", "nw_block4"}})
    file.functions.push_back({name, conv_of(width), {"nw_tiles", block}});
  return file;
}();

}  // namespace nw
