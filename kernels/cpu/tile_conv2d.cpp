// SPDX-License-Identifier: Apache-2.0
// Convolution and its input gradient by tiles: weights are packed once a step, then each shard goes band by band of rows.
#include "kernels/cpu/tile_products.hpp"

namespace nw::cpu {
namespace {

using Sweeps = std::vector<TileSweep>;

std::vector<std::int64_t> weight_places(const Sweeps& sweeps, std::int64_t& words) {
  std::vector<std::int64_t> first;
  words = 0;
  for (const TileSweep& s : sweeps) {
    first.push_back(words);
    words += s.weight_words();
  }
  return first;
}

// Sweep by sweep into the shared scratch, a task for each tile of outputs.
KernelPhase weights_phase(KernelContext& c, std::shared_ptr<const Sweeps> sweeps, std::vector<std::int64_t> place, std::int64_t words) {
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const float* w = c.in(1);
  c.need_shared_scratch(words * 4);
  return {sweeps->front().out_tiles(), false, [=, &k, &state](std::int64_t tile, int) {
    for (std::size_t i = 0; i < sweeps->size(); ++i)
      (*sweeps)[i].pack_weights(k, w, tile, reinterpret_cast<std::uint32_t*>(state.shared_scratch) + place[i]);
  }};
}

std::string choice(const VectorKernels& k, const char* what) { return fmt::format("lanes16 {}tiles, {}", what, k.tiles->name); }

PreparedKernel run_sweeps(KernelContext& c, Sweeps all, const Lanes& from, const Lanes& to, const float* bias, Ending ending, const char* what) {
  auto sweeps = std::make_shared<const Sweeps>(std::move(all));
  std::int64_t words = 0;
  const std::vector<std::int64_t> place = weight_places(*sweeps, words);
  double cycles = 0;
  for (const TileSweep& s : *sweeps) {
    c.need_worker_scratch(s.scratch_bytes());
    cycles += s.cycles(shards_for(c.plan.batch));
  }
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  return {{weights_phase(c, sweeps, place, words), per_shard(c, cycles, [=, &k, &state](std::int64_t s, Part part, int worker) {
    for (std::size_t i = 0; i < sweeps->size(); ++i) {
      const TileSweep& sweep = (*sweeps)[i];
      sweep.run(k, from.shard(s), to.shard(s), part.begin(sweep.rows()), part.end(sweep.rows()),
                reinterpret_cast<const std::uint32_t*>(state.shared_scratch) + place[i], bias,
                {ending.relu, ending.gate ? ending.gate + s * to.floats() : nullptr}, state.worker_scratch[static_cast<std::size_t>(worker)]);
    }
  })}, choice(k, what)};
}

}  // namespace

TileSweep tile_forward(const ConvGeometry& g) { return {forward_sweep(g), g.x, g.y, {g.weight_row(), g.taps()}}; }

TileSweep tile_pooled(const ConvGeometry& g, Pair window) { return {forward_sweep(g), g.x, g.y, {g.weight_row(), g.taps()}, window}; }

std::vector<TileSweep> tile_backward(const ConvGeometry& g) {
  std::vector<TileSweep> all;
  for (const Sweep& s : input_gradient_sweeps(g)) all.emplace_back(s, g.y, g.x, WeightPlaces{g.taps(), g.weight_row()});
  return all;
}

PreparedKernel tile_conv2d(KernelContext& c, bool relu) {
  const ConvGeometry g(c.step, in(c, 0), out(c, 0), c.in_value(1));
  return run_sweeps(c, {tile_forward(g)}, g.x, g.y, c.in(2), {relu}, "");
}

PreparedKernel tile_conv2d_grad_input(KernelContext& c) {
  const ConvGeometry g(c.step, out(c, 0), in(c, 0), c.in_value(1));
  return run_sweeps(c, tile_backward(g), g.y, g.x, nullptr, {false, c.in(2)}, "input gradient, ");
}

// Pools sums before they are stored, or some rows while they are in the first cache.
PreparedKernel tile_conv2d_max_pool2d_relu(KernelContext& c) {
  const Lanes pooled = out(c, 0);
  const Pair window = pair_attr(c.step, "window", 1);
  const ConvGeometry g = pooled_geometry(c.step, in(c, 0), pooled, c.in_value(1));
  auto sweeps = std::make_shared<const Sweeps>(Sweeps{tile_pooled(g, window)});
  const KernelPhase weights = weights_phase(c, sweeps, {0}, sweeps->front().weight_words());
  const std::int64_t slab_bytes = round_up(sweeps->front().scratch_bytes(), 64);
  c.need_worker_scratch(slab_bytes + (sweeps->front().pools() ? 0 : sweeps->front().part_floats() * 4));
  const float* bias = c.in(2);
  auto* argmax = c.out<std::uint8_t>(1);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  return {{weights, per_shard(c, [=, &k, &state](std::int64_t s, int worker) {
    const TileSweep& sweep = sweeps->front();
    std::byte* const scratch = state.worker_scratch[static_cast<std::size_t>(worker)];
    const auto* const w = reinterpret_cast<const std::uint32_t*>(state.shared_scratch);
    if (sweep.pools()) return sweep.pool(k, g.x.shard(s), pooled.shard(s), argmax ? argmax + s * pooled.floats() : nullptr, w, bias, scratch);
    auto* const part = reinterpret_cast<float*>(scratch + slab_bytes);
    sweep.run_parts(k, g.x.shard(s), part, w, bias, scratch, [&](std::int64_t row, std::int64_t rows) {
      const std::int64_t at = row / window.h * pooled.width * shard_samples;
      k.block_pool({part, sweep.part_floats() / g.y.channels, g.y.width * shard_samples, g.y.channels, rows / window.h, pooled.width, window.h, window.w,
                    pooled.shard(s) + at, argmax ? argmax + s * pooled.floats() + at : nullptr, pooled.pixels() * shard_samples, true});
    });
  })}, choice(k, "pooled, ")};
}

}  // namespace nw::cpu
