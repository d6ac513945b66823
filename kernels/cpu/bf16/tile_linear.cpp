// SPDX-License-Identifier: Apache-2.0
// Linear layers and their input gradients by tiles. Many weights: the batch is packed once, then a task owns a tile of
// outputs and packs its weights. Few weights: they are packed as the step begins, each tile by the worker that updates
// it, and each worker multiplies its shards by all of them, so that no worker waits and no sample changes cores. For
// the input gradient each worker transposes those tiles into memory of its own.
#include <algorithm>

#include "kernels/cpu/bf16/tile_products.hpp"
#include "kernels/cpu/support/own_weights.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t group_shards = 32;  // shards that use weights packed once

std::int64_t parts_of(std::int64_t count, std::int64_t each) { return (count + each - 1) / each; }

/// y = x w for all shards: the weight of output o and input i is w[o * out_step + i * in_step].
class TileColumns {
 public:
  TileColumns(const Lanes& x, const Lanes& y, std::int64_t out_step, std::int64_t in_step, std::int64_t shards)
      : x_(x),
        y_(y),
        ins_(x.per_sample()),
        outs_(y.per_sample()),
        pairs_(parts_of(ins_, 2)),
        out_step_(out_step),
        in_step_(in_step) {
    for (std::int64_t p = 0; p < pairs_; ++p)
      for (const std::int64_t i : {2 * p, 2 * p + 1})
        places_.push_back(static_cast<std::int32_t>(i < ins_ ? i * in_step : -1));
    for (std::int64_t s = 0; s < shards; ++s) {
      x_shard_.push_back(static_cast<std::int32_t>(s * pairs_ * row_words));
      y_shard_.push_back(static_cast<std::int32_t>(s * y.floats()));
    }
  }
  std::int64_t shard_words() const { return pairs_ * row_words; }
  std::int64_t row_tiles() const { return parts_of(pairs_, tile_rows); }
  std::int64_t tile_bytes() const { return row_tiles() * tile_words * 4; }  // the weights of one tile of outputs
  std::int64_t out_tiles() const { return parts_of(outs_, tile_rows); }

