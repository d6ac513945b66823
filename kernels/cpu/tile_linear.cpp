// SPDX-License-Identifier: Apache-2.0
// Linear layers by tiles. Forward and input gradient: the batch is packed once, then a task owns a tile of outputs and packs its
// weights. Weight gradient: a task owns 64 inputs, over all samples, and packs what it multiplies.
#include <algorithm>

#include "kernels/cpu/tile_products.hpp"
#include "kernels/cpu/weight_panels.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t group_shards = 32;     // that share weights once they are packed
constexpr std::int64_t ins_together = 64, scratch_wanted = 512 << 10, tasks_wanted = 12;

std::int64_t parts_of(std::int64_t count, std::int64_t each) { return (count + each - 1) / each; }

/// y = x w for all shards: the weight of output o and input i lies at w[o * out_step + i * in_step].
class TileColumns {
 public:
  TileColumns(const Lanes& x, const Lanes& y, std::int64_t out_step, std::int64_t in_step, std::int64_t shards)
      : x_(x), y_(y), ins_(x.per_sample()), outs_(y.per_sample()), pairs_(parts_of(ins_, 2)), out_step_(out_step), in_step_(in_step) {
    for (std::int64_t p = 0; p < pairs_; ++p)
      for (const std::int64_t i : {2 * p, 2 * p + 1}) places_.push_back(static_cast<std::int32_t>(i < ins_ ? i * in_step : -1));
    for (std::int64_t s = 0; s < shards; ++s) {
      x_shard_.push_back(static_cast<std::int32_t>(s * pairs_ * row_words));
      y_shard_.push_back(static_cast<std::int32_t>(s * y.floats()));
    }
  }
  std::int64_t shard_words() const { return pairs_ * row_words; }
  std::int64_t scratch_bytes() const { return parts_of(pairs_, tile_rows) * tile_words * 4; }
  std::int64_t out_tiles() const { return parts_of(outs_, tile_rows); }

  void pack(const VectorKernels& k, std::int64_t shard, std::uint32_t* packed) const {
    const float* const x = x_.shard(shard);
    std::uint32_t* const to = packed + shard * shard_words();
    k.tile.pair_lanes({x, x + shard_samples, 2 * shard_samples, ins_ / 2, to, row_words});
    if (ins_ % 2 != 0) k.tile.pair_lanes({x + (ins_ - 1) * shard_samples, nullptr, 0, 1, to + (pairs_ - 1) * row_words, row_words});
  }
  /// One tile of outputs of shards [first, last).
  void run(const VectorKernels& k, std::int64_t tile, std::int64_t first, std::int64_t last, const std::uint32_t* packed, const float* w,
           const float* bias, Ending ending, std::byte* scratch) const {
    static constexpr std::int32_t start = 0;
    const std::int64_t o = tile * tile_rows, outs = std::min(tile_rows, outs_ - o);
    auto* const weights = reinterpret_cast<std::uint32_t*>(scratch);
    for (std::int64_t p = 0; p < pairs_; p += tile_rows) {
      if (in_step_ == 1) k.tile.weight_rows({w + o * out_step_ + 2 * p, out_step_, outs, std::min(2 * tile_rows, ins_ - 2 * p), weights + p * row_words});
      else k.tile.weight_tile({w + o * out_step_, out_step_, outs, std::min(tile_rows, pairs_ - p), places_.data() + 2 * p, weights + p * row_words});
    }
    k.tiles->product({packed, x_shard_.data() + first, y_shard_.data() + first, last - first, {&start, 1, pairs_}, weights, outs, bias ? bias + o : nullptr,
                      ending.relu, ending.gate ? ending.gate + o * shard_samples : nullptr, y_.p + o * shard_samples, shard_samples});
  }

 private:
  const Lanes x_, y_;
  const std::int64_t ins_, outs_, pairs_, out_step_, in_step_;
  std::vector<std::int32_t> places_, x_shard_, y_shard_;
};

PreparedKernel by_columns(KernelContext& c, std::int64_t out_step, std::int64_t in_step, const float* bias, Ending ending, const char* what) {
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const std::int64_t shards = shards_for(c.plan.batch), groups = parts_of(shards, group_shards);
  auto columns = std::make_shared<const TileColumns>(in(c, 0), out(c, 0), out_step, in_step, shards);
  c.need_shared_scratch(shards * columns->shard_words() * 4);
  c.need_worker_scratch(columns->scratch_bytes());
  const float* w = c.in(1);
  const KernelPhase pack{shards, false, [=, &k, &state](std::int64_t s, int) {
    if (s < state.active_shards) columns->pack(k, s, reinterpret_cast<std::uint32_t*>(state.shared_scratch));
  }};
  return {{pack, {columns->out_tiles() * groups, false, [=, &k, &state](std::int64_t t, int worker) {
    const std::int64_t first = t % groups * group_shards, last = std::min(first + group_shards, state.active_shards);
    if (first < last)
      columns->run(k, t / groups, first, last, reinterpret_cast<const std::uint32_t*>(state.shared_scratch), w, bias, ending,
                   state.worker_scratch[static_cast<std::size_t>(worker)]);
  }}}, fmt::format("lanes16 {}tiles, {}", what, k.tiles->name)};
}

