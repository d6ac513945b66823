// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/bf16/tile_sweep.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/cpu/bf16/tile_costs.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t slab_bytes = 768 << 10;  // of the L2 cache
constexpr std::int64_t part_bytes = 24 << 10;   // of the L1 cache, for outputs that the caller consumes part by part
// tiles of weights, for one tile of outputs, that stay in the L1 cache over all columns
constexpr std::int64_t weights_kept = 20;
// pixels whose rows are written while their cache lines are in the L1 cache
constexpr std::int64_t pixels_together = 16;

/// The taps of one row, left to right.
struct TapRow {
  std::int64_t y;
  std::vector<std::pair<std::int64_t, std::int64_t>> taps;  // x, index of the weight
};
std::vector<TapRow> rows_of_taps(const Sweep& s) {
  std::vector<std::size_t> order(s.taps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(s.taps[a].y, s.taps[a].x) < std::pair(s.taps[b].y, s.taps[b].x);
  });
  std::vector<TapRow> rows;
  for (const std::size_t i : order) {
    if (rows.empty() || rows.back().y != s.taps[i].y) rows.push_back({s.taps[i].y, {}});
    rows.back().taps.emplace_back(s.taps[i].x, s.tap_index[i]);
  }
  return rows;
}
bool side_by_side(const TapRow& row) {
  return row.taps.back().first - row.taps.front().first + 1 == static_cast<std::int64_t>(row.taps.size());
}

}  // namespace

TileSweep::TileSweep(const Sweep& s, const Lanes& from, const Lanes& to, WeightPlaces w, Pair window)
    : from_(from),
      to_(to),
      top_(s.top),
      left_(s.left),
      rows_(s.rows),
      columns_(s.columns),
      in_step_(s.in_step),
      out_step_(s.out_step),
      out_first_(s.out_first),
      window_(window) {
  if (window.h * window.w > 1) pooling_ = window.h == 2 && window.w == 2 ? Pooling::sums : Pooling::parts;
  std::int64_t last_x = 0;
  for (const Tap& t : s.taps) {
    last_y_ = std::max(last_y_, t.y);
    last_x = std::max(last_x, t.x);
  }
  slab_width_ = (columns_ - 1) * in_step_.w + last_x + 1;
  lay_runs(s, w);
  const std::int64_t row_unit = window.h;
  band_ = std::max<std::int64_t>(1, rows_);
  while (band_ > row_unit && slab_words() * 4 > slab_bytes) band_ = round_up((band_ + 1) / 2, row_unit);
  part_ = std::clamp<std::int64_t>(part_bytes / (to.channels * columns_ * shard_samples * 4) / row_unit * row_unit,
                                   std::min(row_unit, band_), band_);
  y_out_ = pooling_ == Pooling::parts ? part_ * columns_ * shard_samples
                                      : to.pixels() / (window.h * window.w) * shard_samples;
  if (pools())
    lay_windows();
  else
    lay_places();
}

void TileSweep::lay_places() {
  const std::int64_t width = pooling_ == Pooling::parts ? columns_ : to_.width;
  const std::int64_t groups = columns_ / form_.group.w;
  for (std::int64_t i = 0; i < band_ * groups; ++i) {
    const std::int64_t r = by_output_columns_ ? i % band_ : i / groups,
                       q = (by_output_columns_ ? i / band_ : i % groups) * form_.group.w;
    x_pixel_.push_back(
        static_cast<std::int32_t>((r * (by_column() ? 1 : in_step_.h) * slab_width_ + q * in_step_.w) * pixel_words()));
    y_pixel_.push_back(static_cast<std::int32_t>((r * out_step_.h * width + q * out_step_.w) * shard_samples));
  }
}

// Finds the tiles of a run that are inside the image, for each column of outputs. Used only where many are outside,
// because outputs are then stored in a slower order.
void TileSweep::lay_columns(std::int64_t height) {
  const auto tile_of = [&](std::int64_t column) {
    return std::clamp<std::int64_t>(column, 0, run_rows_ / depth_) * depth_;
  };
  std::int64_t tiles = 0, taps = 0;
  for (std::int64_t q = 0; q < columns_; q += form_.group.w) {
    const std::int64_t x = left_ + q * in_step_.w;
    first_tile_.push_back(static_cast<std::int32_t>(tile_of(-x) / tile_rows));
    last_tile_.push_back(static_cast<std::int32_t>((tile_of(from_.width - x) + tile_rows - 1) / tile_rows));
    tiles += std::max(0, last_tile_.back() - first_tile_.back());
    first_seen_ = std::min(first_seen_, q * in_step_.w + first_tile_.back() * tile_rows / depth_);
    last_seen_ = std::max(last_seen_,
                          q * in_step_.w + (std::min(last_tile_.back() * tile_rows, run_rows_) + depth_ - 1) / depth_);
  }
  for (std::int64_t y = top_; y < top_ + rows_; ++y)
    taps += std::max<std::int64_t>(0, std::min(y + height, from_.height) - std::max<std::int64_t>(y, 0));
  const std::int64_t all = runs().tiles() * columns_ / form_.group.w * height * rows_;
  by_output_columns_ = height * runs().tiles() <= weights_kept && 4 * tiles * taps <= 3 * all;
}

