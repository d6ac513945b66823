// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/tile_narrow_gradient.hpp"

#include <algorithm>

#include "kernels/cpu/tile_costs.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t most_channels = 4, most_bytes = 1 << 20, parts_wanted = 2;

std::int64_t parts_of(std::int64_t count, std::int64_t each) { return (count + each - 1) / each; }

// Pixels side by side whose outputs fill the rows of a tile; they divide the width.
std::int64_t group_for(const ConvGeometry& g) {
  for (std::int64_t n = tile_rows / g.y.channels; n > 1; --n)
    if (g.y.width % n == 0) return n;
  return 1;
}

}  // namespace

bool NarrowGradient::fits(const ConvGeometry& g) {
  return g.groups == 1 && g.dilation.w == 1 && g.x.channels <= most_channels && g.y.pixels() > 0 && (g.y.channels <= tile_rows || g.y.channels % tile_rows == 0);
}

NarrowGradient::NarrowGradient(const ConvGeometry& g, std::int64_t shards, const PooledGradient& pooled) : g_(g), pooled_(pooled), units_(parts_of(shards, 2)) {
  out_tiles_ = parts_of(g.y.channels, tile_rows);
  group_ = group_for(g);
  const std::int64_t columns = (g.y.width - 1) * g.stride.w + g.kernel.w;   // of the image, zeros around it included
  width_ = round_up(columns * g.x.channels, row_words) + column_tiles() * row_words;
  rows_ = parts_of(g.y.height, std::min(parts_wanted, g.y.height));   // by the shape alone: sums must not depend on the batch
  while (rows_ > 1 && scratch_bytes() > most_bytes) rows_ = (rows_ + 1) / 2;
  parts_ = parts_of(g.y.height, rows_);
  for (std::int64_t ky = 0; ky < g.kernel.h; ++ky)
    for (std::int64_t t = 0; t < column_tiles(); ++t)
      offset_.push_back(static_cast<std::int32_t>(ky * g.dilation.h * row_words * width_ + t * row_words));
}

// [image row][pair of images][column, channel]; zeros around the image.
void NarrowGradient::pack_x(const VectorKernels& k, std::int64_t unit, bool both, std::int64_t first, std::int64_t rows, std::uint32_t* lying,
                            std::uint32_t* to) const {
  const std::int64_t channels = g_.x.channels, seen = std::min(g_.x.width, (g_.y.width - 1) * g_.stride.w + g_.kernel.w - g_.padding.w);
  std::fill_n(lying, lying_words(), 0u);
  for (std::int64_t r = 0; r < image_rows(rows); ++r, to += row_words * width_) {
    const std::int64_t y = first * g_.stride.h - g_.padding.h + r;
    if (y < 0 || y >= g_.x.height) {
      std::fill_n(to, row_words * width_, 0u);
      continue;
    }
    for (std::int64_t c = 0; c < channels; ++c) {
      const float* const a = g_.x.shard(2 * unit) + (c * g_.x.height + y) * g_.x.width * shard_samples;
      k.tile.pair_lanes({a, both ? a + g_.x.floats() : nullptr, shard_samples, seen, lying + (g_.padding.w * channels + c) * row_words, channels * row_words});
    }
    k.rows_from_lanes(reinterpret_cast<const float*>(lying), row_words, width_, reinterpret_cast<float*>(to), width_);
  }
}

// [row][column][output]: a group's outputs follow one another.
void NarrowGradient::pack_dy(const VectorKernels& k, std::int64_t unit, bool both, std::int64_t first, std::int64_t rows, std::uint32_t* to) const {
  const std::int64_t outs = g_.y.channels, pixels = rows * g_.y.width;
  for (std::int64_t o = 0; o < outs; ++o) {
    const float* const a = g_.y.shard(2 * unit) + (o * g_.y.pixels() + first * g_.y.width) * shard_samples;
    k.tile.pair_lanes({a, both ? a + g_.y.floats() : nullptr, shard_samples, pixels, to + o * row_words, outs * row_words});
  }
}