/// dw of 64 inputs and some tiles of outputs, over units of two shards.
class TilePanels {
 public:
  TilePanels(const Lanes& dy, const Lanes& x, std::int64_t shards)
      : dy_(dy), x_(x), outs_(dy.per_sample()), ins_(x.per_sample()), units_(parts_of(shards, 2)), panels_(parts_of(ins_, ins_together)) {
    const std::int64_t tiles = parts_of(outs_, tile_rows), fit = std::max<std::int64_t>(1, scratch_wanted / (units_ * tile_words * 4) - 4);
    const std::int64_t parts = std::clamp<std::int64_t>(std::max(parts_of(tasks_wanted, panels_), parts_of(tiles, fit)), 1, tiles);
    per_part_ = parts_of(tiles, parts) * tile_rows;
  }
  std::int64_t parts() const { return parts_of(outs_, per_part_); }
  std::int64_t panels() const { return panels_; }
  std::int64_t first_out(std::int64_t part) const { return std::min(part * per_part_, outs_); }
  std::int64_t scratch_bytes() const { return units_ * (per_part_ * row_words + ins_together / tile_rows * tile_words) * 4; }

  void run(const VectorKernels& k, std::int64_t task, std::int64_t shards, float* dw, double* squares, std::byte* scratch) const {
    const std::int64_t o = first_out(task / panels_), outs = first_out(task / panels_ + 1) - o, i = task % panels_ * ins_together,
                       ins = std::min(ins_together, ins_ - i), units = parts_of(shards, 2);
    auto* const dy = reinterpret_cast<std::uint32_t*>(scratch);
    std::uint32_t* const x = dy + units_ * per_part_ * row_words;
    for (std::int64_t u = 0; u < units; ++u) {
      const bool both = 2 * u + 1 < shards;
      pack_dy(k, u, both, o, outs, dy + u * round_up(outs, tile_rows) * row_words);
      pack_x(k, u, both, i, ins, x + u * round_up(ins, tile_rows) * row_words);
    }
    k.tiles->outer({dy, x, units, outs, ins, dw + o * ins_ + i, ins_});
    if (squares) *squares = k.square_sum_rows(dw + o * ins_ + i, outs, ins_, ins);
  }

 private:
  void pack_dy(const VectorKernels& k, std::int64_t unit, bool both, std::int64_t o, std::int64_t outs, std::uint32_t* to) const {
    const float* const a = dy_.shard(2 * unit) + o * shard_samples;
    k.tile.pair_lanes({a, both ? a + dy_.floats() : nullptr, shard_samples, outs, to, row_words});
    std::fill_n(to + outs * row_words, (round_up(outs, tile_rows) - outs) * row_words, 0u);
  }
  void pack_x(const VectorKernels& k, std::int64_t unit, bool both, std::int64_t i, std::int64_t ins, std::uint32_t* to) const {
    for (std::int64_t first = 0; first < ins; first += tile_rows, to += tile_words) {
      alignas(64) std::uint32_t lying[tile_words];
      const std::int64_t count = std::min(tile_rows, ins - first);
      const float* const a = x_.shard(2 * unit) + (i + first) * shard_samples;
      k.tile.pair_lanes({a, both ? a + x_.floats() : nullptr, shard_samples, count, lying, row_words});
      k.rows_from_lanes(reinterpret_cast<const float*>(lying), row_words, count, reinterpret_cast<float*>(to), row_words);
    }
  }

  const Lanes dy_, x_;
  const std::int64_t outs_, ins_, units_, panels_;
  std::int64_t per_part_ = tile_rows;
};

}  // namespace

PreparedKernel tile_linear(KernelContext& c, bool relu) { return by_columns(c, in(c, 0).per_sample(), 1, c.in(2), {relu}, ""); }

PreparedKernel tile_linear_grad_input(KernelContext& c) {
  return by_columns(c, 1, out(c, 0).per_sample(), nullptr, {false, c.in(2)}, "input gradient, ");
}

PreparedKernel tile_linear_grad_weight(KernelContext& c) {
  const Lanes dy{c.in(0), c.in_value(0).shape.per_sample()}, x{c.in(1), c.in_value(1).shape.per_sample()};
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const TilePanels w(dy, x, shards_for(c.plan.batch));
  float *const dw = c.out(0), *const db = c.out(1);
  const std::int64_t tasks = w.parts() * w.panels();
  double *const squares = c.square_sums(0, tasks), *const bias_squares = c.square_sums(1, w.parts());
  c.need_worker_scratch(w.scratch_bytes());
  return {{{tasks, false, [=, &k, &state](std::int64_t t, int worker) {
    w.run(k, t, state.active_shards, dw, squares ? squares + t : nullptr, state.worker_scratch[static_cast<std::size_t>(worker)]);
    if (t % w.panels() != 0 || !db) return;
    const std::int64_t part = t / w.panels(), first = w.first_out(part), last = w.first_out(part + 1);
    add_biases(k, k.tile.sum_rounded, dy, state.active_shards, first, last, db);
    if (bias_squares) bias_squares[part] = k.square_sum(db + first, last - first);
  }}}, fmt::format("weight gradient, tiles, {}", k.tiles->name), true};
}

}  // namespace nw::cpu
