// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/support/sweep.hpp"

#include <algorithm>
#include <cstring>

namespace nw::cpu {
namespace {

constexpr std::int64_t cache_bytes = 384 << 10;  // of a core's L2 cache, for a slab
// of a core's L1 cache, for outputs that the caller consumes band by band
constexpr std::int64_t band_bytes = 24 << 10;
constexpr std::int64_t lane_bytes = shard_samples * 4;

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return (a >= 0 ? a : a - b + 1) / b; }
std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

ConvGeometry::ConvGeometry(const Step& step, const Lanes& image_x, const Lanes& image_y, const Value& weight)
    : x(image_x),
      y(image_y),
      kernel{weight.shape.rank() == 4 ? weight.shape[2] : 1, weight.shape.rank() == 4 ? weight.shape[3] : 1},
      stride(pair_attr(step, "stride", 1)),
      padding(pair_attr(step, "padding", 0)),
      dilation(pair_attr(step, "dilation", 1)),
      groups(int_attr(step.attrs, "groups", 1)),
      in_per_group(x.channels / groups),
      out_per_group(y.channels / groups) {}

void fill_slab(const Lanes& image, const float* from, std::int64_t channels, const Slab& s, float* to) {
  const std::int64_t x0 = std::clamp<std::int64_t>(-s.left, 0, s.width);
  const std::int64_t x1 = std::clamp<std::int64_t>(image.width - s.left, x0, s.width);
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t row = 0; row < s.height; ++row, to += s.width * shard_samples) {
      const std::int64_t iy = s.top + row;
      if (iy < 0 || iy >= image.height || x0 == x1) {
        std::fill_n(to, s.width * shard_samples, 0.0f);
        continue;
      }
      std::fill_n(to, x0 * shard_samples, 0.0f);
      std::memcpy(to + x0 * shard_samples, from + ((c * image.height + iy) * image.width + s.left + x0) * shard_samples,
                  static_cast<std::size_t>((x1 - x0) * lane_bytes));
      std::fill_n(to + x1 * shard_samples, (s.width - x1) * shard_samples, 0.0f);
    }
}

std::int64_t Sweep::slab_rows(std::int64_t band) const {
  std::int64_t last = 0;
  for (const Tap& t : taps) last = std::max(last, t.y);
  return (band - 1) * in_step.h + last + 1;
}

Slab Sweep::slab_of_band(std::int64_t first_row) const {
  return {top + first_row * in_step.h, left, slab_rows(std::min(band_rows_, rows - first_row)), slab_width_};
}

// Chooses the cheapest of a few partitions by the bytes they move: weights once per band, outputs twice for every
// channel block after the first, the copy of the slab. Weights that fit into the L2 cache beside the slab cost less.
void Sweep::choose_blocks() {
  const auto weight_bytes = static_cast<double>(channels_ * outs_ * static_cast<std::int64_t>(taps.size()) * 4);
  const auto out_bytes = static_cast<double>(outs_ * rows * columns * lane_bytes);
  double best = -1;
  for (std::int64_t bands = 1; bands <= rows; bands = bands < rows ? std::min(rows, bands * 2) : rows + 1) {
    const std::int64_t band = std::min(rows, ceil_div(ceil_div(rows, bands), row_unit) * row_unit);
    const std::int64_t row_bytes = slab_rows(band) * slab_width_ * lane_bytes;
    const std::int64_t block = std::clamp<std::int64_t>(cache_bytes / row_bytes, 1, channels_);
    const std::int64_t blocks = ceil_div(channels_, block), bands_now = ceil_div(rows, band);
    const double slab_bytes = static_cast<double>(bands_now * row_bytes * channels_);
    const double fits = row_bytes * block > 2 * cache_bytes ? 1e12 : 0;
    const double cost =
        weight_bytes * static_cast<double>(bands_now) * (weight_bytes < cache_bytes ? 0.3 : 1.0) +
        2 * out_bytes * static_cast<double>(blocks - 1 + (packed && outs_ * band * columns * lane_bytes > band_bytes)) +
        slab_bytes * (direct_ ? 1 : 2) + fits;
    if (best >= 0 && cost >= best) continue;
    best = cost;
    band_rows_ = band;
    block_channels_ = ceil_div(channels_, blocks);
  }
}

void Sweep::plan(const Lanes& in, const Lanes& out, std::int64_t channels, std::int64_t outs) {
  in_ = in;
  out_ = out;
  channels_ = taps.empty() ? 0 : channels;
  outs_ = outs;
  out_channel_ = out.pixels() * shard_samples;
  if (rows == 0 || columns == 0) return;
  std::int64_t last = 0;
  for (const Tap& t : taps) last = std::max(last, t.x);
  slab_width_ = (columns - 1) * in_step.w + last + 1;
  band_rows_ = rows;
  direct_ = taps.empty() || slab_of_band(0).inside(in);
  if (direct_) slab_width_ = in.width;
  if (channels_ > 0) choose_blocks();
  if (packed) out_channel_ = band_rows_ * columns * shard_samples;
  const auto offset = [](std::int64_t pixel) { return static_cast<std::int32_t>(pixel * shard_samples); };
  for (const Tap& t : taps) tap_offset_.push_back(offset(t.y * slab_width_ + t.x));
  for (std::int64_t r = 0; r < band_rows_; ++r)
    for (std::int64_t q = 0; q < columns; ++q) {
      x_pixel_.push_back(offset(r * in_step.h * slab_width_ + q * in_step.w));
      y_pixel_.push_back(offset(r * out_step.h * out.width + q * out_step.w));
    }
}

