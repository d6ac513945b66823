// SPDX-License-Identifier: Apache-2.0
// Convolution forward and input gradient as sweeps, one shard per task. For the input gradient the weights are first
// transposed.
#include "kernels/catalogue.hpp"
#include "kernels/cpu/bf16/tile_products.hpp"
#include "kernels/cpu/conv/winograd.hpp"
#include "kernels/cpu/operators.hpp"

namespace nw::cpu {

PreparedKernel prepare_conv2d_grad_weight(KernelContext&);

namespace {

std::string choice(const VectorKernels& k, const char* how) { return fmt::format("lanes16 {}, {}", how, k.isa); }

template <bool relu>
PreparedKernel conv2d(KernelContext& c) {
  if (rounds_operands(c.step)) return tile_conv2d(c, relu);
  const ConvGeometry g(c.step, in(c, 0), out(c, 0), c.in_value(1));
  if (const auto form = winograd_forward(vector_of(c), g))
    return winograd_conv2d(c, *form, c.in(1), false, c.in(2), relu, nullptr);
  auto sweep = std::make_shared<const Sweep>(forward_sweep(g));
  const float *w = c.in(1), *b = c.in(2);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  c.need_worker_scratch(sweep->scratch_bytes());
  return {{per_shard(c, sweep->cycles() * static_cast<double>(g.groups),
                     [=, &k, &state](std::int64_t s, Part part, int worker) {
                       for (std::int64_t i = 0; i < g.groups; ++i)
                         sweep->run(k, part, g.x.shard(s) + i * g.in_per_group * g.x.pixels() * shard_samples,
                                    g.y.shard(s) + i * g.out_per_group * g.y.pixels() * shard_samples,
                                    w + i * g.out_per_group * g.weight_row(), g.weight_row(),
                                    b ? b + i * g.out_per_group : nullptr, {relu},
                                    state.worker_scratch[static_cast<std::size_t>(worker)]);
                     })},
          choice(k, "direct")};
}

// Pools a band of rows while it is in the cache: the output of the convolution is never written to memory.
PreparedKernel conv2d_max_pool2d_relu(KernelContext& c) {
  if (rounds_operands(c.step)) return tile_conv2d_max_pool2d_relu(c);
  const Lanes pooled = out(c, 0);
  const Pair window = pair_attr(c.step, "window", 1);
  const ConvGeometry g = pooled_geometry(c.step, in(c, 0), pooled, c.in_value(1));
  auto sweep = std::make_shared<const Sweep>(pooled_sweep(g, window.h));
  const float *w = c.in(1), *b = c.in(2);
  auto* argmax = c.out<std::uint8_t>(1);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const std::int64_t slab_bytes = round_up(sweep->scratch_bytes(), 64);
  c.need_worker_scratch(slab_bytes + sweep->band_floats() * 4);
  const auto pool = [=, &k](std::int64_t s, std::int64_t group, std::int64_t row, const float* band) {
    const std::int64_t at = (group * g.out_per_group * pooled.pixels() + row / window.h * pooled.width) * shard_samples;
    k.block_pool({band, sweep->band_floats() / g.out_per_group, g.y.width * shard_samples, g.out_per_group,
                  sweep->rows_of(row) / window.h, pooled.width, window.h, window.w, pooled.shard(s) + at,
                  argmax ? argmax + s * pooled.floats() + at : nullptr, pooled.pixels() * shard_samples, true});
  };
  return {{per_shard(c,
                     [=, &k, &state](std::int64_t s, int worker) {
                       std::byte* const scratch = state.worker_scratch[static_cast<std::size_t>(worker)];
                       auto* const band = reinterpret_cast<float*>(scratch + slab_bytes);
                       for (std::int64_t i = 0; i < g.groups; ++i)
                         for (std::int64_t row = 0; row < g.y.height; row += sweep->band_rows()) {
                           sweep->run_band(k, row, g.x.shard(s) + i * g.in_per_group * g.x.pixels() * shard_samples,
                                           band, w + i * g.out_per_group * g.weight_row(), g.weight_row(),
                                           b ? b + i * g.out_per_group : nullptr, {}, scratch);
                           pool(s, i, row, band);
                         }
                     })},
          choice(k, "direct, pooled")};
}

// The weights of one sweep in the order [group][input channel][output channel][tap], from (O, I/groups, kh, kw), for
// inputs [first, last).
void turn_weights(const ConvGeometry& g, const Sweep& s, const float* w, float* to, std::int64_t first,
                  std::int64_t last) {
  const auto taps = static_cast<std::int64_t>(s.taps.size());
  for (std::int64_t o = 0; o < g.out_per_group; ++o)
    for (std::int64_t i = first; i < last; ++i) {
      const std::int64_t group = i / g.in_per_group, local = i % g.in_per_group;
      const float* from = w + ((group * g.out_per_group + o) * g.in_per_group + local) * g.taps();
      float* const row = to + (i * g.out_per_group + o) * taps;
      for (std::int64_t t = 0; t < taps; ++t) row[t] = from[s.tap_index[static_cast<std::size_t>(t)]];
    }
}

// For one axis: the number of products of a tap and a position if every position of the input is combined with all its
// taps, including those on the zeros around the outputs, divided by the number of products that contribute.
double waste(std::int64_t image, std::int64_t outputs, std::int64_t kernel, std::int64_t stride, std::int64_t padding,
             std::int64_t dilation) {
  double made = 0, counts = 0;
  for (std::int64_t k = 0; k < kernel; ++k) {
    for (std::int64_t i = 0; i < image; ++i) made += (i + padding - k * dilation) % stride == 0;
    for (std::int64_t o = 0; o < outputs; ++o) {
      const std::int64_t at = o * stride + k * dilation - padding;
      counts += at >= 0 && at < image;
    }
  }
  return counts > 0 ? made / counts : 1;
}

bool scatter_pays(const ConvGeometry& g) {
  const double all = waste(g.x.height, g.y.height, g.kernel.h, g.stride.h, g.padding.h, g.dilation.h) *
                     waste(g.x.width, g.y.width, g.kernel.w, g.stride.w, g.padding.w, g.dilation.w);
  return all > 1.2 && g.out_per_group >= 8 && g.out_per_group * g.weight_row() <= 64 << 10;
}

// The weights are reordered to [group][tap][input][output]; see VectorKernels::scatter.
PreparedKernel scattered_grad_input(KernelContext& c, const ConvGeometry& g) {
  const float* w = c.in(1);
  const Lanes gate = c.has_in(2) ? in(c, 2) : Lanes{};
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const std::int64_t group_weights = g.out_per_group * g.weight_row();
  c.need_shared_scratch(g.groups * group_weights * 4);
  const KernelPhase turn{g.groups, false, [=, &state](std::int64_t group, int) {
                           auto* const to = reinterpret_cast<float*>(state.shared_scratch) + group * group_weights;
                           const float* const from = w + group * group_weights;
                           for (std::int64_t o = 0; o < g.out_per_group; ++o)
                             for (std::int64_t i = 0; i < g.in_per_group; ++i)
                               for (std::int64_t t = 0; t < g.taps(); ++t)
                                 to[(t * g.in_per_group + i) * g.out_per_group + o] =
                                     from[(o * g.in_per_group + i) * g.taps() + t];
                         }};
  return {{turn, per_shard(c,
                           [=, &k, &state](std::int64_t s, int) {
                             const std::int64_t dy_channel = g.y.pixels() * shard_samples,
                                                dx_channel = g.x.pixels() * shard_samples;
                             for (std::int64_t group = 0; group < g.groups; ++group)
                               k.scatter({g.y.shard(s) + group * g.out_per_group * dy_channel,
                                          reinterpret_cast<const float*>(state.shared_scratch) + group * group_weights,
                                          g.x.shard(s) + group * g.in_per_group * dx_channel, g.out_per_group,
                                          g.y.height, g.y.width, dy_channel, g.in_per_group, g.x.height, g.x.width,
                                          dx_channel, g.kernel.h, g.kernel.w, g.stride.h, g.stride.w, g.padding.h,
                                          g.padding.w, g.dilation.h, g.dilation.w});
                             if (gate.p)
                               k.unary_gradient(Unary::relu, g.x.shard(s), gate.shard(s), g.x.shard(s), g.x.floats(),
                                                {});
                           })},
          choice(k, "input gradient by taps")};
}

PreparedKernel conv2d_grad_input(KernelContext& c) {
  if (rounds_operands(c.step)) return tile_conv2d_grad_input(c);
  const ConvGeometry g(c.step, out(c, 0), in(c, 0), c.in_value(1));
  if (const auto form = winograd_backward(vector_of(c), g))
    return winograd_conv2d(c, *form, c.in(1), true, nullptr, false, c.in(2));
  if (scatter_pays(g)) return scattered_grad_input(c, g);
  auto sweeps = std::make_shared<const std::vector<Sweep>>(input_gradient_sweeps(g));
  std::vector<std::int64_t> start;  // offset of each sweep's weights in the shared scratch, in floats
  std::int64_t floats = 0;
  for (const Sweep& s : *sweeps) {
    start.push_back(floats);
    floats += g.x.channels * g.out_per_group * static_cast<std::int64_t>(s.taps.size());
    c.need_worker_scratch(s.scratch_bytes());
  }
  c.need_shared_scratch(floats * 4);
  const float* w = c.in(1);
  const Lanes gate = c.has_in(2) ? in(c, 2) : Lanes{};
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  constexpr std::int64_t block = 16;
  const KernelPhase turn{(g.x.channels + block - 1) / block, false, [=, &state](std::int64_t t, int) {
                           for (std::size_t i = 0; i < sweeps->size(); ++i)
                             turn_weights(g, (*sweeps)[i], w, reinterpret_cast<float*>(state.shared_scratch) + start[i],
                                          t * block, std::min((t + 1) * block, g.x.channels));
                         }};
  double cycles = 0;
  for (const Sweep& s : *sweeps) cycles += s.cycles() * static_cast<double>(g.groups);
  return {{turn, per_shard(c, cycles,
                           [=, &k, &state](std::int64_t s, Part part, int worker) {
                             for (std::size_t i = 0; i < sweeps->size(); ++i)
                               for (std::int64_t group = 0; group < g.groups; ++group) {
                                 const std::int64_t row =
                                     g.out_per_group * static_cast<std::int64_t>((*sweeps)[i].taps.size());
                                 const std::int64_t to = group * g.in_per_group * g.x.pixels() * shard_samples;
                                 (*sweeps)[i].run(k, part,
                                                  g.y.shard(s) + group * g.out_per_group * g.y.pixels() * shard_samples,
                                                  g.x.shard(s) + to,
                                                  reinterpret_cast<const float*>(state.shared_scratch) + start[i] +
                                                      group * g.in_per_group * row,
                                                  row, nullptr, {false, gate.p ? gate.shard(s) + to : nullptr},
                                                  state.worker_scratch[static_cast<std::size_t>(worker)]);
                               }
                           })},
          ""};
}

}  // namespace

bool quicker_unpooled(const VectorKernels& k, const Plan& plan, const Step& s) {
  // a step without values, used only to find the kernel's name
  if (s.inputs.size() < 2 || s.outputs.empty() || tiles_take(k, plan, s)) return false;
  const auto value = [&](int v) -> const Value& { return plan.values[static_cast<std::size_t>(v)]; };
  const ConvGeometry g = pooled_geometry(s, lanes_of(nullptr, value(s.inputs[0])),
                                         lanes_of(nullptr, value(s.outputs[0])), value(s.inputs[1]));
  return winograd_forward(k, g).has_value();
}

KernelTable conv2d_kernels() {
  return {{"conv2d", conv2d<false>},
          {"conv2d_relu", conv2d<true>},
          {"conv2d_max_pool2d_relu", conv2d_max_pool2d_relu},
          {"conv2d_grad_input", conv2d_grad_input},
          {"conv2d_grad_input_relu", conv2d_grad_input},
          {"conv2d_grad_weight", prepare_conv2d_grad_weight, always_alone}};
}

}  // namespace nw::cpu
