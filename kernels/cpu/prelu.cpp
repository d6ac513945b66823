// SPDX-License-Identifier: Apache-2.0
// A leaky ReLU whose slope is a weight: one for all channels, or one for each.
#include "kernels/cpu/operators.hpp"

namespace nw::cpu {
namespace {

/// The runs of a shard that have the same slope.
struct Slopes {
  std::int64_t count, floats;
  Slopes(const Value& w, const Lanes& x) : count(w.shape.elements()), floats(x.floats() / count) {}
};

PreparedKernel prelu(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const Slopes slopes(c.in_value(1), x);
  const float* w = c.in(1);
  const VectorKernels& k = vector_of(c);
  return {{per_shard(c,
                     [=, &k](std::int64_t s, int) {
                       for (std::int64_t i = 0; i < slopes.count; ++i)
                         k.unary(Unary::leaky_relu, x.shard(s) + i * slopes.floats, y.shard(s) + i * slopes.floats,
                                 slopes.floats, {w[i]});
                     })},
          ""};
}

PreparedKernel prelu_grad_input(KernelContext& c) {
  const Lanes dy = in(c, 0), x = in(c, 1), dx = out(c, 0);
  const Slopes slopes(c.in_value(2), x);
  const float* w = c.in(2);
  const VectorKernels& k = vector_of(c);
  return {{per_shard(c,
                     [=, &k](std::int64_t s, int) {
                       for (std::int64_t i = 0; i < slopes.count; ++i) {
                         const std::int64_t at = i * slopes.floats;
                         k.unary_gradient(Unary::leaky_relu, dy.shard(s) + at, x.shard(s) + at, dx.shard(s) + at,
                                          slopes.floats, {w[i]});
                       }
                     })},
          ""};
}

PreparedKernel prelu_grad_weight(KernelContext& c) {
  const Lanes dy = in(c, 0), x = in(c, 1);
  const Slopes slopes(c.out_value(0), x);
  float* dw = c.out(0);
  auto* sums = c.own<double>(shards_for(c.plan.batch) * slopes.count);
  const LayerKernels& k = vector_of(c).layer;
  const RunState& state = c.state;
  const auto shard = [=, &k, &state](std::int64_t s, int) {
    for (std::int64_t i = 0; i < slopes.count; ++i)
      sums[s * slopes.count + i] = k.slope_gradient(dy.shard(s) + i * slopes.floats, x.shard(s) + i * slopes.floats,
                                                    slopes.floats / shard_samples, valid_lanes(state, s));
  };
  return {{per_shard(c, shard), serial([=, &state] {
             for (std::int64_t i = 0; i < slopes.count; ++i) {
               double sum = 0;
               for (std::int64_t s = 0; s < state.active_shards; ++s) sum += sums[s * slopes.count + i];
               dw[i] = static_cast<float>(sum);
             }
           })},
          ""};
}

}  // namespace

KernelTable prelu_kernels() {
  return {
      {"prelu", prelu}, {"prelu_grad_input", prelu_grad_input}, {"prelu_grad_weight", prelu_grad_weight, always_alone}};
}

}  // namespace nw::cpu
