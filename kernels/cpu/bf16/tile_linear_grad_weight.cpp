// SPDX-License-Identifier: Apache-2.0
// Weight gradient of linear layers by tiles: a task owns 64 inputs, over all samples, and packs its operands.
#include <algorithm>

#include "kernels/cpu/bf16/tile_products.hpp"
#include "kernels/cpu/support/weight_panels.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t ins_together = 64, scratch_wanted = 512 << 10, tasks_wanted = 12;
// approximate weights per task, also of small layers: the worker that computes a gradient then applies it
constexpr std::int64_t task_weights = 4096;

std::int64_t parts_of(std::int64_t count, std::int64_t each) { return (count + each - 1) / each; }

/// Computes dw of 64 inputs and some tiles of outputs, over units of two shards.
class TilePanels {
 public:
  TilePanels(const Lanes& dy, const Lanes& x, PackedValue packed_dy, PackedValue packed_x, std::int64_t shards)
      : dy_(dy),
        x_(x),
        packed_dy_(packed_dy),
        packed_x_(packed_x),
        outs_(dy.per_sample()),
        ins_(x.per_sample()),
        units_(parts_of(shards, 2)),
        panels_(parts_of(ins_, ins_together)) {
    const std::int64_t tiles = parts_of(outs_, tile_rows),
                       fit = std::max<std::int64_t>(1, scratch_wanted / (units_ * tile_words * 4) - 4);
    const std::int64_t most = std::max<std::int64_t>(2, parts_of(tasks_wanted, panels_)),
                       wanted = std::min(most, parts_of(outs_ * ins_, task_weights * panels_));
    const std::int64_t parts = std::clamp<std::int64_t>(std::max(wanted, parts_of(tiles, fit)), 1, tiles);
    per_part_ = parts_of(tiles, parts) * tile_rows;
  }
  std::int64_t parts() const { return parts_of(outs_, per_part_); }
  std::int64_t panels() const { return panels_; }
  std::int64_t first_out(std::int64_t part) const { return std::min(part * per_part_, outs_); }
  std::int64_t scratch_bytes() const {
    return units_ * (per_part_ * row_words + ins_together / tile_rows * tile_words) * 4;
  }

  void run(const VectorKernels& k, std::int64_t task, std::int64_t shards, float* dw, double* squares,
           std::byte* scratch) const {
    const std::int64_t o = first_out(task / panels_), outs = first_out(task / panels_ + 1) - o,
                       i = task % panels_ * ins_together, ins = std::min(ins_together, ins_ - i),
                       units = parts_of(shards, 2);
    auto* const dy = reinterpret_cast<std::uint32_t*>(scratch);
    std::uint32_t* const x = dy + units_ * per_part_ * row_words;
    for (std::int64_t u = 0; u < units; ++u) {
      const bool both = 2 * u + 1 < shards;
      pack_dy(k, u, both, o, outs, dy + u * round_up(outs, tile_rows) * row_words);
      pack_x(k, u, both, i, ins, x + u * round_up(ins, tile_rows) * row_words);
    }
    k.tiles->outer({dy, x, units, outs, ins, dw + o * ins_ + i, ins_, squares});
    if (squares && !(*squares > 1e-24 && *squares < 1e36))
      *squares = k.square_sum_rows(dw + o * ins_ + i, outs, ins_, ins);
  }

  /// The bias gradients of a part, from the rows that run() packed.
  void sum_biases(const VectorKernels& k, std::int64_t part, std::int64_t shards, const std::byte* scratch,
                  float* db) const {
    const std::int64_t first = first_out(part), outs = first_out(part + 1) - first, rows = round_up(outs, tile_rows);
    const auto* const dy = reinterpret_cast<const std::uint32_t*>(scratch);
    for (std::int64_t o = 0; o < outs; o += tile_rows) {
      const std::int64_t count = std::min(tile_rows, outs - o);
      alignas(64) float acc[tile_words] = {};
      for (std::int64_t u = 0; u < parts_of(shards, 2); ++u)
        k.tile.sum_halves(dy + (u * rows + o) * row_words, count, acc);
      k.sum_lanes(acc, count, db + first + o, false);
    }
  }

 private:
  /// Packs rows [first, first + count) of a unit, and one more after an odd count; `first` is even.
  static void pair(const VectorKernels& k, const Lanes& all, const PackedValue& packed, std::int64_t unit, bool both,
                   std::int64_t first, std::int64_t count, std::uint32_t* to) {
    if (packed.words) {
      const std::uint32_t* const a = packed.words + 2 * unit * packed.shard_words + first / 2 * row_words;
      return k.tile.pair_shards({a, both ? a + packed.shard_words : nullptr, parts_of(count, 2), to});
    }
    const float* const a = all.shard(2 * unit) + first * shard_samples;
    k.tile.pair_lanes({a, both ? a + all.floats() : nullptr, shard_samples, count, to, row_words});
  }
  void pack_dy(const VectorKernels& k, std::int64_t unit, bool both, std::int64_t o, std::int64_t outs,
               std::uint32_t* to) const {
    pair(k, dy_, packed_dy_, unit, both, o, outs, to);
    std::fill_n(to + outs * row_words, (round_up(outs, tile_rows) - outs) * row_words, 0u);
  }
  void pack_x(const VectorKernels& k, std::int64_t unit, bool both, std::int64_t i, std::int64_t ins,
              std::uint32_t* to) const {
    for (std::int64_t first = 0; first < ins; first += tile_rows, to += tile_words) {
      alignas(64) std::uint32_t lying[tile_words];
      const std::int64_t count = std::min(tile_rows, ins - first);
      pair(k, x_, packed_x_, unit, both, i + first, count, lying);
      k.rows_from_lanes(reinterpret_cast<const float*>(lying), row_words, count, reinterpret_cast<float*>(to),
                        row_words);
    }
  }

  const Lanes dy_, x_;
  // the operands packed by earlier steps, in half the bytes; without words where none did
  const PackedValue packed_dy_, packed_x_;
  const std::int64_t outs_, ins_, units_, panels_;
  std::int64_t per_part_ = tile_rows;
};

}  // namespace

PreparedKernel tile_linear_grad_weight(KernelContext& c) {
  const Lanes dy{c.in(0), c.in_value(0).shape.per_sample()}, x{c.in(1), c.in_value(1).shape.per_sample()};
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const PackedValue packed_x = c.packed(1);
  if (packed_x.words) c.pixels(1);  // counts as a reader of the images' bytes, which the packed rows may come from
  const TilePanels w(dy, x, c.packed(0), packed_x, shards_for(c.plan.batch));
  float *const dw = c.out(0), *const db = c.out(1);
  const std::int64_t tasks = w.parts() * w.panels();
  double *const squares = c.square_sums(0, tasks), *const bias_squares = c.square_sums(1, w.parts());
  c.need_worker_scratch(w.scratch_bytes());
  share_by_parts(c, w);
  return {{{tasks, false,
            [=, &k, &state](std::int64_t t, int worker) {
              w.run(k, t, state.active_shards, dw, squares ? squares + t : nullptr,
                    state.worker_scratch[static_cast<std::size_t>(worker)]);
              if (t % w.panels() != 0 || !db) return;
              const std::int64_t part = t / w.panels(), first = w.first_out(part), last = w.first_out(part + 1);
              w.sum_biases(k, part, state.active_shards, state.worker_scratch[static_cast<std::size_t>(worker)], db);
              if (bias_squares) bias_squares[part] = k.square_sum(db + first, last - first);
            }}},
          fmt::format("weight gradient, tiles, {}", k.tiles->name),
          true};
}

}  // namespace nw::cpu
