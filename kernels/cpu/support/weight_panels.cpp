// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/support/weight_panels.hpp"

#include <algorithm>

namespace nw::cpu {
namespace {

std::int64_t parts_of(std::int64_t count, std::int64_t each) { return (count + each - 1) / each; }

}  // namespace

// About twelve tasks, each with enough outputs to outweigh the transposition of x. For small batches at least two parts
// of the outputs: the worker that computes a gradient is then the one that applies it.
WeightPanels::WeightPanels(const VectorKernels& k, const Lanes& dy, const Lanes& x, Pair stride, float* dw,
                           std::int64_t shards)
    : k_(k), dy_(dy), x_(x), stride_(stride), dw_(dw), panels_(parts_of(x.channels, panel_columns)) {
  const std::int64_t least = shards * dy.pixels() <= 8 ? 2 : 1;
  const std::int64_t wanted = std::clamp<std::int64_t>(dy.channels / 24, 1, std::max(least, parts_of(12, panels_)));
  per_part_ = round_up(parts_of(dy.channels, wanted), 6);
  parts_ = parts_of(dy.channels, per_part_);
}

void WeightPanels::run(std::int64_t task, std::int64_t shards, double* squares, std::byte* scratch) const {
  auto* const turned = reinterpret_cast<float*>(scratch);
  const std::int64_t pixels = dy_.pixels();
  if (squares) *squares = 0;
  if (pixels == 1) {
    for (std::int64_t s = 0; s < shards; s += together)
      add({s, 0, std::min(together, shards - s)}, task, s == 0, s + together >= shards ? squares : nullptr, turned);
    return;
  }
  for (std::int64_t s = 0; s < shards; ++s)
    for (std::int64_t p = 0; p < pixels; p += together)
      add({s, p, std::min(together, pixels - p)}, task, s + p == 0,
          s + 1 == shards && p + together >= pixels ? squares : nullptr, turned);
}

void WeightPanels::add(const Run& r, std::int64_t task, bool first, double* squares, float* turned) const {
  const std::int64_t part = task / panels_, column = task % panels_ * panel_columns,
                     columns = std::min(panel_columns, x_.channels - column);
  const std::int64_t x_channel = x_.pixels() * shard_samples, dy_channel = dy_.pixels() * shard_samples;
  const bool by_shard = dy_.pixels() == 1;
  for (std::int64_t i = 0; i < r.count; ++i)
    k_.rows_from_lanes((by_shard ? x_.shard(r.shard + i) : x_at(r.shard, r.pixel + i)) + column * x_channel, x_channel,
                       columns, turned + i * shard_samples * panel_columns, panel_columns);
  k_.outer_product({turned, 0, columns, dy_.shard(r.shard) + r.pixel * shard_samples, dy_channel,
                    by_shard ? dy_.floats() : shard_samples, r.count, first_out(part), first_out(part + 1),
                    dw_ + column, x_.channels, !first, squares});
}

void add_biases(const VectorKernels& k, const Lanes& dy, std::int64_t shards, std::int64_t first, std::int64_t last,
                float* db) {
  for (std::int64_t o = first; o < last; o += shard_samples) {
    const std::int64_t count = std::min(shard_samples, last - o);
    alignas(64) float acc[shard_samples * shard_samples] = {};
    for (std::int64_t s = 0; s < shards; ++s)
      for (std::int64_t i = 0; i < count; ++i)
        k.sum_pixels(dy.shard(s) + (o + i) * shard_samples, 1, acc + i * shard_samples);
    k.sum_lanes(acc, count, db + o, false);
  }
}

}  // namespace nw::cpu
