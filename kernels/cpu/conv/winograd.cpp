// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/conv/winograd.hpp"

#include <algorithm>

#include "kernels/cpu/bf16/tile_products.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t fewest_channels = 8, smallest_image = 4;
constexpr std::int64_t lane_bytes = shard_samples * 4;
constexpr std::int64_t block_bytes = 1 << 20;  // of the L2 cache, for the tiles of winograd_conv2d
constexpr double last_cache_bytes = 20 << 20;  // of the L3 cache, for weights
// between frequencies, so that they do not map to the same cache sets
constexpr std::int64_t padding_floats = 16;

std::int64_t tiles_of(std::int64_t size, std::int64_t m) { return (size + m - 1) / m; }

/// Approximate cycles for one shard, fitted to measurements with AVX-512. A product of vectors takes half a cycle at an
/// efficiency of about 80 %.
// transform, turned_transform: of the 16 lanes of one number; prepared: of one weight
constexpr double product = 0.5 / 0.8, transform = 12, turned_transform = 25, prepared = 1.5;
// a transposed block of 16 numbers of 16 samples, so that the sum runs over samples
constexpr double turned_block = 110;
double sum_of(const Lanes& a, const Lanes& b) { return static_cast<double>(a.channels + b.channels); }
double weights_of(const Lanes& from, const Lanes& to) { return static_cast<double>(from.channels * to.channels); }

/// The products of a frequency take at least the time in which its weights arrive from the L3 cache or from memory.
double cost(const WinogradKernels& f, const Lanes& from, const Lanes& to) {
  const auto n2 = static_cast<double>(f.n() * f.n()),
             tiles = static_cast<double>(tiles_of(to.height, f.m) * tiles_of(to.width, f.m));
  const double weights = weights_of(from, to), coming = n2 * weights * 4 > last_cache_bytes ? 2.0 : 0.8;
  return n2 * (weights * (std::max(tiles * product, coming) + prepared) + transform * tiles * sum_of(from, to));
}
double gradient_cost(const WinogradKernels& f, const Lanes& x, const Lanes& y) {
  const auto n2 = static_cast<double>(f.n() * f.n()),
             tiles = static_cast<double>(tiles_of(y.height, f.m) * tiles_of(y.width, f.m));
  const auto columns = static_cast<double>(round_up(x.channels, shard_samples)), outs = static_cast<double>(y.channels);
  return n2 * tiles * (columns * outs * product + turned_transform * columns + transform * outs);
}
double direct_cost(const ConvGeometry& g, const Lanes& from, const Lanes& to) {
  return product * static_cast<double>(g.taps() * to.pixels()) * weights_of(from, to);
}

bool fits(const ConvGeometry& g, const Lanes& from, const Lanes& to, Pair padding) {
  const auto both = [](Pair p, std::int64_t v) { return p.h == v && p.w == v; };
  return both(g.kernel, g.kernel.h) && both(g.stride, 1) && both(g.dilation, 1) && g.groups == 1 && padding.h >= 0 &&
         padding.w >= 0 && std::min(from.channels, to.channels) >= fewest_channels &&
         std::min(to.height, to.width) >= smallest_image;
}

template <class Cost>
std::optional<Winograd> form(const VectorKernels& k, const ConvGeometry& g, const Lanes& from, const Lanes& to,
                             Pair padding, Cost cost) {
  if (!fits(g, from, to, padding)) return std::nullopt;
  const WinogradKernels* best = nullptr;
  double least = 0.9 * direct_cost(g, from, to);
  for (const WinogradKernels* f : *k.winograd)
    if (f->r == g.kernel.h && cost(*f, from, to) < least) {
      best = f;
      least = cost(*f, from, to);
    }
  if (!best) return std::nullopt;
  return Winograd{best, from, to, padding, tiles_of(to.height, best->m), tiles_of(to.width, best->m)};
}

template <class Cost>
// the direct form has the same number of products in each direction
double min_cycles(const std::optional<Winograd>& f, const ConvGeometry& g, Cost cost) {
  return f ? cost(*f->kernels, f->from, f->to) : direct_cost(g, g.x, g.y) / static_cast<double>(g.groups);
}

std::string choice(const Winograd& f, const VectorKernels& k) {
  return fmt::format("winograd {0}x{0} of {1}x{1}, {2}", f.kernels->m, f.kernels->r, k.isa);
}

