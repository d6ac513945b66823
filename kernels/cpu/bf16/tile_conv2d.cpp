// SPDX-License-Identifier: Apache-2.0
// Convolution and its input gradient by tiles: weights are packed once a step, then each shard is computed in bands of
// rows.
#include "kernels/cpu/bf16/tile_products.hpp"

namespace nw::cpu {
namespace {

using Sweeps = std::vector<TileSweep>;

// upper limit of packed weights that a kernel owns; more are packed one sweep at a time in scratch shared by all layers
constexpr std::int64_t own_bytes = 256 << 10;

/// The packed weights of all sweeps. Few weights: in the kernel's own memory, packed as the step begins. Many: in the
/// shared scratch, packed right before use, one task for each tile of outputs.
class SweepWeights {
 public:
  SweepWeights(KernelContext& c, std::shared_ptr<const Sweeps> sweeps)
      : sweeps_(std::move(sweeps)), k_(vector_of(c)), state_(c.state), w_(c.in(1)) {
    std::int64_t words = 0;
    for (const TileSweep& s : *sweeps_) {
      place_.push_back(words);
      words += s.weight_words();
    }
    if (words * 4 <= own_bytes)
      own_ = c.own<std::uint32_t>(words);
    else
      c.need_shared_scratch(words * 4);
  }
  /// The prepared kernel: the phases that pack the weights, which of() requires, then `run`.
  PreparedKernel kernel(KernelPhase run, std::string choice) const {
    KernelPhase pack{sweeps_->front().out_tiles(), false,
                     [weights = *this](std::int64_t tile, int) { weights.pack(tile); }};
    if (own_) return {{std::move(run)}, std::move(choice), false, {std::move(pack)}};
    return {{std::move(pack), std::move(run)}, std::move(choice)};
  }
  /// The packed weights of sweep `i`.
  std::uint32_t* of(std::size_t i) const {
    return (own_ ? own_ : reinterpret_cast<std::uint32_t*>(state_.shared_scratch)) + place_[i];
  }

 private:
  void pack(std::int64_t tile) const {
    for (std::size_t i = 0; i < sweeps_->size(); ++i) (*sweeps_)[i].pack_weights(k_, w_, tile, of(i));
  }
  std::shared_ptr<const Sweeps> sweeps_;
  std::vector<std::int64_t> place_;
  const VectorKernels& k_;
  const RunState& state_;
  const float* w_;
  std::uint32_t* own_ = nullptr;
};

std::string choice(const VectorKernels& k, const char* what) {
  return fmt::format("lanes16 {}tiles, {}", what, k.tiles->name);
}

PreparedKernel run_sweeps(KernelContext& c, Sweeps all, const Lanes& from, const Lanes& to, const float* bias,
                          Ending ending, const char* what) {
  auto sweeps = std::make_shared<const Sweeps>(std::move(all));
  const VectorKernels& k = vector_of(c);
  double cycles = 0;
  for (const TileSweep& s : *sweeps) {
    c.need_worker_scratch(s.scratch_bytes());
    cycles += s.cycles(*k.tiles, shards_for(c.plan.batch));
  }
  const SweepWeights weights(c, sweeps);
  const RunState& state = c.state;
  return weights.kernel(per_shard(c, cycles,
                                  [=, &k, &state](std::int64_t s, Part part, int worker) {
                                    for (std::size_t i = 0; i < sweeps->size(); ++i) {
                                      const TileSweep& sweep = (*sweeps)[i];
                                      sweep.run(k, from.shard(s), to.shard(s), part.begin(sweep.rows()),
                                                part.end(sweep.rows()), weights.of(i), bias,
                                                {ending.relu, ending.gate ? ending.gate + s * to.floats() : nullptr},
                                                state.worker_scratch[static_cast<std::size_t>(worker)]);
                                    }
                                  }),
                        choice(k, what));
}

}  // namespace

TileSweep tile_forward(const ConvGeometry& g) { return {forward_sweep(g), g.x, g.y, {g.weight_row(), g.taps()}}; }

TileSweep tile_pooled(const ConvGeometry& g, Pair window) {
  return {forward_sweep(g), g.x, g.y, {g.weight_row(), g.taps()}, window};
}

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

// Pools the sums of tiles before they are stored, or pools a few rows while they are in the L1 cache.
PreparedKernel tile_conv2d_max_pool2d_relu(KernelContext& c) {
  const Lanes pooled = out(c, 0);
  const Pair window = pair_attr(c.step, "window", 1);
  const ConvGeometry g = pooled_geometry(c.step, in(c, 0), pooled, c.in_value(1));
  auto sweeps = std::make_shared<const Sweeps>(Sweeps{tile_pooled(g, window)});
  const SweepWeights weights(c, sweeps);
  const std::int64_t slab_bytes = round_up(sweeps->front().scratch_bytes(), 64);
  c.need_worker_scratch(slab_bytes + (sweeps->front().pools() ? 0 : sweeps->front().part_floats() * 4));
  const float* bias = c.in(2);
  auto* argmax = c.out<std::uint8_t>(1);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  return weights.kernel(
      per_shard(c,
                [=, &k, &state](std::int64_t s, int worker) {
                  const TileSweep& sweep = sweeps->front();
                  std::byte* const scratch = state.worker_scratch[static_cast<std::size_t>(worker)];
                  const std::uint32_t* const w = weights.of(0);
                  if (sweep.pools())
                    return sweep.pool(k, g.x.shard(s), pooled.shard(s), argmax ? argmax + s * pooled.floats() : nullptr,
                                      w, bias, scratch);
                  auto* const part = reinterpret_cast<float*>(scratch + slab_bytes);
                  sweep.run_parts(k, g.x.shard(s), part, w, bias, scratch, [&](std::int64_t row, std::int64_t rows) {
                    const std::int64_t at = row / window.h * pooled.width * shard_samples;
                    k.block_pool({part, sweep.part_floats() / g.y.channels, g.y.width * shard_samples, g.y.channels,
                                  rows / window.h, pooled.width, window.h, window.w, pooled.shard(s) + at,
                                  argmax ? argmax + s * pooled.floats() + at : nullptr, pooled.pixels() * shard_samples,
                                  true});
                  });
                }),
      choice(k, "pooled, "));
}

}  // namespace nw::cpu
