// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/tile_sweep.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/cpu/tile_costs.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t slab_bytes = 768 << 10;   // of the second cache
constexpr std::int64_t part_bytes = 24 << 10;    // of the first cache, for outputs that are used up at once
constexpr std::int64_t pixels_together = 16;     // whose rows are written while their lines are in the first cache

/// The taps of one row, left to right.
struct TapRow {
  std::int64_t y;
  std::vector<std::pair<std::int64_t, std::int64_t>> taps;   // x, place in the weights
};
std::vector<TapRow> rows_of_taps(const Sweep& s) {
  std::vector<std::size_t> order(s.taps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return std::pair(s.taps[a].y, s.taps[a].x) < std::pair(s.taps[b].y, s.taps[b].x); });
  std::vector<TapRow> rows;
  for (const std::size_t i : order) {
    if (rows.empty() || rows.back().y != s.taps[i].y) rows.push_back({s.taps[i].y, {}});
    rows.back().taps.emplace_back(s.taps[i].x, s.tap_index[i]);
  }
  return rows;
}
bool side_by_side(const TapRow& row) { return row.taps.back().first - row.taps.front().first + 1 == static_cast<std::int64_t>(row.taps.size()); }

}  // namespace

TileSweep::TileSweep(const Sweep& s, const Lanes& from, const Lanes& to, WeightPlaces w, std::int64_t row_unit, bool packed)
    : from_(from), to_(to), top_(s.top), left_(s.left), rows_(s.rows), columns_(s.columns), in_step_(s.in_step), out_step_(s.out_step), out_first_(s.out_first) {
  std::int64_t last_x = 0;
  for (const Tap& t : s.taps) {
    last_y_ = std::max(last_y_, t.y);
    last_x = std::max(last_x, t.x);
  }
  slab_width_ = (columns_ - 1) * in_step_.w + last_x + 1;
  lay_runs(s, w);
  band_ = std::max<std::int64_t>(1, rows_);
  while (band_ > row_unit && slab_words() * 4 > slab_bytes) band_ = round_up((band_ + 1) / 2, row_unit);
  part_ = std::clamp<std::int64_t>(part_bytes / (to.channels * columns_ * shard_samples * 4) / row_unit * row_unit, std::min(row_unit, band_), band_);
  y_out_ = packed ? part_ * columns_ * shard_samples : to.pixels() * shard_samples;
  for (std::int64_t r = 0; r < band_; ++r)
    for (std::int64_t q = 0; q < columns_; q += group_) {
      x_pixel_.push_back(static_cast<std::int32_t>((r * in_step_.h * slab_width_ + q * in_step_.w) * pixel_words()));
      y_pixel_.push_back(static_cast<std::int32_t>((r * out_step_.h * (packed ? columns_ : to.width) + q * out_step_.w) * shard_samples));
    }
}

// Channels in pairs, or rows of pixels in pairs where that makes fewer tiles; of few outputs as many pixels side by side as fill a tile.
void TileSweep::choose_form(const Sweep& s) {
  const std::vector<TapRow> all = rows_of_taps(s);
  if (all.empty() || !side_by_side(all[0])) return;
  const auto height = static_cast<std::int64_t>(all.size()), width = static_cast<std::int64_t>(all[0].taps.size());
  const bool dense = all.back().y - all.front().y + 1 == height;
  double best = -1;
  for (std::int64_t group = 1; group <= std::max<std::int64_t>(1, tile_rows / to_.channels); ++group)
    for (const bool paired : {false, true}) {
      if (columns_ % group != 0 || (paired && !dense)) continue;
      const std::int64_t runs = paired ? (height + 1) / 2 : height, rows = run_width(width, group) * (paired ? from_.channels : (from_.channels + 1) / 2);
      const double cost = static_cast<double>(runs * ((rows + tile_rows - 1) / tile_rows)) / static_cast<double>(group);
      if (best >= 0 && cost >= best) continue;
      best = cost;
      group_ = group;
      rows_paired_ = paired;
    }
}

void TileSweep::lay_runs(const Sweep& s, WeightPlaces w) {
  const std::vector<TapRow> all = rows_of_taps(s);
  choose_form(s);
  out_step_words_ = w.out_step;
  if (all.empty()) return;
  const auto height = static_cast<std::int64_t>(all.size()), taps = static_cast<std::int64_t>(all[0].taps.size()), channels = from_.channels;
  const bool grid = side_by_side(all[0]);
  depth_ = rows_paired_ ? channels : (channels + 1) / 2;
  run_rows_ = (grid ? run_width(taps, group_) : 1) * depth_;
  const auto place = [&](std::int64_t channel, const TapRow* row, std::int64_t tap) {
    const bool there = row && tap >= 0 && tap < taps && channel < channels;
    return static_cast<std::int32_t>(there ? channel * w.channel_step + row->taps[static_cast<std::size_t>(tap)].second : -1);
  };
  for (std::int64_t pixel = 0; pixel < group_; ++pixel)
    for (std::int64_t y = 0; y < height; y += rows_paired_ ? 2 : 1) {
      const TapRow* const row = &all[static_cast<std::size_t>(y)];
      const TapRow* const below = y + 1 < height ? row + 1 : nullptr;
      for (std::int64_t x = 0; x < run_width(taps, group_); ++x) {
        if (pixel == 0 && (x == 0 || !grid))
          run_offset_.push_back(static_cast<std::int32_t>((row->y * slab_width_ + (grid ? row->taps[0].first : row->taps[static_cast<std::size_t>(x)].first)) * pixel_words()));
        for (std::int64_t d = 0; d < depth_; ++d) {
          const std::int64_t tap = x - pixel * in_step_.w;
          places_.push_back(place(rows_paired_ ? d : 2 * d, row, tap));
          places_.push_back(rows_paired_ ? place(d, below, tap) : place(2 * d + 1, row, tap));
        }
      }
    }
}