  void pack(const VectorKernels& k, std::int64_t shard, std::uint32_t* to) const {
    const float* const x = x_.shard(shard);
    k.tile.pair_lanes({x, x + shard_samples, 2 * shard_samples, ins_ / 2, to, row_words});
    if (ins_ % 2 != 0)
      k.tile.pair_lanes({x + (ins_ - 1) * shard_samples, nullptr, 0, 1, to + (pairs_ - 1) * row_words, row_words});
  }
  /// As above for an input that consists of images, possibly stored as bytes; `pixels`: null where it does not.
  void pack(const VectorKernels& k, std::int64_t shard, const PixelLanes* pixels, std::uint32_t* to) const {
    if (pixels && pixels->here)
      pack_bytes(k, shard, *pixels, to);
    else
      pack(k, shard, to);
  }
  // The two numbers of a pair may belong to different channels.
  void pack_bytes(const VectorKernels& k, std::int64_t shard, const PixelLanes& x, std::uint32_t* to) const {
    const std::uint8_t* const bytes = x.shard(shard);
    for (std::int64_t p = 0; p < pairs_;) {
      const std::int64_t a = 2 * p, b = std::min(a + 1, ins_ - 1), channel = a / x.pixels,
                         left = (channel + 1) * x.pixels - a;
      const std::int64_t count = std::max<std::int64_t>(1, left / 2);
      k.tile.pair_bytes({bytes + a * shard_samples, a < b ? bytes + b * shard_samples : nullptr, x.words_of(channel),
                         x.words_of(b / x.pixels), 2 * shard_samples, count, to + p * row_words, row_words});
      p += count;
    }
  }
  void pack_weights(const VectorKernels& k, std::int64_t tile, const float* w, std::uint32_t* to) const {
    const std::int64_t o = tile * tile_rows, outs = std::min(tile_rows, outs_ - o);
    for (std::int64_t p = 0; p < pairs_; p += tile_rows, to += tile_words) {
      if (in_step_ == 1)
        k.tile.weight_rows({w + o * out_step_ + 2 * p, out_step_, outs, std::min(2 * tile_rows, ins_ - 2 * p), to});
      else if (out_step_ == 1 && outs == tile_rows)
        turn_weights(k, w + o, p, to);
      else
        k.tile.weight_tile(
            {w + o * out_step_, out_step_, outs, std::min(tile_rows, pairs_ - p), places_.data() + 2 * p, to});
    }
  }
  /// Packs the weights of the input gradient from the packed tiles of the layer: `tiles` of them, `layer_tile` words
  /// each.
  void turn_weights(const VectorKernels& k, std::int64_t tile, const std::uint32_t* layer, std::int64_t tiles,
                    std::int64_t layer_tile, std::uint32_t* to) const {
    const std::uint32_t* const from = layer + tile / 2 * tile_words;
    const auto of = [&](std::int64_t t) { return t < tiles ? from + t * layer_tile : nullptr; };
    for (std::int64_t p = 0; p < row_tiles(); ++p)
      k.tile.turn_rows({of(2 * p), of(2 * p + 1), tile % 2 * (row_words / 2), to + p * tile_words});
  }
  /// Computes one tile of outputs for shards [first, last).
  void run(const VectorKernels& k, std::int64_t tile, std::int64_t first, std::int64_t last,
           const std::uint32_t* packed, const float* w, const float* bias, Ending ending, std::byte* scratch) const {
    static constexpr std::int32_t start = 0;
    const std::int64_t o = tile * tile_rows, outs = std::min(tile_rows, outs_ - o);
    auto* const weights = reinterpret_cast<std::uint32_t*>(scratch);
    pack_weights(k, tile, w, weights);
    k.tiles->product({packed,
                      x_shard_.data() + first,
                      y_shard_.data() + first,
                      last - first,
                      {&start, 1, pairs_},
                      weights,
                      outs,
                      bias ? bias + o : nullptr,
                      ending.relu,
                      ending.gate ? ending.gate + o * shard_samples : nullptr,
                      y_.p + o * shard_samples,
                      shard_samples});
  }
  /// Computes all outputs of one shard. x: its packed rows, padded with zeros to a whole tile.
  void run_shard(const VectorKernels& k, std::int64_t shard, const std::uint32_t* x, const std::uint32_t* weights,
                 const float* bias, Ending ending) const {
    k.tiles->shard({x, weights, row_tiles(), outs_, bias, ending.relu,
                    ending.gate ? ending.gate + shard * y_.floats() : nullptr, y_.shard(shard)});
  }

 private:
  // The weights of adjacent outputs are adjacent: packs pairs of rows of weights, then transposes them.
  void turn_weights(const VectorKernels& k, const float* w, std::int64_t first, std::uint32_t* to) const {
    alignas(64) std::uint32_t lying[tile_words] = {};
    const std::int64_t whole = std::min(tile_rows, ins_ / 2 - first);
    w += 2 * first * in_step_;
    k.tile.pair_lanes({w, w + in_step_, 2 * in_step_, whole, lying, row_words});
    if (whole < tile_rows && ins_ % 2 != 0)
      k.tile.pair_lanes({w + 2 * whole * in_step_, nullptr, 0, 1, lying + whole * row_words, row_words});
    k.rows_from_lanes(reinterpret_cast<const float*>(lying), row_words, tile_rows, reinterpret_cast<float*>(to),
                      row_words);
  }

  const Lanes x_, y_;
  const std::int64_t ins_, outs_, pairs_, out_step_, in_step_;
  std::vector<std::int32_t> places_, x_shard_, y_shard_;
};

/// The batch, packed by shard; the step that computes the weight gradient uses it too.
std::uint32_t* packed_batch(KernelContext& c, std::int64_t shard_words) {
  auto* const packed = c.own<std::uint32_t>(shards_for(c.plan.batch) * shard_words);
  c.state.packed.push_back({c.step.inputs[0], packed, shard_words});
  return packed;
}

/// A phase that packs a layer's weights for all workers.
KernelPhase pack_first(KernelContext& c, const std::shared_ptr<const TileColumns>& columns, std::uint32_t* to) {
  const VectorKernels& k = vector_of(c);
  const float* const w = c.in(1);
  const std::int64_t each = columns->tile_bytes() / 4;
  c.state.packed.push_back({c.step.inputs[1], to, each});
  return {columns->out_tiles(), false,
          [=, &k](std::int64_t tile, int) { columns->pack_weights(k, tile, w, to + tile * each); }};
}

