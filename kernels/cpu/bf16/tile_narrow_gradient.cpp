// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/bf16/tile_narrow_gradient.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/cpu/bf16/tile_costs.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t most_channels = 4, max_bytes = 1 << 20, parts_wanted = 2;
constexpr std::int64_t whole_windows = 2;      // rows of a part are a multiple, so that most pools have whole windows
constexpr std::int64_t near_bytes = 32 << 10;  // of the L1 cache, for the rows of x that a row of dy reads
constexpr double near_product = 1.5, far_product = 5, deep_product = 1.1;  // cycles relative to the rows of a tile
constexpr double fewest_products = 3.25;       // fewer products are bound by the latency of one
constexpr std::int64_t step_bytes = 24 << 10;  // of the L1 cache, for packed rows of dy that are multiplied next

std::int64_t parts_of(std::int64_t count, std::int64_t each) { return (count + each - 1) / each; }

// The number of adjacent pixels whose outputs fill the rows of a tile; it divides the width.
std::int64_t beside_for(const ConvGeometry& g) {
  for (std::int64_t n = tile_rows / g.y.channels; n > 1; --n)
    if (g.y.width % n == 0) return n;
  return 1;
}

}  // namespace

bool NarrowGradient::fits(const ConvGeometry& g) {
  return g.groups == 1 && g.dilation.w == 1 && g.x.channels <= most_channels && g.y.pixels() > 0;
}

NarrowGradient::NarrowGradient(const ConvGeometry& g, std::int64_t shards, const PooledGradient& pooled)
    : g_(g), pooled_(pooled), units_(parts_of(shards, 2)) {
  out_tiles_ = parts_of(g.y.channels, tile_rows);
  const std::int64_t tall = std::clamp<std::int64_t>(tile_rows / g.y.channels, 1, 2);
  Form best;
  double least = 1e300;
  for (const Form& form : {Form{1, 1, beside_for(g)}, Form{2, tall, 1}, Form{4, tall, 1}})
    if (choose(form) && cycles(amx_product_cycles) < least) {
      best = form;
      least = cycles(amx_product_cycles);
    }
  choose(best);
  lay_offsets();
  lay_places();
}

// Depends on the shape alone, since sums must not depend on the batch. False: the geometry does not have this form.
bool NarrowGradient::choose(const Form& form) {
  form_ = form;
  if (form.deep() && (form.tall == 1 || g_.dilation.h != 1 || g_.y.height % form.above != 0)) return false;
  depth_ = numbers();
  while (form.deep() && (depth_ < row_words ? row_words % depth_ : depth_ % row_words) != 0) ++depth_;
  phases_ = line() / std::gcd(line(), g_.stride.w);
  width_ = round_up(column_words() + column_tiles() * row_words, row_words);
  const std::int64_t whole = std::max(form.above, whole_windows);
  rows_ = round_up(parts_of(g_.y.height, std::min(parts_wanted, g_.y.height)), whole);
  const std::int64_t unit = std::max(form.tall, pooled_.kernel.h),
                     row_bytes = g_.y.width * g_.y.channels * row_words * 4;
  const auto lay = [&] {
    step_ =
        form.deep() ? form.tall : std::min(rows_, std::max<std::int64_t>(1, step_bytes / (unit * row_bytes)) * unit);
  };
  for (lay(); rows_ > whole && scratch_bytes() > max_bytes; lay()) rows_ = round_up((rows_ + 1) / 2, whole);
  parts_ = parts_of(g_.y.height, rows_);
  return true;
}

void NarrowGradient::lay_offsets() {
  for (std::int64_t ky = 0; ky < (form_.deep() ? 1 : g_.kernel.h); ++ky)
    for (std::int64_t t = 0; t < column_tiles(); ++t)
      offset_.push_back(static_cast<std::int32_t>(ky * g_.dilation.h * slab_row() + t * row_words));
  for (std::int64_t phase = 0; phase < phases_; ++phase)
    phase_.push_back(static_cast<std::int32_t>((phase * g_.stride.w - shift(phase)) * depth_));
}

// The offset of a row of pixels from the first row of its part, in words; the outputs of a group are adjacent.
std::int64_t NarrowGradient::dy_place(std::int64_t row) const {
  return (row / form_.tall * g_.y.width * form_.tall + row % form_.tall) * g_.y.channels * row_words;
}