// Rows of a tile: the outputs of the group's first pixel, of the second, …
void TileSweep::pack_weights(const VectorKernels& k, const float* w, std::int64_t tile, std::uint32_t* to) const {
  const std::int64_t outs = std::min(tile_rows, to_.channels - tile * tile_rows), rows = run_count() * run_rows_;
  to += tile * tile_weights();
  for (std::int64_t r = 0; r < run_count(); ++r)
    for (std::int64_t row = 0; row < run_rows_; row += tile_rows, to += tile_words)
      for (std::int64_t pixel = 0; pixel < group_; ++pixel) {
        alignas(64) std::uint32_t one[tile_words];
        k.tile.weight_tile({w + tile * tile_rows * out_step_words_, out_step_words_, outs, std::min(tile_rows, run_rows_ - row),
                            places_.data() + 2 * (pixel * rows + r * run_rows_ + row), group_ > 1 ? one : to});
        if (group_ > 1) std::copy_n(one, outs * row_words, to + pixel * outs * row_words);
      }
}

// `count` pixels from (y, x) on, all inside but for y: in pairs, one of two rows may be outside.
void TileSweep::pack_pixels(const VectorKernels& k, const float* from, std::int64_t y, std::int64_t x, std::int64_t count, std::uint32_t* to) const {
  const auto at = [&](std::int64_t channel, std::int64_t row) -> const float* {
    if (channel >= from_.channels || row < 0 || row >= from_.height) return nullptr;
    return from + ((channel * from_.height + row) * from_.width + x) * shard_samples;
  };
  for (std::int64_t d = 0; d < depth_; ++d)
    k.tile.pair_lanes({at(rows_paired_ ? d : 2 * d, y), rows_paired_ ? at(d, y + 1) : at(2 * d + 1, y), shard_samples, count, to + d * row_words, pixel_words()});
}

void TileSweep::pack_slab(const VectorKernels& k, const float* from, std::int64_t first, std::int64_t band, std::uint32_t* slab) const {
  const std::int64_t x0 = std::clamp<std::int64_t>(-left_, 0, slab_width_), x1 = std::clamp<std::int64_t>(from_.width - left_, x0, slab_width_);
  for (std::int64_t r = 0; r < slab_rows(band); ++r, slab += slab_width_ * pixel_words()) {
    const std::int64_t y = top_ + first * in_step_.h + r;
    const bool inside = x0 < x1 && y >= (rows_paired_ ? -1 : 0) && y < from_.height;
    std::fill_n(slab, (inside ? x0 : slab_width_) * pixel_words(), 0u);
    if (!inside) continue;
    for (std::int64_t x = x0; x < x1; x += pixels_together)
      pack_pixels(k, from, y, left_ + x, std::min(pixels_together, x1 - x), slab + x * pixel_words());
    std::fill_n(slab + x1 * pixel_words(), (slab_width_ - x1) * pixel_words(), 0u);
  }
}

void TileSweep::run(const VectorKernels& k, const float* from, float* to, std::int64_t first, std::int64_t last, const std::uint32_t* w, const float* bias,
                    Ending ending, std::byte* scratch) const {
  const float* const gate = ending.gate;
  for (std::int64_t row = first; row < last; row += band_) {
    const std::int64_t at = ((out_first_.h + row * out_step_.h) * to_.width + out_first_.w) * shard_samples;
    ending.gate = gate ? gate + at : nullptr;
    const std::int64_t count = std::min(band_, last - row);
    if (run_count() > 0) pack_slab(k, from, row, count, reinterpret_cast<std::uint32_t*>(scratch));
    multiply(k, reinterpret_cast<const std::uint32_t*>(scratch), to + at, count, w, bias, ending);
  }
}

void TileSweep::run_parts(const VectorKernels& k, const float* from, float* part, const std::uint32_t* w, const float* bias, std::byte* scratch,
                          const std::function<void(std::int64_t, std::int64_t)>& after) const {
  auto* const slab = reinterpret_cast<std::uint32_t*>(scratch);
  for (std::int64_t band = 0; band < rows_; band += band_) {
    const std::int64_t end = std::min(band + band_, rows_);
    pack_slab(k, from, band, end - band, slab);
    for (std::int64_t row = band; row < end; row += part_) {
      multiply(k, slab + (row - band) * in_step_.h * slab_width_ * pixel_words(), part, std::min(part_, end - row), w, bias, {});
      after(row, std::min(part_, end - row));
    }
  }
}

void TileSweep::multiply(const VectorKernels& k, const std::uint32_t* slab, float* to, std::int64_t rows, const std::uint32_t* w, const float* bias,
                         Ending ending) const {
  k.tiles->product({slab, x_pixel_.data(), y_pixel_.data(), rows * columns_ / group_, runs(), w, to_.channels, bias, ending.relu, ending.gate, to, y_out_,
                    group_, out_step_.w * shard_samples});
}

double TileSweep::cycles(std::int64_t shards) const {
  const auto pixels = static_cast<double>(rows_ * columns_), steps = static_cast<double>(run_count() * runs().tiles());
  const double bands = static_cast<double>(rows_) / static_cast<double>(std::max<std::int64_t>(1, band_));
  const double packed = bands * static_cast<double>(slab_rows(band_) * slab_width_ * depth_);
  return pixels / static_cast<double>(group_) * steps * tile_step(to_.channels * group_, run_rows_) + packed * packed_row + pixels * static_cast<double>(to_.channels) * ended_row +
         static_cast<double>(weight_words()) * packed_weight / static_cast<double>(shards);
}

}  // namespace nw::cpu