/// Tiles that are processed together: some whole rows of tiles, or part of a row.
struct Blocks {
  std::int64_t rows = 1, columns = 1;
  std::int64_t in_frequency = 0, out_frequency = 0;  // floats
  std::vector<std::int32_t> pixel;
  explicit Blocks(const Winograd& f) {
    const std::int64_t tile_bytes = f.frequencies() * (f.from.channels + f.to.channels) * lane_bytes;
    const std::int64_t tiles = std::max<std::int64_t>(4, block_bytes / tile_bytes);
    rows = std::clamp<std::int64_t>(tiles / f.columns, 1, f.rows);
    const std::int64_t parts = rows > 1 ? 1 : (f.columns + tiles - 1) / tiles;
    columns = (f.columns + parts - 1) / parts;
    in_frequency = f.from.channels * tiles_floats() + padding_floats;
    out_frequency = f.to.channels * tiles_floats() + padding_floats;
    for (std::int64_t t = 0; t < rows * columns; ++t) pixel.push_back(static_cast<std::int32_t>(t * shard_samples));
  }
  std::int64_t tiles_floats() const { return rows * columns * shard_samples; }
};

class Convolution {
 public:
  Convolution(const Winograd& f, const VectorKernels& k, TileEnding ending)
      : f_(f), blocks_(f), k_(k), ending_(ending) {}
  std::int64_t scratch_bytes() const { return f_.frequencies() * (blocks_.in_frequency + blocks_.out_frequency) * 4; }

  double cycles() const { return cost(*f_.kernels, f_.from, f_.to); }
  void run(std::int64_t shard, Part rows, const float* weights, std::byte* scratch) const {
    auto* const in = reinterpret_cast<float*>(scratch);
    float* const out = in + f_.frequencies() * blocks_.in_frequency;
    TileEnding ending = ending_;
    if (ending.gate) ending.gate += shard * f_.to.floats();
    for (std::int64_t row = rows.begin(f_.rows); row < rows.end(f_.rows); row += blocks_.rows)
      for (std::int64_t column = 0; column < f_.columns; column += blocks_.columns) {
        const Block part{row, std::min(blocks_.rows, rows.end(f_.rows) - row), column,
                         std::min(blocks_.columns, f_.columns - column)};
        for (std::int64_t r = 0; r < part.rows; ++r)
          f_.kernels->image(tiles(f_.from, part, r, f_.padding, blocks_.in_frequency), f_.from.shard(shard),
                            in + r * part.columns * shard_samples);
        for (std::int64_t i = 0; i < f_.frequencies(); ++i) multiply(part, weights, i, in, out);
        for (std::int64_t r = 0; r < part.rows; ++r)
          f_.kernels->result(tiles(f_.to, part, r, {0, 0}, blocks_.out_frequency),
                             out + r * part.columns * shard_samples, ending, f_.to.shard(shard));
      }
  }

 private:
  struct Block {
    std::int64_t row, rows, column, columns;  // in tiles
    std::int64_t floats() const { return rows * columns * shard_samples; }
  };
  TileRow tiles(const Lanes& image, const Block& part, std::int64_t row, Pair padding, std::int64_t frequency) const {
    return {image.channels,
            image.height,
            image.width,
            (part.row + row) * f_.kernels->m - padding.h,
            part.column * f_.kernels->m - padding.w,
            part.columns,
            frequency,
            part.floats(),
            shard_samples};
  }
  void multiply(const Block& part, const float* weights, std::int64_t i, const float* in, float* out) const {
    static constexpr std::int32_t here = 0;
    Product p{};
    p.x = in + i * blocks_.in_frequency;
    p.x_channel = p.y_out = part.floats();
    p.channels = f_.from.channels;
    p.tap_offset = &here;
    p.x_pixel = p.y_pixel = blocks_.pixel.data();
    p.taps = 1;
    p.pixels = part.rows * part.columns;
    p.outs = f_.to.channels;
    p.w = weights + i * f_.from.channels * f_.to.channels;
    p.w_out = f_.from.channels;
    p.w_term = 1;
    p.y = out + i * blocks_.out_frequency;
    k_.product(p);
  }

  const Winograd f_;
  const Blocks blocks_;
  const VectorKernels& k_;
  const TileEnding ending_;
};

}  // namespace

std::optional<Winograd> winograd_forward(const VectorKernels& k, const ConvGeometry& g) {
  return form(k, g, g.x, g.y, g.padding, cost);
}

std::optional<Winograd> winograd_grad_weight(const VectorKernels& k, const ConvGeometry& g) {
  return form(k, g, g.x, g.y, g.padding, gradient_cost);
}

std::optional<Winograd> winograd_backward(const VectorKernels& k, const ConvGeometry& g) {
  return form(k, g, g.y, g.x, {g.kernel.h - 1 - g.padding.h, g.kernel.w - 1 - g.padding.w}, cost);
}