/// The packed weights that a worker multiplies by in this step.
using WeightsOf = std::function<const std::uint32_t*(int worker)>;

WeightsOf turned_weights(KernelContext& c, std::shared_ptr<const TileColumns> columns, PackedValue layer) {
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const std::int64_t each = columns->tile_bytes() / 4,
                     layer_tiles = parts_of(c.in_value(0).shape.per_sample(), tile_rows);
  const OwnWeights own(c, columns->out_tiles() * columns->tile_bytes());
  return [=, &k, &state](int worker) {
    return own.of(worker, state.runs, [&](std::uint32_t* to) {
      for (std::int64_t tile = 0; tile < columns->out_tiles(); ++tile)
        columns->turn_weights(k, tile, layer.words, layer_tiles, layer.shard_words, to + tile * each);
    });
  };
}

PreparedKernel by_shards(KernelContext& c, std::int64_t out_step, std::int64_t in_step, const float* bias,
                         Ending ending, const char* what) {
  const VectorKernels& k = vector_of(c);
  auto columns = std::make_shared<const TileColumns>(in(c, 0), out(c, 0), out_step, in_step, 0);
  PreparedKernel kernel{{}, fmt::format("lanes16 {}tiles, {}", what, k.tiles->name)};
  WeightsOf weights;
  if (const PackedValue layer = c.packed(1); layer.words && in_step != 1) {
    weights = turned_weights(c, columns, layer);
  } else {
    auto* const words = c.own<std::uint32_t>(columns->out_tiles() * columns->tile_bytes() / 4);
    kernel.weights.push_back(pack_first(c, columns, words));
    weights = [words](int) { return words; };
  }
  const std::int64_t x_words = columns->row_tiles() * tile_words;
  std::uint32_t* const x = packed_batch(c, x_words);
  const PixelLanes* const pixels = c.pixels(0);
  kernel.phases.push_back(per_shard(c, [=, &k](std::int64_t s, int worker) {
    const std::uint32_t* const w = weights(worker);
    columns->pack(k, s, pixels, x + s * x_words);
    columns->run_shard(k, s, x + s * x_words, w, bias, ending);
  }));
  return kernel;
}

PreparedKernel products(KernelContext& c, std::int64_t out_step, std::int64_t in_step, const float* bias, Ending ending,
                        const char* what) {
  if (taken_by_shard(c.plan, c.step)) return by_shards(c, out_step, in_step, bias, ending, what);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const std::int64_t shards = shards_for(c.plan.batch), groups = parts_of(shards, group_shards);
  auto columns = std::make_shared<const TileColumns>(in(c, 0), out(c, 0), out_step, in_step, shards);
  c.need_worker_scratch(columns->tile_bytes());
  std::uint32_t* const x = packed_batch(c, columns->shard_words());
  const float* w = c.in(1);
  const PixelLanes* const pixels = c.pixels(0);
  const KernelPhase pack =
      per_shard(c, [=, &k](std::int64_t s, int) { columns->pack(k, s, pixels, x + s * columns->shard_words()); });
  return {{pack,
           {columns->out_tiles() * groups, false,
            [=, &k, &state](std::int64_t t, int worker) {
              const std::int64_t first = t % groups * group_shards,
                                 last = std::min(first + group_shards, state.active_shards);
              if (first < last)
                columns->run(k, t / groups, first, last, x, w, bias, ending,
                             state.worker_scratch[static_cast<std::size_t>(worker)]);
            }}},
          fmt::format("lanes16 {}tiles, {}", what, k.tiles->name)};
}

}  // namespace

PreparedKernel tile_linear(KernelContext& c, bool relu) {
  return products(c, in(c, 0).per_sample(), 1, c.in(2), {relu}, "");
}

PreparedKernel tile_linear_grad_input(KernelContext& c) {
  return products(c, 1, out(c, 0).per_sample(), nullptr, {false, c.in(2)}, "input gradient, ");
}

}  // namespace nw::cpu