void NarrowGradient::pack_pooled(const VectorKernels& k, std::int64_t unit, bool both, std::int64_t first, std::int64_t rows, std::uint32_t* to) const {
  const std::int64_t outs = g_.y.channels, next = both ? pooled_.dy.floats() : 0, row_words_of_dy = g_.y.width * outs * row_words;
  for (std::int64_t o = 0; o < outs; ++o)
    for (std::int64_t r = 0; r < rows; r += pooled_.kernel.h) {
      const std::int64_t at = 2 * unit * pooled_.dy.floats() + (o * pooled_.dy.pixels() + (first + r) / pooled_.kernel.h * pooled_.dy.width) * shard_samples;
      const float *const dy = pooled_.dy.p + at, *const gate = pooled_.gate.p ? pooled_.gate.p + at : nullptr;
      const std::uint8_t* const argmax = pooled_.argmax + at;
      k.tile.pair_pooled({{dy, both ? dy + next : nullptr}, {gate, gate ? gate + next : nullptr}, {argmax, argmax + next}, pooled_.dy.width, pooled_.kernel.h,
                          pooled_.kernel.w, to + r * row_words_of_dy + o * row_words, row_words_of_dy, outs * row_words});
    }
}

void NarrowGradient::run(const VectorKernels& k, std::int64_t task, std::int64_t shards, float* sums_of_tasks, std::byte* scratch) const {
  const std::int64_t unit = task / parts_, first = task % parts_ * rows_, rows = std::min(rows_, g_.y.height - first), outs = g_.y.channels;
  if (2 * unit >= shards) return;
  auto* const x = reinterpret_cast<std::uint32_t*>(scratch);
  std::uint32_t *const lying = x + x_words(), *const dy = lying + lying_words();
  const bool both = 2 * unit + 1 < shards;
  pack_x(k, unit, both, first, rows, lying, x);
  if (pooled_.dy.p) pack_pooled(k, unit, both, first, rows, dy);
  else pack_dy(k, unit, both, first, rows, dy);
  for (std::int64_t tile = 0; tile < out_tiles_; ++tile)
    k.tiles->correlation({dy + tile * tile_words, std::min(tile_rows, outs * group_), group_ * outs * row_words, x, width_, g_.stride.h * row_words * width_,
                          group_ * g_.stride.w * g_.x.channels, offset_.data(), std::min(span(), row_words), products(), rows, g_.y.width / group_,
                          sums_of_tasks + task * sums() + tile * products() * tile_words});
}

void NarrowGradient::collect(std::int64_t shards, const float* sums_of_tasks, std::int64_t first, std::int64_t last, float* dw) const {
  const std::int64_t tasks = parts_of(shards, 2) * parts_;
  for (std::int64_t o = first; o < last; ++o)
    for (std::int64_t c = 0; c < g_.x.channels; ++c)
      for (std::int64_t ky = 0; ky < g_.kernel.h; ++ky)
        for (std::int64_t kx = 0; kx < g_.kernel.w; ++kx) {
          float sum = 0;
          for (std::int64_t task = 0; task < tasks; ++task)
            for (std::int64_t d = 0; d < group_; ++d) {
              const std::int64_t column = (kx + d * g_.stride.w) * g_.x.channels + c, product = ky * column_tiles() + column / row_words;
              const float* const tile = sums_of_tasks + task * sums() + (o / tile_rows * products() + product) * tile_words;
              sum += tile[(d * g_.y.channels + o % tile_rows) * row_words + column % row_words];
            }
          dw[o * g_.weight_row() + (c * g_.kernel.h + ky) * g_.kernel.w + kx] = sum;
        }
}

double NarrowGradient::cycles() const {
  const auto pixels = static_cast<double>(g_.y.pixels()), made = static_cast<double>(products() * out_tiles_);
  const auto turned = static_cast<double>(parts_ * image_rows(rows_) * width_ / row_words);
  const double unit = pixels / static_cast<double>(group_) * made * 1.5 * static_cast<double>(tile_rows) + turned * (turned_tile + tile_rows * packed_row) +
                      pixels * static_cast<double>(g_.y.channels) * packed_row;
  return unit / 2;
}

}  // namespace nw::cpu