// Fills the offsets window by window: the groups of pixels of each window.
void TileSweep::lay_windows() {
  const Pair group = form_.group;
  for (std::int64_t r = 0; r < band_; r += window_.h)
    for (std::int64_t q = 0; q < columns_; q += window_.w) {
      y_pixel_.push_back(
          static_cast<std::int32_t>((r / window_.h * (columns_ / window_.w) + q / window_.w) * shard_samples));
      for (std::int64_t y = r; y < r + window_.h; y += group.h)
        for (std::int64_t x = q; x < q + window_.w; x += group.w)
          x_pixel_.push_back(static_cast<std::int32_t>(
              ((by_column() ? y / group.h : y * in_step_.h) * slab_width_ + x * in_step_.w) * pixel_words()));
    }
}

std::int64_t TileSweep::depth(const Form& f, std::int64_t height) const {
  if (f.pairing == Pairing::columns) return ((height + (f.group.h - 1) * in_step_.h) * from_.channels + 1) / 2;
  return f.pairing == Pairing::rows ? from_.channels : (from_.channels + 1) / 2;
}

// Cycles per pixel.
double TileSweep::cost(const Form& f, std::int64_t height, std::int64_t width) const {
  const std::int64_t runs = f.pairing == Pairing::columns ? 1
                            : f.pairing == Pairing::rows  ? (height + 1) / 2
                                                          : height,
                     words = depth(f, height);
  const auto tiles =
      static_cast<double>(runs * ((run_width(width, f) * words + tile_rows - 1) / tile_rows) * out_tiles());
  const auto packed =
      static_cast<double>(words * in_step_.w * (f.pairing == Pairing::columns ? 1 : in_step_.h * f.group.h));
  return (tiles * static_cast<double>(tile_rows) / static_cast<double>(f.group.w) + packed * packed_row) /
         static_cast<double>(f.group.h);
}

// Chooses the form with the least cycles. With few outputs, several pixels share a tile. Pixels above each other share
// one only where a pool reads rows in pairs.
void TileSweep::choose_form(const Sweep& s) {
  const std::vector<TapRow> all = rows_of_taps(s);
  if (all.empty() || !side_by_side(all[0])) return;
  const auto height = static_cast<std::int64_t>(all.size()), width = static_cast<std::int64_t>(all[0].taps.size());
  const bool dense = all.back().y - all.front().y + 1 == height;
  double best = -1;
  for (const Pairing pairing : {Pairing::channels, Pairing::rows, Pairing::columns})
    for (std::int64_t h = 1; h <= (pools() && pairing == Pairing::columns ? 2 : 1); ++h)
      for (std::int64_t w = 1; w == 1 || h * w * to_.channels <= tile_rows; ++w) {
        const Form form{pairing, {h, w}};
        if ((pairing != Pairing::channels && !dense) || (pools() ? w > 2 : columns_ % w != 0) ||
            (h > 1 && h * w * to_.channels > tile_rows))
          continue;
        const double cycles = cost(form, height, width);
        if (best >= 0 && cycles >= best) continue;
        best = cycles;
        form_ = form;
      }
}

void TileSweep::lay_runs(const Sweep& s, WeightPlaces w) {
  const std::vector<TapRow> all = rows_of_taps(s);
  choose_form(s);
  out_step_words_ = w.out_step;
  if (all.empty()) return;
  const auto height = static_cast<std::int64_t>(all.size()), taps = static_cast<std::int64_t>(all[0].taps.size()),
             channels = from_.channels;
  const bool grid = side_by_side(all[0]);
  depth_ = depth(form_, height);
  run_rows_ = (grid ? run_width(taps, form_) : 1) * depth_;
  if (pooling_ == Pooling::none && form_.pairing == Pairing::channels && in_step_.h == 1 && grid &&
      last_y_ + 1 == height)
    lay_columns(height);
  const auto place = [&](Number n, std::int64_t y, std::int64_t tap) {
    const bool there = y + n.row >= 0 && y + n.row < height && tap >= 0 && tap < taps && n.channel < channels;
    return static_cast<std::int32_t>(
        there ? n.channel * w.channel_step +
                    all[static_cast<std::size_t>(y + n.row)].taps[static_cast<std::size_t>(tap)].second
              : -1);
  };
  for (std::int64_t pixel = 0; pixel < form_.pixels(); ++pixel)
    for (std::int64_t y = 0; y < (by_column() ? 1 : height); y += form_.pairing == Pairing::rows ? 2 : 1)
      for (std::int64_t x = 0; x < run_width(taps, form_); ++x) {
        const TapRow& row = all[static_cast<std::size_t>(y)];
        if (pixel == 0 && (x == 0 || !grid))
          run_offset_.push_back(static_cast<std::int32_t>(
              (row.y * slab_width_ + (grid ? row.taps[0].first : row.taps[static_cast<std::size_t>(x)].first)) *
              pixel_words()));
        for (std::int64_t half = 0; half < 2 * depth_; ++half)
          places_.push_back(place(number(half / 2, half % 2), y - pixel / form_.group.w * in_step_.h,
                                  x - pixel % form_.group.w * in_step_.w));
      }
}

