// SPDX-License-Identifier: Apache-2.0
// Linear layers: a task owns some outputs (or inputs, or rows of weights) and processes the whole batch, so that
// weights never move between cores.
#include <algorithm>

#include "kernels/catalogue.hpp"
#include "kernels/cpu/bf16/tile_products.hpp"
#include "kernels/cpu/operators.hpp"
#include "kernels/cpu/support/weight_panels.hpp"

namespace nw::cpu {
namespace {

// shards x channels of x that stay in the L2 cache over all outputs
constexpr std::int64_t channel_vectors = 4096;
constexpr std::int64_t group_shards = 4;  // shards of x that stay in the L2 cache over all weights

std::int64_t parts_of(std::int64_t count, std::int64_t each) { return (count + each - 1) / each; }

// The number of outputs per task if there are `groups` tasks for each output: about twelve tasks, whole register tiles.
std::int64_t outs_per_task(std::int64_t outs, std::int64_t groups) {
  return std::clamp<std::int64_t>(round_up(parts_of(outs * groups, 12), 6), 6, 96);
}

struct ShardOffsets {  // offset of each shard's first element, in floats
  std::vector<std::int32_t> x, y;
  ShardOffsets(std::int64_t shards, std::int64_t ins, std::int64_t outs) {
    for (std::int64_t s = 0; s < shards; ++s) {
      x.push_back(static_cast<std::int32_t>(s * ins * shard_samples));
      y.push_back(static_cast<std::int32_t>(s * outs * shard_samples));
    }
  }
};

// Computes y[first, last) of shards [shard, shard + shards); the weight of output o and input i is w[o * w_out + i *
// w_in].
struct Columns {
  const VectorKernels& k;
  std::shared_ptr<const ShardOffsets> offsets;
  Lanes x, y;
  void run(std::int64_t shard, std::int64_t shards, std::int64_t first, std::int64_t last, const float* w,
           std::int64_t w_out, std::int64_t w_in, const float* bias, bool relu = false,
           const float* gate = nullptr) const {
    static constexpr std::int32_t no_offset = 0;
    const std::int64_t block = std::max<std::int64_t>(128, channel_vectors / std::max<std::int64_t>(shards, 1));
    Product p{};
    p.x_channel = shard_samples;
    p.tap_offset = &no_offset;
    p.x_pixel = offsets->x.data() + shard;
    p.y_pixel = offsets->y.data() + shard;
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

Columns columns_of(const KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  return {vector_of(c), std::make_shared<const ShardOffsets>(shards_for(c.plan.batch), x.per_sample(), y.per_sample()),
          x, y};
}

/// A linear layer over the channels of each pixel is a convolution of one tap: "linear_grad_input" becomes
/// "conv2d_grad_input".
PreparedKernel of_pixels(KernelContext& c) {
  static const KernelTable table = conv2d_kernels();
  return prepare_as(c, table, "conv2d" + c.step.kernel.substr(std::string_view("linear").size()), c.step.inputs,
                    c.step.outputs);
}

template <bool relu>
PreparedKernel linear(KernelContext& c) {
  if (is_linear_of_pixels(c.plan, c.step)) return of_pixels(c);
  if (rounds_operands(c.step)) return tile_linear(c, relu);
  const Columns columns = columns_of(c);
  const float *w = c.in(1), *b = c.in(2);
  const std::int64_t ins = columns.x.per_sample(), outs = columns.y.per_sample(),
                     groups = parts_of(shards_for(c.plan.batch), group_shards);
  if (taken_by_shard(c.plan, c.step))
    return {{per_shard(c, [=](std::int64_t s, int) { columns.run(s, 1, 0, outs, w, ins, 1, b, relu); })},
            fmt::format("lanes16, {}", columns.k.isa)};
  const std::int64_t per_task = outs_per_task(outs, groups);
  const RunState& state = c.state;
  return {{{parts_of(outs, per_task) * groups, false,
            [=, &state](std::int64_t t, int) {
              const std::int64_t first = t / groups * per_task, shard = t % groups * group_shards;
              const std::int64_t shards = std::min(group_shards, state.active_shards - shard);
              if (shards > 0)
                columns.run(shard, shards, first, std::min(first + per_task, outs), w + first * ins, ins, 1, b, relu);
            }}},
          fmt::format("lanes16 owned columns, {}", columns.k.isa)};
}

// The weights of a task's inputs are first copied to adjacent memory, since they are a row apart. A third input is the
// gate.
PreparedKernel linear_grad_input(KernelContext& c) {
  if (is_linear_of_pixels(c.plan, c.step)) return of_pixels(c);
  if (rounds_operands(c.step)) return tile_linear_grad_input(c);
  const Columns columns = columns_of(c);
  const float *w = c.in(1), *gate = c.in(2);
  const std::int64_t outs = columns.x.per_sample(), ins = columns.y.per_sample(),
                     per_task = std::min<std::int64_t>(outs_per_task(ins, 1), 36);
  if (taken_by_shard(c.plan, c.step))
    return {{per_shard(c, [=](std::int64_t s, int) { columns.run(s, 1, 0, ins, w, 1, ins, nullptr, false, gate); })},
            ""};
  const RunState& state = c.state;
  c.need_worker_scratch(outs * per_task * 4);
  return {{{parts_of(ins, per_task), false,
            [=, &state](std::int64_t t, int worker) {
              auto* packed = reinterpret_cast<float*>(state.worker_scratch[static_cast<std::size_t>(worker)]);
              const std::int64_t first = t * per_task, count = std::min(per_task, ins - first);
              for (std::int64_t o = 0; o < outs; ++o) std::copy_n(w + o * ins + first, count, packed + o * per_task);
              columns.run(0, state.active_shards, first, first + count, packed, 1, per_task, nullptr, false, gate);
            }}},
          ""};
}

PreparedKernel linear_grad_weight(KernelContext& c) {
  if (is_linear_of_pixels(c.plan, c.step)) return of_pixels(c);
  if (rounds_operands(c.step)) return tile_linear_grad_weight(c);
  const Lanes dy{c.in(0), c.in_value(0).shape.per_sample()}, x{c.in(1), c.in_value(1).shape.per_sample()};
  const VectorKernels& k = vector_of(c);
  const WeightPanels w(k, dy, x, {1, 1}, c.out(0), shards_for(c.plan.batch));
  float* const db = c.out(1);
  double *const squares = c.square_sums(0, w.tasks()), *const bias_squares = c.square_sums(1, w.parts());
  c.need_worker_scratch(WeightPanels::scratch_bytes());
  share_by_parts(c, w);
  const RunState& state = c.state;
  return {{{w.tasks(), false,
            [=, &k, &state](std::int64_t t, int worker) {
              w.run(t, state.active_shards, squares ? squares + t : nullptr,
                    state.worker_scratch[static_cast<std::size_t>(worker)]);
              if (t % w.panels() != 0 || !db) return;
              const std::int64_t part = t / w.panels(), first = w.first_out(part), last = w.first_out(part + 1);
              add_biases(k, dy, state.active_shards, first, last, db);
              if (bias_squares) bias_squares[part] = k.square_sum(db + first, last - first);
            }}},
          "",
          true};
}

}  // namespace

KernelTable linear_kernels() {
  return {{"linear", linear<false>, alone_unless_by_shard},
          {"linear_relu", linear<true>, alone_unless_by_shard},
          {"linear_grad_input", linear_grad_input, alone_unless_by_shard},
          {"linear_grad_input_relu", linear_grad_input, alone_unless_by_shard},
          {"linear_grad_weight", linear_grad_weight, always_alone}};
}

}  // namespace nw::cpu