// The parts are bands if there are enough of them, otherwise ranges of outputs.
void Sweep::run(const VectorKernels& k, Part part, const float* from, float* to, const float* w,
                std::int64_t weight_row, const float* bias, Ending ending, std::byte* scratch) const {
  const float* const gate = ending.gate;
  const std::int64_t bands = ceil_div(rows, band_rows_);
  const Part by_band = bands >= part.count ? part : Part{}, by_out = bands >= part.count ? Part{} : part;
  for (std::int64_t band = by_band.begin(bands); band < by_band.end(bands); ++band) {
    const std::int64_t row = band * band_rows_,
                       first = ((out_first.h + row * out_step.h) * out_.width + out_first.w) * shard_samples;
    ending.gate = gate ? gate + first : nullptr;
    run_outs(k, row, by_out.begin(outs_), by_out.end(outs_), from, to + first, w, weight_row, bias, ending, scratch);
  }
}

void Sweep::run_outs(const VectorKernels& k, std::int64_t row, std::int64_t first, std::int64_t last, const float* from,
                     float* to, const float* w, std::int64_t weight_row, const float* bias, Ending ending,
                     std::byte* scratch) const {
  const auto tap_count = static_cast<std::int64_t>(taps.size());
  Product p{};
  p.tap_offset = tap_offset_.data();
  p.x_pixel = x_pixel_.data();
  p.y_pixel = y_pixel_.data();
  p.taps = tap_count;
  p.pixels = rows_of(row) * columns;
  p.outs = last - first;
  p.w_out = weight_row;
  p.w_term = 1;
  p.bias = bias ? bias + first : nullptr;
  p.y = to + first * out_channel_;
  p.y_out = out_channel_;
  const Slab slab = slab_of_band(row);
  for (std::int64_t c = 0; c == 0 || c < channels_; c += block_channels_) {
    const bool complete = c + block_channels_ >= channels_;
    p.channels = std::min(block_channels_, channels_ - c);
    p.accumulate = c > 0;
    p.relu = ending.relu && complete;
    p.gate = complete && ending.gate ? ending.gate + first * out_channel_ : nullptr;
    p.w = w + first * weight_row + c * tap_count;
    const float* image = from + c * in_.pixels() * shard_samples;
    if (direct_) {
      p.x = image + (slab.top * in_.width + slab.left) * shard_samples;
      p.x_channel = in_.pixels() * shard_samples;
    } else {
      fill_slab(in_, image, p.channels, slab, reinterpret_cast<float*>(scratch));
      p.x = reinterpret_cast<const float*>(scratch);
      p.x_channel = slab.height * slab.width * shard_samples;
    }
    k.product(p);
  }
}

namespace {

Sweep sweep_over_outputs(const ConvGeometry& g, std::int64_t row_unit, bool packed) {
  Sweep s;
  s.row_unit = row_unit;
  s.packed = packed;
  for (std::int64_t ky = 0; ky < g.kernel.h; ++ky)
    for (std::int64_t kx = 0; kx < g.kernel.w; ++kx) {
      s.taps.push_back({ky * g.dilation.h, kx * g.dilation.w});
      s.tap_index.push_back(ky * g.kernel.w + kx);
    }
  s.top = -g.padding.h;
  s.left = -g.padding.w;
  s.rows = g.y.height;
  s.columns = g.y.width;
  s.in_step = g.stride;
  s.plan(g.x, g.y, g.in_per_group, g.out_per_group);
  return s;
}

}  // namespace

Sweep forward_sweep(const ConvGeometry& g) { return sweep_over_outputs(g, 1, false); }
Sweep pooled_sweep(const ConvGeometry& g, std::int64_t window_rows) { return sweep_over_outputs(g, window_rows, true); }

// Input row iy = stride * a + residue receives dy[(iy + padding - ky * dilation) / stride] from each ky for which the
// division has no remainder.
std::vector<Sweep> input_gradient_sweeps(const ConvGeometry& g) {
  std::vector<Sweep> sweeps;
  for (std::int64_t ry = 0; ry < std::min(g.stride.h, g.x.height); ++ry)
    for (std::int64_t rx = 0; rx < std::min(g.stride.w, g.x.width); ++rx) {
      Sweep s;
      for (std::int64_t ky = 0; ky < g.kernel.h; ++ky)
        for (std::int64_t kx = 0; kx < g.kernel.w; ++kx) {
          const std::int64_t y = ry + g.padding.h - ky * g.dilation.h, x = rx + g.padding.w - kx * g.dilation.w;
          if (floor_div(y, g.stride.h) * g.stride.h != y || floor_div(x, g.stride.w) * g.stride.w != x) continue;
          s.taps.push_back({floor_div(y, g.stride.h), floor_div(x, g.stride.w)});
          s.tap_index.push_back(ky * g.kernel.w + kx);
        }
      if (!s.taps.empty()) {
        s.top = std::min_element(s.taps.begin(), s.taps.end(), [](Tap a, Tap b) { return a.y < b.y; })->y;
        s.left = std::min_element(s.taps.begin(), s.taps.end(), [](Tap a, Tap b) { return a.x < b.x; })->x;
        for (Tap& t : s.taps) t = {t.y - s.top, t.x - s.left};
      }
      s.rows = (g.x.height - ry + g.stride.h - 1) / g.stride.h;
      s.columns = (g.x.width - rx + g.stride.w - 1) / g.stride.w;
      s.out_step = g.stride;
      s.out_first = {ry, rx};
      s.plan(g.y, g.x, g.out_per_group, g.in_per_group);
      sweeps.push_back(std::move(s));
    }
  return sweeps;
}

ConvGeometry pooled_geometry(const Step& step, const Lanes& x, const Lanes& pooled, const Value& weight) {
  const Pair window = pair_attr(step, "window", 1);
  return {step, x, {nullptr, pooled.channels, pooled.height * window.h, pooled.width * window.w}, weight};
}

}  // namespace nw::cpu