TileSweep::Number TileSweep::number(std::int64_t word, std::int64_t half) const {
  if (form_.pairing == Pairing::rows) return {half, word};
  const std::int64_t n = 2 * word + half;
  return by_column() ? Number{n / from_.channels, n % from_.channels} : Number{0, n};
}

// The rows of a tile are the outputs of the group's first pixel, then those of the second, …
void TileSweep::pack_weights(const VectorKernels& k, const float* w, std::int64_t tile, std::uint32_t* to) const {
  const std::int64_t outs = std::min(tile_rows, to_.channels - tile * tile_rows), rows = run_count() * run_rows_;
  to += tile * tile_weights();
  for (std::int64_t r = 0; r < run_count(); ++r)
    for (std::int64_t row = 0; row < run_rows_; row += tile_rows, to += tile_words)
      for (std::int64_t pixel = 0; pixel < form_.pixels(); ++pixel) {
        alignas(64) std::uint32_t one[tile_words];
        k.tile.weight_tile({w + tile * tile_rows * out_step_words_, out_step_words_, outs,
                            std::min(tile_rows, run_rows_ - row),
                            places_.data() + 2 * (pixel * rows + r * run_rows_ + row), form_.pixels() > 1 ? one : to});
        if (form_.pixels() > 1) std::copy_n(one, outs * row_words, to + pixel * outs * row_words);
      }
}

// Packs `count` pixels from (y, x) on. All columns are inside the image; with pairs of rows or whole columns of taps,
// some rows may be outside.
void TileSweep::pack_pixels(const VectorKernels& k, const float* from, std::int64_t y, std::int64_t x,
                            std::int64_t count, std::uint32_t* to) const {
  const auto at = [&](Number n) -> const float* {
    const std::int64_t row = y + n.row;
    if (n.channel >= from_.channels || row < 0 || row >= from_.height) return nullptr;
    return from + ((n.channel * from_.height + row) * from_.width + x) * shard_samples;
  };
  for (std::int64_t d = 0; d < depth_; ++d)
    k.tile.pair_lanes({at(number(d, 0)), at(number(d, 1)), shard_samples, count, to + d * row_words, pixel_words()});
}

void TileSweep::pack_slab(const VectorKernels& k, const float* from, std::int64_t first, std::int64_t band,
                          std::uint32_t* slab) const {
  const std::int64_t x0 = std::clamp<std::int64_t>(-left_, 0, slab_width_),
                     x1 = std::clamp<std::int64_t>(from_.width - left_, x0, slab_width_);
  for (std::int64_t r = 0; r < slab_rows(band); ++r, slab += slab_width_ * pixel_words()) {
    const std::int64_t y =
        top_ + (by_column() ? first + r * form_.group.h : first) * in_step_.h + (by_column() ? 0 : r);
    const std::int64_t above = by_column()                      ? last_y_ + (form_.group.h - 1) * in_step_.h
                               : form_.pairing == Pairing::rows ? 1
                                                                : 0;
    const bool inside = x0 < x1 && y >= -above && y < from_.height;
    if (!inside && by_output_columns_) continue;  // no tile reads it
    if (!inside) {
      std::fill_n(slab, slab_width_ * pixel_words(), 0u);
      continue;
    }
    const std::int64_t from_left = by_output_columns_ ? std::min(first_seen_, x0) : 0,
                       to_right = by_output_columns_ ? std::max(last_seen_, x1) : slab_width_;
    std::fill_n(slab + from_left * pixel_words(), (x0 - from_left) * pixel_words(), 0u);
    for (std::int64_t x = x0; x < x1; x += pixels_together)
      pack_pixels(k, from, y, left_ + x, std::min(pixels_together, x1 - x), slab + x * pixel_words());
    std::fill_n(slab + x1 * pixel_words(), (to_right - x1) * pixel_words(), 0u);
  }
}

