// SPDX-License-Identifier: Apache-2.0
// Layer and group norm: a group of a shard is one contiguous run, normalized lane by lane. Weight gradients are
// computed per shard and added in the order of the shards.
#include "kernels/cpu/operators.hpp"

namespace nw::cpu {
namespace {

struct Norm {
  Lanes x;
  std::int64_t groups, weights, pixels;  // groups: per sample; weights: per group; pixels: vectors per weight

  Norm(const KernelContext& c, const Lanes& image) : x(image), groups(int_attr(c.step.attrs, "groups", 1)) {
    const bool per_channel = c.step.kernel.starts_with("group_norm");
    weights = (per_channel ? x.channels : x.per_sample()) / groups;
    pixels = per_channel ? x.pixels() : 1;
  }
  std::int64_t all_weights() const { return groups * weights; }
  std::int64_t group_floats() const { return weights * pixels * shard_samples; }
  NormGroup group(std::int64_t shard, std::int64_t g, const float* statistics, const float* w, const float* b) const {
    const float* mean = statistics + g * shard_samples;
    return {x.shard(shard) + g * group_floats(),
            weights,
            pixels,
            mean,
            mean + groups * shard_samples,
            w ? w + g * weights : nullptr,
            b ? b + g * weights : nullptr};
  }
};

PreparedKernel forward(KernelContext& c) {
  const Norm v(c, in(c, 0));
  const Lanes y = out(c, 0);
  const float *w = c.in(1), *b = c.in(2);
  float* saved = c.out(1);
  const double eps = real_attr(c.step.attrs, "eps");
  const LayerKernels& k = vector_of(c).layer;
  const RunState& state = c.state;
  const std::int64_t statistics = 2 * v.groups * shard_samples;
  c.need_worker_scratch(statistics * 4);
  return {{per_shard(c,
                     [=, &k, &state](std::int64_t s, int worker) {
                       float* to =
                           saved ? saved + s * statistics
                                 : reinterpret_cast<float*>(state.worker_scratch[static_cast<std::size_t>(worker)]);
                       for (std::int64_t g = 0; g < v.groups; ++g) {
                         float* mean = to + g * shard_samples;
                         k.group_stats(v.x.shard(s) + g * v.group_floats(), v.weights * v.pixels, eps, mean,
                                       mean + v.groups * shard_samples);
                         k.group_apply(v.group(s, g, to, w, b), y.shard(s) + g * v.group_floats());
                       }
                     })},
          ""};
}

PreparedKernel grad_input(KernelContext& c) {
  const Norm v(c, in(c, 1));
  const Lanes dy = in(c, 0), statistics = in(c, 2), dx = out(c, 0);
  const float* w = c.in(3);
  const LayerKernels& k = vector_of(c).layer;
  return {{per_shard(c,
                     [=, &k](std::int64_t s, int) {
                       for (std::int64_t g = 0; g < v.groups; ++g)
                         k.group_gradient(v.group(s, g, statistics.shard(s), w, nullptr),
                                          dy.shard(s) + g * v.group_floats(), dx.shard(s) + g * v.group_floats());
                     })},
          ""};
}

PreparedKernel grad_weight(KernelContext& c) {
  const Norm v(c, in(c, 1));
  const Lanes dy = in(c, 0), statistics = in(c, 2);
  float *dw = c.out(0), *db = c.out(1);
  const std::int64_t row = 2 * v.all_weights();
  auto* partial = c.own<float>(shards_for(c.plan.batch) * row);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const auto shard = [=, &k, &state](std::int64_t s, int) {
    float* to = partial + s * row;
    for (std::int64_t g = 0; g < v.groups; ++g)
      k.layer.group_weight_gradient(v.group(s, g, statistics.shard(s), nullptr, nullptr),
                                    dy.shard(s) + g * v.group_floats(), valid_lanes(state, s), to + g * v.weights,
                                    to + v.all_weights() + g * v.weights);
  };
  return {{per_shard(c, shard), serial([=, &k, &state] {
             k.sum_parts(partial, row, state.active_shards, v.all_weights(), dw);
             if (db) k.sum_parts(partial + v.all_weights(), row, state.active_shards, v.all_weights(), db);
           })},
          ""};
}

}  // namespace

KernelTable sample_norm_kernels() {
  return {{"layer_norm", forward},
          {"layer_norm_grad_input", grad_input},
          {"layer_norm_grad_weight", grad_weight, always_alone},
          {"group_norm", forward},
          {"group_norm_grad_input", grad_input},
          {"group_norm_grad_weight", grad_weight, always_alone}};
}

}  // namespace nw::cpu
