// SPDX-License-Identifier: Apache-2.0
// Layer norm over the channels of each pixel. The statistics of a shard are [2][pixels][16]. Weight gradients are
// computed per shard and added in the order of the shards.
#include "kernels/cpu/operators.hpp"

namespace nw::cpu {
namespace {

ChannelNorm norm_of(const Lanes& x, std::int64_t shard, const float* w, const float* b) {
  return {x.shard(shard), x.channels, x.pixels(), w, b};
}

PreparedKernel forward(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const float *w = c.in(1), *b = c.in(2);
  float* saved = c.out(1);
  const double eps = real_attr(c.step.attrs, "eps");
  const LayerKernels& k = vector_of(c).layer;
  const RunState& state = c.state;
  const std::int64_t each = x.pixels() * shard_samples;
  c.need_worker_scratch(2 * each * 4);
  return {{per_shard(c,
                     [=, &k, &state](std::int64_t s, int worker) {
                       float* mean =
                           saved ? saved + s * 2 * each
                                 : reinterpret_cast<float*>(state.worker_scratch[static_cast<std::size_t>(worker)]);
                       k.channel_norm(norm_of(x, s, w, b), eps, mean, mean + each, y.shard(s));
                     })},
          ""};
}

PreparedKernel grad_input(KernelContext& c) {
  const Lanes dy = in(c, 0), x = in(c, 1), statistics = in(c, 2), dx = out(c, 0);
  const float* w = c.in(3);
  const LayerKernels& k = vector_of(c).layer;
  return {{per_shard(c,
                     [=, &k](std::int64_t s, int) {
                       const float* mean = statistics.shard(s);
                       k.channel_norm_gradient(norm_of(x, s, w, nullptr), mean, mean + x.pixels() * shard_samples,
                                               dy.shard(s), dx.shard(s));
                     })},
          ""};
}

PreparedKernel grad_weight(KernelContext& c) {
  const Lanes dy = in(c, 0), x = in(c, 1), statistics = in(c, 2);
  float *dw = c.out(0), *db = c.out(1);
  const std::int64_t row = 2 * x.channels;
  auto* partial = c.own<float>(shards_for(c.plan.batch) * row);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const auto shard = [=, &k, &state](std::int64_t s, int) {
    const float* mean = statistics.shard(s);
    k.layer.channel_norm_weight_gradient(norm_of(x, s, nullptr, nullptr), mean, mean + x.pixels() * shard_samples,
                                         dy.shard(s), valid_lanes(state, s), partial + s * row,
                                         partial + s * row + x.channels);
  };
  return {{per_shard(c, shard), serial([=, &k, &state] {
             k.sum_parts(partial, row, state.active_shards, x.channels, dw);
             if (db) k.sum_parts(partial + x.channels, row, state.active_shards, x.channels, db);
           })},
          ""};
}

}  // namespace

KernelTable channel_norm_kernels() {
  return {{"channel_norm", forward},
          {"channel_norm_grad_input", grad_input},
          {"channel_norm_grad_weight", grad_weight, always_alone}};
}

}  // namespace nw::cpu
