// SPDX-License-Identifier: Apache-2.0
// Element kernels, sums and dropout: whole shards, or parts of them.
#include "kernels/cpu/operators.hpp"
#include "kernels/element_parameters.hpp"

namespace nw::cpu {
namespace {

// The numbers of a part of a shard, in whole vectors of 16 lanes.
struct Range {
  std::int64_t at, count;
  Range(const Lanes& x, Part p)
      : at(p.begin(x.per_sample()) * shard_samples), count(p.end(x.per_sample()) * shard_samples - at) {}
};

template <class Formula, Unary op>
PreparedKernel value(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const VectorKernels& k = vector_of(c);
  const auto parameters = element_parameters<Formula, float>(c.step.attrs);
  return {{per_channel(c, x,
                       [=, &k](std::int64_t s, Part part, int) {
                         const Range r(x, part);
                         k.unary(op, x.shard(s) + r.at, y.shard(s) + r.at, r.count, parameters);
                       })},
          ""};
}

template <class Formula, Unary op>
PreparedKernel gradient(KernelContext& c) {
  const Lanes dy = in(c, 0), v = in(c, 1), dx = out(c, 0);
  const VectorKernels& k = vector_of(c);
  const auto parameters = element_parameters<Formula, float>(c.step.attrs);
  return {{per_channel(c, dx,
                       [=, &k](std::int64_t s, Part part, int) {
                         const Range r(dx, part);
                         k.unary_gradient(op, dy.shard(s) + r.at, v.shard(s) + r.at, dx.shard(s) + r.at, r.count,
                                          parameters);
                       })},
          ""};
}

PreparedKernel round_batched(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const VectorKernels& k = vector_of(c);
  return {{per_channel(c, x,
                       [=, &k](std::int64_t s, Part part, int) {
                         const Range r(x, part);
                         k.round_bf16(x.shard(s) + r.at, y.shard(s) + r.at, r.count);
                       })},
          ""};
}

// Rounds a weight in fixed blocks. The last block ends at a multiple of a vector, as the weight's memory does.
PreparedKernel round_bf16(KernelContext& c) {
  if (c.in_value(0).batched) return round_batched(c);
  constexpr std::int64_t block = 8192;
  const float* x = c.in(0);
  float* y = c.out(0);
  const std::int64_t count = round_up(c.in_value(0).shape.elements(), shard_samples);
  const VectorKernels& k = vector_of(c);
  return {{{(count + block - 1) / block, false,
            [=, &k](std::int64_t i, int) {
              k.round_bf16(x + i * block, y + i * block, std::min(block, count - i * block));
            }}},
          ""};
}

constexpr std::int64_t block_floats = 2048;  // of a sum: they stay in the L1 cache from one term to the next

// Writes the sum of the first two inputs to y, then adds each further input to y. y may be in place of the first input,
// not of a later one. With `relu` the last addition rectifies; with `gated` the first input is not a term but the gate:
// the sum is zero where the gate is not positive.
template <bool relu, bool gated>
PreparedKernel add(KernelContext& c) {
  std::vector<Lanes> terms;
  for (int i = gated ? 1 : 0; i < static_cast<int>(c.step.inputs.size()); ++i) terms.push_back(in(c, i));
  const Lanes y = out(c, 0), gate = gated ? in(c, 0) : Lanes{};
  const VectorKernels& k = vector_of(c);
  return {{per_channel(c, y,
                       [=, &k](std::int64_t s, Part part, int) {
                         const Range r(y, part);
                         for (std::int64_t at = r.at; at < r.at + r.count; at += block_floats) {
                           const std::int64_t count = std::min(block_floats, r.at + r.count - at);
                           float* const to = y.shard(s) + at;
                           const float* sum = terms[0].shard(s) + at;
                           if (terms.size() == 1)
                             k.unary(relu ? Unary::relu : Unary::leaky_relu, sum, to, count, {1.0f});
                           for (std::size_t i = 1; i < terms.size(); ++i, sum = to) {
                             const auto join = relu && i + 1 == terms.size() ? k.add_relu : k.add;
                             join(sum, terms[i].shard(s) + at, to, count);
                           }
                           if (gated) k.unary_gradient(Unary::relu, to, gate.shard(s) + at, to, count, {});
                         }
                       })},
          ""};
}

PreparedKernel dropout(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  if (!c.plan.training)
    return {{per_shard(c,
                       [=, &k](std::int64_t s, int) {
                         if (x.p != y.p) k.unary(Unary::leaky_relu, x.shard(s), y.shard(s), x.floats(), {1.0f});
                       })},
            ""};
  const auto p = static_cast<float>(real_attr(c.step.attrs, "p"));
  const auto key = static_cast<std::uint32_t>(int_attr(c.step.attrs, "key"));
  const std::int64_t together[] = {1, x.pixels(), x.per_sample()}, each = together[int_attr(c.step.attrs, "share", 0)];
  return {{per_shard(c,
                     [=, &k, &state](std::int64_t s, int) {
                       const StepArgs& a = state.args;
                       DropoutArgs d{x.shard(s),
                                     y.shard(s),
                                     x.per_sample(),
                                     each,
                                     static_cast<std::uint32_t>(a.seed) ^ (key * 0x9E3779B9u),
                                     static_cast<std::uint32_t>(a.seed >> 32) ^ key,
                                     static_cast<std::uint32_t>(a.epoch),
                                     {},
                                     {},
                                     p,
                                     p < 1 ? 1 / (1 - p) : 0};
                       for (std::int64_t lane = 0; lane < valid_lanes(state, s); ++lane) {
                         const std::int64_t n = s * shard_samples + lane;
                         const auto sample = static_cast<std::uint64_t>(a.sample ? a.sample[n] : n);
                         d.low[lane] = static_cast<std::uint32_t>(sample);
                         d.high[lane] = static_cast<std::uint32_t>(sample >> 32) ^ (key << 16);
                       }
                       k.dropout(d);
                     })},
          ""};
}

/// Weights are rounded in blocks, activations shard by shard.
bool rounds_weight(const Plan& plan, const Step& s) {
  return !plan.values[static_cast<std::size_t>(s.outputs[0])].batched;
}

}  // namespace

KernelTable elementwise_kernels() {
#define NW_ENTRIES(name, Formula, ...) \
  {#name, value<math::Formula, Unary::name>}, {#name "_grad", gradient<math::Formula, Unary::name>},
  return {{"round_bf16", round_bf16, rounds_weight}, {"add", add<false, false>}, {"add_relu", add<true, false>},
          {"add_relu_grad", add<false, true>},       {"dropout", dropout},       NW_ELEMENT_KERNELS(NW_ENTRIES)};
#undef NW_ENTRIES
}

}  // namespace nw::cpu