void TileSweep::run(const VectorKernels& k, const float* from, float* to, std::int64_t first, std::int64_t last,
                    const std::uint32_t* w, const float* bias, Ending ending, std::byte* scratch) const {
  const float* const gate = ending.gate;
  for (std::int64_t row = first; row < last; row += band_) {
    const std::int64_t at = ((out_first_.h + row * out_step_.h) * to_.width + out_first_.w) * shard_samples;
    ending.gate = gate ? gate + at : nullptr;
    const std::int64_t count = std::min(band_, last - row);
    if (run_count() > 0) pack_slab(k, from, row, count, reinterpret_cast<std::uint32_t*>(scratch));
    multiply(k, reinterpret_cast<const std::uint32_t*>(scratch), to + at, row, count, w, bias, ending);
  }
}

void TileSweep::run_parts(const VectorKernels& k, const float* from, float* part, const std::uint32_t* w,
                          const float* bias, std::byte* scratch,
                          const std::function<void(std::int64_t, std::int64_t)>& after) const {
  auto* const slab = reinterpret_cast<std::uint32_t*>(scratch);
  for (std::int64_t band = 0; band < rows_; band += band_) {
    const std::int64_t end = std::min(band + band_, rows_);
    pack_slab(k, from, band, end - band, slab);
    for (std::int64_t row = band; row < end; row += part_) {
      multiply(k, slab + (row - band) * (by_column() ? 1 : in_step_.h) * slab_width_ * pixel_words(), part, row,
               std::min(part_, end - row), w, bias, {});
      after(row, std::min(part_, end - row));
    }
  }
}

void TileSweep::pool(const VectorKernels& k, const float* from, float* y, std::uint8_t* argmax, const std::uint32_t* w,
                     const float* bias, std::byte* scratch) const {
  const auto member = [&](std::int64_t py, std::int64_t px) {
    const Pair g = form_.group;
    const std::int64_t tile = py / g.h * (window_.w / g.w) + px / g.w, pixel = py % g.h * g.w + px % g.w;
    return static_cast<std::int32_t>(tile * tile_words + pixel * std::min(tile_rows, to_.channels) * row_words);
  };
  auto* const slab = reinterpret_cast<std::uint32_t*>(scratch);
  for (std::int64_t row = 0; row < rows_; row += band_) {
    const std::int64_t rows = std::min(band_, rows_ - row),
                       at = row / window_.h * (columns_ / window_.w) * shard_samples;
    pack_slab(k, from, row, rows, slab);
    const TilePool pool{{member(0, 0), member(0, 1), member(1, 0), member(1, 1)}, argmax ? argmax + at : nullptr};
    TileProduct p = product(slab, rows, w, bias);
    p.y = y + at;
    p.pool = &pool;
    k.tiles->product(p);
  }
}

TileProduct TileSweep::product(const std::uint32_t* slab, std::int64_t rows, const std::uint32_t* w,
                               const float* bias) const {
  TileProduct p{};
  p.x = slab;
  p.x_pixel = x_pixel_.data();
  p.y_pixel = y_pixel_.data();
  p.pixels = rows * columns_ / form_.pixels();
  p.runs = runs();
  p.w = w;
  p.outs = to_.channels;
  p.bias = bias;
  p.y_out = y_out_;
  p.group = form_.pixels();
  p.y_next = out_step_.w * shard_samples;
  return p;
}

TileColumns TileSweep::columns(std::int64_t first, std::int64_t rows) const {
  const std::int64_t top = top_ + first;
  return {rows,
          band_,
          slab_width_ * pixel_words(),
          std::max<std::int64_t>(0, -top),
          from_.height - top,
          first_tile_.data(),
          last_tile_.data()};
}

void TileSweep::multiply(const VectorKernels& k, const std::uint32_t* slab, float* to, std::int64_t first,
                         std::int64_t rows, const std::uint32_t* w, const float* bias, Ending ending) const {
  TileProduct p = product(slab, rows, w, bias);
  const TileColumns by_column = columns(first, rows);
  if (by_output_columns_) p.columns = &by_column;
  p.relu = ending.relu;
  p.gate = ending.gate;
  p.y = to;
  k.tiles->product(p);
}

double TileSweep::cycles(const TileKernels& tiles, std::int64_t shards) const {
  const auto pixels = static_cast<double>(rows_ * columns_), steps = static_cast<double>(run_count() * runs().tiles());
  const double bands = static_cast<double>(rows_) / static_cast<double>(std::max<std::int64_t>(1, band_));
  const double packed = bands * static_cast<double>(slab_rows(band_) * slab_width_ * depth_);
  const auto group = static_cast<double>(form_.pixels());
  return pixels / group * steps * tiles.product_cycles(to_.channels * form_.pixels(), run_rows_) + packed * packed_row +
         pixels * static_cast<double>(to_.channels) * ended_row +
         static_cast<double>(weight_words()) * packed_weight / static_cast<double>(shards);
}

}  // namespace nw::cpu