double forward_cycles(const VectorKernels& k, const ConvGeometry& g) {
  return min_cycles(winograd_forward(k, g), g, cost);
}
double backward_cycles(const VectorKernels& k, const ConvGeometry& g) {
  return min_cycles(winograd_backward(k, g), g, cost);
}
double grad_weight_cycles(const VectorKernels& k, const ConvGeometry& g) {
  if (!is_pointwise(g)) return min_cycles(winograd_grad_weight(k, g), g, gradient_cost);
  const auto pixels = static_cast<double>(g.y.pixels()),
             columns = static_cast<double>(round_up(g.x.channels, shard_samples));
  return pixels * columns *
         (product * static_cast<double>(g.y.channels) + turned_block / static_cast<double>(shard_samples));
}

PreparedKernel winograd_conv2d(KernelContext& c, const Winograd& f, const float* w, bool backward, const float* bias,
                               bool relu, const float* gate) {
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  auto convolution = std::make_shared<const Convolution>(f, k, TileEnding{bias, relu, gate});
  c.need_worker_scratch(convolution->scratch_bytes());
  const std::int64_t outs = f.to.channels, ins = f.from.channels;
  const std::int64_t each = f.kernels->r * f.kernels->r;
  const TapWeights taps =
      backward ? TapWeights{w, each, outs * each, outs, ins, true} : TapWeights{w, ins * each, each, outs, ins, false};
  c.need_shared_scratch(f.frequencies() * outs * ins * 4);
  constexpr std::int64_t together = 8;
  const KernelPhase weights{tiles_of(outs, together), false, [=, &state, kernels = f.kernels](std::int64_t t, int) {
                              kernels->weights(taps, t * together, std::min((t + 1) * together, outs),
                                               reinterpret_cast<float*>(state.shared_scratch));
                            }};
  return {{weights, per_shard(c, convolution->cycles(),
                              [=, &state](std::int64_t s, Part rows, int worker) {
                                convolution->run(s, rows, reinterpret_cast<const float*>(state.shared_scratch),
                                                 state.worker_scratch[static_cast<std::size_t>(worker)]);
                              })},
          (backward ? "input gradient, " : "") + choice(f, k)};
}

namespace {

/// The weight gradient: as many rows of tiles at a time as fit into the L3 cache; the products of each frequency are
/// summed over the tiles and images of such a group, and over all groups in order. x is transposed so that its channels
/// are the vectors; dy is broadcast.
class WeightSums {
 public:
  WeightSums(const Winograd& f, const VectorKernels& k, std::int64_t shards)
      : f_(f), k_(k), x_row_(round_up(f.from.channels, panel_columns)) {
    const std::int64_t row_bytes = f.frequencies() * (x_row_ + f.to.channels) * f.columns * lane_bytes;
    group_ = std::clamp<std::int64_t>(group_bytes / row_bytes, 1, shards * f.rows);
    groups_ = tiles_of(shards * f.rows, group_);
    x_frequency_ = group_ * f.columns * shard_samples * x_row_ + padding_floats;
    dy_frequency_ = group_ * f.columns * shard_samples * f.to.channels + padding_floats;
  }
  std::int64_t groups() const { return groups_; }
  std::int64_t sums() const { return f_.frequencies() * f_.from.channels * f_.to.channels; }
  std::int64_t shared_bytes() const {
    return (round_up(sums(), 16) + f_.frequencies() * (x_frequency_ + dy_frequency_)) * 4;
  }
  std::int64_t worker_bytes() const { return f_.frequencies() * lanes_frequency() * 4; }

  std::int64_t transform_tasks() const { return group_ * (blocks_of(f_.from) + blocks_of(f_.to)); }
  /// Transforms a row of tiles of some channels of x or dy.
  void transform(std::int64_t task, std::int64_t group, std::int64_t shards, float* shared, std::byte* scratch) const {
    const std::int64_t row = task % group_, block = task / group_, unit = group * group_ + row;
    if (unit >= shards * f_.rows) return;
    if (block < blocks_of(f_.from))
      transform_x(unit, row, block * channels_together, shared, reinterpret_cast<float*>(scratch));
    else
      transform_dy(unit, row, (block - blocks_of(f_.from)) * channels_together, shared);
  }

  std::int64_t multiply_tasks() const { return f_.frequencies() * out_parts(); }
  /// Computes one frequency for some channels of dy and all channels of x.
  void multiply(std::int64_t task, std::int64_t group, std::int64_t shards, float* shared) const {
    const std::int64_t frequency = task / out_parts(), part = task % out_parts(), outs = f_.to.channels;
    const std::int64_t rows = std::min(group_, shards * f_.rows - group * group_);
    if (rows <= 0) return;
    k_.outer_product({x(shared) + frequency * x_frequency_, panel(), f_.from.channels,
                      dy(shared) + frequency * dy_frequency_, shard_samples, outs * shard_samples, rows * f_.columns,
                      part * outs_together, std::min((part + 1) * outs_together, outs),
                      shared + frequency * outs * f_.from.channels, f_.from.channels, group > 0, nullptr});
  }