// Packs x from row `y` of the image on: [pair of images][column, row, channel]; zeros around the image.
void NarrowGradient::pack_x(const VectorKernels& k, const Part& part, std::int64_t y, std::uint32_t* lying,
                            std::uint32_t* to) const {
  const std::int64_t seen = std::min(g_.x.width, (g_.y.width - 1) * g_.stride.w + g_.kernel.w - g_.padding.w),
                     turned = round_up(column_words(), row_words);
  for (std::int64_t n = 0; n < numbers(); ++n) {
    const std::int64_t row = y + n / g_.x.channels;
    const bool inside = row >= 0 && row < g_.x.height;
    const float* const a =
        inside ? g_.x.shard(2 * part.unit) + (n % g_.x.channels * g_.x.height + row) * g_.x.width * shard_samples
               : nullptr;
    k.tile.pair_lanes({a, inside && part.both ? a + g_.x.floats() : nullptr, shard_samples, seen,
                       lying + (g_.padding.w * depth_ + n) * row_words, depth_ * row_words});
  }
  k.rows_from_lanes(reinterpret_cast<const float*>(lying), row_words, turned, reinterpret_cast<float*>(to), width_);
  for (std::int64_t pair = 0; pair < row_words; ++pair) std::fill_n(to + pair * width_ + turned, width_ - turned, 0u);
}

void NarrowGradient::pack_dy(const VectorKernels& k, const Part& part, std::uint32_t* to, float* biases) const {
  const std::int64_t outs = g_.y.channels, width = g_.y.width;
  for (std::int64_t o = 0; o < outs; ++o)
    for (std::int64_t r = 0; r < part.rows; ++r) {
      const float* const a = g_.y.shard(2 * part.unit) + (o * g_.y.pixels() + (part.first + r) * width) * shard_samples;
      const float* const b = part.both ? a + g_.y.floats() : nullptr;
      k.tile.pair_lanes({a, b, shard_samples, width, to + dy_place(r) + o * row_words, form_.tall * outs * row_words});
      k.tile.sum_rounded(a, width, biases + o * row_words);
      if (b) k.tile.sum_rounded(b, width, biases + o * row_words);
    }
}

void NarrowGradient::pack_pooled(const VectorKernels& k, const Part& part, std::uint32_t* to, float* biases) const {
  const Lanes& pooled = pooled_.dy;
  const std::int64_t outs = g_.y.channels, next = part.both ? pooled.floats() : 0, high = pooled_.kernel.h;
  for (std::int64_t o = 0; o < outs; ++o)
    for (std::int64_t r = 0; r < part.rows; r += high) {
      const std::int64_t at = 2 * part.unit * pooled.floats() +
                              (o * pooled.pixels() + (part.first + r) / high * pooled.width) * shard_samples;
      const float *const dy = pooled.p + at, *const gate = pooled_.gate.p ? pooled_.gate.p + at : nullptr;
      const std::uint8_t* const argmax = pooled_.argmax + at;
      k.tile.pair_pooled({{dy, part.both ? dy + next : nullptr},
                          {gate, gate ? gate + next : nullptr},
                          {argmax, argmax + next},
                          pooled.width,
                          high,
                          pooled_.kernel.w,
                          to + dy_place(r) + o * row_words,
                          dy_place(1),
                          form_.tall * outs * row_words,
                          biases + o * row_words});
    }
}

void NarrowGradient::multiply(const VectorKernels& k, const Part& part, const std::uint32_t* dy, const std::uint32_t* x,
                              bool add, float* acc) const {
  const std::int64_t outs = g_.y.channels, group = form_.pixels() * outs,
                     next = form_.beside * g_.stride.w * phases_ * depth_;
  const std::int64_t first = form_.deep() ? part.first % form_.above / form_.tall : 0,
                     tiles = form_.deep() ? 1 : out_tiles_;
  for (std::int64_t tile = 0; tile < tiles; ++tile)
    k.tiles->correlation({dy + tile * tile_words, std::min(tile_rows, group), group * row_words, x, width_,
                          g_.stride.h * slab_row(), phases_, phase_.data(), next, offset_.data(),
                          phases_ > 1 ? row_words : std::min(span(), row_words), products(), part.rows / form_.tall,
                          g_.y.width / form_.beside, acc + (first + tile) * tile_sums(), add});
}

