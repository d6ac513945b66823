// SPDX-License-Identifier: Apache-2.0
// Linear layers: a task owns some outputs (or inputs, or rows of weights) and walks the whole batch, so weights never cross cores.
#include "kernels/cpu/kernels.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t channel_vectors = 4096;  // shards x channels of x that stay in the second cache while outputs go by

// How many outputs a task takes: about eight tasks, whole register tiles.
std::int64_t outs_per_task(std::int64_t outs) { return std::clamp<std::int64_t>(round_up((outs + 7) / 8, 4), 4, 32); }

struct ShardOffsets {  // where each shard's first element lies, in floats
  std::vector<std::int32_t> x, y;
  ShardOffsets(std::int64_t shards, std::int64_t ins, std::int64_t outs) {
    for (std::int64_t s = 0; s < shards; ++s) {
      x.push_back(static_cast<std::int32_t>(s * ins * shard_samples));
      y.push_back(static_cast<std::int32_t>(s * outs * shard_samples));
    }
  }
};

// y[first, last) of all active shards; the weights of output o and input i lie at w[o * w_out + i * w_in].
struct Columns {
  const VectorKernels& k;
  std::shared_ptr<const ShardOffsets> offsets;
  Lanes x, y;
  void run(std::int64_t shards, std::int64_t first, std::int64_t last, const float* w, std::int64_t w_out, std::int64_t w_in,
           const float* bias, bool relu = false, const float* gate = nullptr) const {
    static constexpr std::int32_t no_offset = 0;
    const std::int64_t block = std::max<std::int64_t>(128, channel_vectors / std::max<std::int64_t>(shards, 1));
    Product p{};
    p.x_channel = shard_samples;
    p.tap_offset = &no_offset;
    p.x_pixel = offsets->x.data();
    p.y_pixel = offsets->y.data();
    p.taps = 1;
    p.pixels = shards;
    p.outs = last - first;
    p.w_out = w_out;
    p.w_term = w_in;
    p.bias = bias ? bias + first : nullptr;
    p.y = y.p + first * shard_samples;
    p.y_out = shard_samples;
    for (std::int64_t i = 0; i < x.per_sample(); i += block) {
      p.channels = std::min(block, x.per_sample() - i);
      p.x = x.p + i * shard_samples;
      p.w = w + i * w_in;
      p.accumulate = i > 0;
      const bool last_block = i + block >= x.per_sample();
      p.relu = relu && last_block;
      p.gate = gate && last_block ? gate + first * shard_samples : nullptr;
      k.product(p);
    }
  }
};

template <bool relu>
PreparedKernel linear(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const float *w = c.in(1), *b = c.in(2);
  const std::int64_t ins = x.per_sample(), outs = y.per_sample(), per_task = outs_per_task(outs);
  const Columns columns{vector_of(c), std::make_shared<const ShardOffsets>(shards_for(c.plan.batch), ins, outs), x, y};
  const RunState& state = c.state;
  return {{{(outs + per_task - 1) / per_task, false, [=, &state](std::int64_t t, int) {
    const std::int64_t first = t * per_task;
    columns.run(state.active_shards, first, std::min(first + per_task, outs), w + first * ins, ins, 1, b, relu);
  }}}, fmt::format("lanes16 owned columns, {}", columns.k.isa)};
}

// The weights of a task's inputs are copied side by side first: in memory they lie a row apart. A third input gates.
PreparedKernel linear_grad_input(KernelContext& c) {
  const Lanes dy = in(c, 0), dx = out(c, 0);
  const float *w = c.in(1), *gate = c.in(2);
  const std::int64_t outs = dy.per_sample(), ins = dx.per_sample(), per_task = outs_per_task(ins);
  const Columns columns{vector_of(c), std::make_shared<const ShardOffsets>(shards_for(c.plan.batch), outs, ins), dy, dx};
  const RunState& state = c.state;
  c.need_worker_scratch(outs * per_task * 4);
  return {{{(ins + per_task - 1) / per_task, false, [=, &state](std::int64_t t, int worker) {
    auto* packed = reinterpret_cast<float*>(state.worker_scratch[static_cast<std::size_t>(worker)]);
    const std::int64_t first = t * per_task, count = std::min(per_task, ins - first);
    for (std::int64_t o = 0; o < outs; ++o) std::copy_n(w + o * ins + first, count, packed + o * per_task);
    columns.run(state.active_shards, first, first + count, packed, 1, per_task, nullptr, false, gate);
  }}}, ""};
}

PreparedKernel linear_grad_weight(KernelContext& c) {
  const Lanes dy = in(c, 0), x = in(c, 1);
  float *dw = c.out(0), *db = c.out(1);
  const std::int64_t outs = dy.per_sample(), ins = x.per_sample(), row = round_up(ins, panel_columns), per_task = round_up(outs_per_task(outs), 6);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  c.need_shared_scratch(shards_for(c.plan.batch) * shard_samples * row * 4);
  const std::int64_t panel = shards_for(c.plan.batch) * shard_samples * panel_columns;
  const KernelPhase turn{shards_for(c.plan.batch), false, [=, &k, &state](std::int64_t s, int) {
    auto* const to = reinterpret_cast<float*>(state.shared_scratch) + s * shard_samples * panel_columns;
    for (std::int64_t i = 0; i < ins && s < state.active_shards; i += panel_columns)
      k.rows_from_lanes(x.shard(s) + i * shard_samples, std::min(panel_columns, ins - i), to + i / panel_columns * panel, panel_columns);
  }};
  const std::int64_t tasks = (outs + per_task - 1) / per_task;
  double *const squares = c.square_sums(0, tasks), *const bias_squares = c.square_sums(1, tasks);
  const KernelPhase multiply{tasks, false, [=, &k, &state](std::int64_t t, int) {
    const std::int64_t first = t * per_task, last = std::min(first + per_task, outs);
    k.outer_product({reinterpret_cast<const float*>(state.shared_scratch), panel, ins, dy.p, dy.floats(), state.active_shards, first, last, dw, db, false});
    if (squares) squares[t] = k.square_sum(dw + first * ins, (last - first) * ins);
    if (bias_squares) bias_squares[t] = k.square_sum(db + first, last - first);
  }};
  return {{turn, multiply}, ""};
}

}  // namespace

KernelTable linear_kernels() {
  return {{"linear", linear<false>}, {"linear_relu", linear<true>}, {"linear_grad_input", linear_grad_input},
          {"linear_grad_input_relu", linear_grad_input}, {"linear_grad_weight", linear_grad_weight}};
}

}  // namespace nw::cpu