 private:
  static constexpr std::int64_t group_bytes = 8 << 20, channels_together = 32, outs_together = 96;
  static std::int64_t blocks_of(const Lanes& image) { return tiles_of(image.channels, channels_together); }
  std::int64_t out_parts() const { return tiles_of(f_.to.channels, outs_together); }
  std::int64_t panel() const { return group_ * f_.columns * shard_samples * panel_columns; }
  std::int64_t lanes_frequency() const { return f_.columns * channels_together * shard_samples + padding_floats; }
  float* x(float* shared) const { return shared + round_up(sums(), 16); }
  float* dy(float* shared) const { return x(shared) + f_.frequencies() * x_frequency_; }
  TileRow tiles(const Lanes& image, std::int64_t unit, std::int64_t first, Pair padding) const {
    return {std::min(channels_together, image.channels - first),
            image.height,
            image.width,
            unit % f_.rows * f_.kernels->m - padding.h,
            -padding.w,
            f_.columns,
            0,
            shard_samples,
            0};
  }
  const float* pixels(const Lanes& image, std::int64_t unit, std::int64_t first) const {
    return image.shard(unit / f_.rows) + first * image.pixels() * shard_samples;
  }
  void transform_x(std::int64_t unit, std::int64_t row, std::int64_t first, float* shared, float* scratch) const {
    TileRow t = tiles(f_.from, unit, first, f_.padding);
    t.frequency = lanes_frequency();
    t.tile = channels_together * shard_samples;
    f_.kernels->image(t, pixels(f_.from, unit, first), scratch);
    float* const to = x(shared) + first / panel_columns * panel() + row * f_.columns * shard_samples * panel_columns +
                      first % panel_columns;
    for (std::int64_t f = 0; f < f_.frequencies(); ++f)
      for (std::int64_t i = 0; i < f_.columns; ++i)
        // the padding columns after the last channel are not used
        k_.rows_from_lanes(scratch + f * t.frequency + i * t.tile, shard_samples, round_up(t.channels, shard_samples),
                           to + f * x_frequency_ + i * shard_samples * panel_columns, panel_columns);
  }
  void transform_dy(std::int64_t unit, std::int64_t row, std::int64_t first, float* shared) const {
    TileRow t = tiles(f_.to, unit, first, {0, 0});
    t.frequency = dy_frequency_;
    t.tile = f_.to.channels * shard_samples;
    f_.kernels->gradient(t, pixels(f_.to, unit, first), dy(shared) + row * f_.columns * t.tile + first * shard_samples);
  }

  const Winograd f_;
  const VectorKernels& k_;
  const std::int64_t x_row_;
  std::int64_t group_ = 1, groups_ = 1, x_frequency_ = 0, dy_frequency_ = 0;
};

}  // namespace

void add_winograd_grad_weight(KernelContext& c, const Winograd& f, PreparedKernel& kernel) {
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  auto sums = std::make_shared<const WeightSums>(f, k, shards_for(c.plan.batch));
  c.need_shared_scratch(sums->shared_bytes());
  c.need_worker_scratch(sums->worker_bytes());
  for (std::int64_t group = 0; group < sums->groups(); ++group) {
    kernel.phases.push_back({sums->transform_tasks(), false, [=, &state](std::int64_t t, int worker) {
                               sums->transform(t, group, state.active_shards,
                                               reinterpret_cast<float*>(state.shared_scratch),
                                               state.worker_scratch[static_cast<std::size_t>(worker)]);
                             }});
    kernel.phases.push_back({sums->multiply_tasks(), false, [=, &state](std::int64_t t, int) {
                               sums->multiply(t, group, state.active_shards,
                                              reinterpret_cast<float*>(state.shared_scratch));
                             }});
  }
  constexpr std::int64_t together = 8;
  const std::int64_t outs = f.to.channels, ins = f.from.channels, tasks = tiles_of(outs, together);
  double* const squares = c.square_sums(0, tasks);
  float* const dw = c.out(0);
  kernel.phases.push_back({tasks, false, [=, &k, &state, kernels = f.kernels](std::int64_t t, int) {
                             const std::int64_t first = t * together, last = std::min(first + together, outs);
                             kernels->weight_gradient(reinterpret_cast<const float*>(state.shared_scratch), first, last,
                                                      outs, ins, dw);
                             const std::int64_t row = ins * kernels->r * kernels->r;
                             if (squares) squares[t] = k.square_sum(dw + first * row, (last - first) * row);
                           }});
  kernel.choice = "weight gradient, " + choice(f, k);
}

}  // namespace nw::cpu