// In steps of a few rows, so that packed rows are still in the L1 cache when they are multiplied.
void NarrowGradient::run(const VectorKernels& k, std::int64_t task, std::int64_t shards, float* sums_of_tasks,
                         std::byte* scratch) const {
  Part part{task / parts_, task % parts_ * rows_, 0, false};
  const std::int64_t first = part.first, last = std::min(first + rows_, g_.y.height);
  if (2 * part.unit >= shards) return;
  part.both = 2 * part.unit + 1 < shards;
  auto* const x = reinterpret_cast<std::uint32_t*>(scratch);
  std::uint32_t *const lying = x + x_words(), *const dy = lying + lying_words();
  auto* const biases = reinterpret_cast<float*>(dy + dy_words());
  float* const acc = sums_of_tasks + task * sums();
  std::fill_n(lying, lying_words(), 0u);
  std::fill_n(biases, lane_sums(), 0.0f);
  const auto image_row = [&](std::int64_t row) { return row * g_.stride.h - g_.padding.h; };
  for (std::int64_t r = 0; !form_.deep() && r < image_rows(last - first); ++r)
    pack_x(k, part, image_row(first) + r, lying, x + r * slab_row());
  for (; part.first < last; part.first += step_) {
    const std::int64_t done = part.first - first;
    part.rows = std::min(step_, last - part.first);
    if (form_.deep() && done % form_.above == 0) pack_x(k, part, image_row(part.first), lying, x);
    if (pooled_.dy.p)
      pack_pooled(k, part, dy, biases);
    else
      pack_dy(k, part, dy, biases);
    multiply(k, part, dy, form_.deep() ? x : x + done * g_.stride.h * slab_row(), done >= form_.above, acc);
  }
  k.sum_lanes(biases, g_.y.channels, acc + dy_tiles() * tile_sums(), false);
}

// Computes the offsets of each weight's partial sums among the sums of a tile of outputs; each is the first of its
// group.
void NarrowGradient::lay_places() {
  const std::int64_t pixels = dy_tiles() / out_tiles_ * form_.pixels();
  for (std::int64_t c = 0; c < g_.x.channels; ++c)
    for (std::int64_t ky = 0; ky < g_.kernel.h; ++ky)
      for (std::int64_t kx = 0; kx < g_.kernel.w; ++kx)
        for (std::int64_t part = 0; part < phases_ * pixels; ++part) {
          const std::int64_t phase = part / pixels, pixel = part % pixels,
                             below = form_.deep() ? ky + pixel * g_.stride.h : 0;
          const std::int64_t column = shift(phase) + kx + (form_.deep() ? 0 : pixel * g_.stride.w),
                             word = column * depth_ + below * g_.x.channels + c;
          const std::int64_t product = (form_.deep() ? 0 : ky) * column_tiles() + word / row_words,
                             tile = pixel / form_.pixels() * phases_ + phase;
          places_.push_back(static_cast<std::int32_t>((tile * products() + product) * tile_words +
                                                      pixel % form_.pixels() * g_.y.channels * row_words +
                                                      word % row_words));
        }
}

void NarrowGradient::collect(const VectorKernels& k, std::int64_t tile, std::int64_t shards, const float* sums_of_tasks,
                             float* dw, float* db, std::byte* scratch) const {
  const std::int64_t tasks = parts_of(shards, 2) * parts_, floats = dy_tiles() / out_tiles_ * tile_sums(),
                     last = std::min(g_.y.channels, (tile + 1) * tile_rows);
  auto* const total = reinterpret_cast<float*>(scratch);
  k.sum_parts(sums_of_tasks + tile * floats, sums(), tasks, floats, total);
  const std::int64_t row = g_.weight_row(), parts = std::ssize(places_) / row;
  for (std::int64_t o = tile * tile_rows; o < last; ++o)
    for (std::int64_t i = 0; i < row; ++i) {
      float sum = 0;
      for (std::int64_t part = 0; part < parts; ++part)
        sum += total[places_[static_cast<std::size_t>(i * parts + part)] + o % tile_rows * row_words];
      dw[o * row + i] = sum;
    }
  if (db)
    k.sum_parts(sums_of_tasks + dy_tiles() * tile_sums() + tile * tile_rows, sums(), tasks, last - tile * tile_rows,
                db + tile * tile_rows);
}

double NarrowGradient::cycles(double (*product_cycles)(std::int64_t, std::int64_t)) const {
  const auto pixels = static_cast<double>(g_.y.pixels()),
             made = std::max(fewest_products, static_cast<double>(products())) * static_cast<double>(out_tiles_);
  const std::int64_t slab_rows = form_.deep() ? g_.y.height / form_.above : parts_ * image_rows(rows_);
  const auto turned = static_cast<double>(slab_rows * parts_of(column_words(), row_words));
  const double each = form_.deep()                                 ? deep_product
                      : g_.kernel.h * slab_row() * 4 <= near_bytes ? near_product
                                                                   : far_product;
  const double slower = product_cycles(tile_rows, tile_rows) / amx_product_cycles(tile_rows, tile_rows);
  const double unit =
      pixels / static_cast<double>(form_.pixels()) * made * each * static_cast<double>(tile_rows) * slower +
      turned * (turned_tile + tile_rows * packed_row) + pixels * static_cast<double>(g_.y.channels) * packed_row;
  return unit / 2;
}

}  // namespace nw::cpu
