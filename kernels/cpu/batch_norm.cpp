// SPDX-License-Identifier: Apache-2.0
// Batch norm: statistics per shard, which one worker adds in the order of the shards.
#include <cmath>

#include "kernels/batch_norm_finalize.hpp"
#include "kernels/cpu/operators.hpp"

namespace nw::cpu {
namespace {

// sums[shard][2][channels] over active shards -> total[2][channels]; the second half is multiplied by factor(channel).
template <class F>
KernelPhase add_up(const KernelContext& c, const double* sums, double* total, std::int64_t channels, F factor) {
  const RunState& state = c.state;
  return serial([=, &state] {
    for (std::int64_t i = 0; i < 2 * channels; ++i) {
      double sum = 0;
      for (std::int64_t s = 0; s < state.active_shards; ++s) sum += sums[s * 2 * channels + i];
      total[i] = i < channels ? sum : sum * factor(i - channels);
    }
  });
}

PreparedKernel batch_norm_stats(KernelContext& c) {
  const Lanes x = in(c, 0);
  auto* sums = c.own<double>(shards_for(c.plan.batch) * 2 * x.channels);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const auto shard = [=, &k, &state](std::int64_t s, Part part, int) {
    for (std::int64_t ch = part.begin(x.channels); ch < part.end(x.channels); ++ch) {
      double pair[2] = {};
      k.norm_stats(x.shard(s) + ch * x.pixels() * shard_samples, x.pixels(), valid_lanes(state, s), pair);
      sums[(2 * s) * x.channels + ch] = pair[0];
      sums[(2 * s + 1) * x.channels + ch] = pair[1];
    }
  };
  return {{per_channel(c, x, shard), add_up(c, sums, c.out<double>(0), x.channels, [](std::int64_t) { return 1.0; })},
          ""};
}

PreparedKernel batch_norm_grad_stats(KernelContext& c) {
  const Lanes dy = in(c, 0), x = in(c, 1);
  const float* mean = c.in(2);
  auto* sums = c.own<double>(shards_for(c.plan.batch) * 2 * x.channels);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const auto shard = [=, &k, &state](std::int64_t s, Part part, int) {
    for (std::int64_t ch = part.begin(x.channels); ch < part.end(x.channels); ++ch) {
      double pair[2] = {};
      const std::int64_t at = ch * x.pixels() * shard_samples;
      k.norm_gradient_stats(dy.shard(s) + at, x.shard(s) + at, mean[ch], x.pixels(), valid_lanes(state, s), pair);
      sums[(2 * s) * x.channels + ch] = pair[0];
      sums[(2 * s + 1) * x.channels + ch] = pair[1];
    }
  };
  const std::int64_t channels = x.channels;
  return {{per_channel(c, x, shard),
           add_up(c, sums, c.out<double>(0), channels,
                  [mean, channels](std::int64_t ch) { return static_cast<double>(mean[channels + ch]); })},
          ""};
}

// In one pass: normalizes, adds the residual where there is one (input `residual`), rectifies. scale(channel): the
// factor of x - mean. Without mean and bias it computes the linear part alone.
template <class Scale>
PreparedKernel apply(KernelContext& c, bool relu, int residual, const float* mean, const float* bias, Scale scale) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const Lanes r = c.has_in(residual) ? in(c, residual) : Lanes{};
  const VectorKernels& k = vector_of(c);
  return {{per_channel(c, x,
                       [=, &k](std::int64_t s, Part part, int) {
                         for (std::int64_t ch = part.begin(x.channels); ch < part.end(x.channels); ++ch) {
                           const std::int64_t at = ch * x.pixels() * shard_samples;
                           k.norm_apply({x.shard(s) + at, r.p ? r.shard(s) + at : nullptr, y.shard(s) + at,
                                         mean ? mean[ch] : 0.0f, scale(ch), bias ? bias[ch] : 0.0f, relu, x.pixels()});
                         }
                       })},
          ""};
}

template <bool relu>
PreparedKernel batch_norm_apply(KernelContext& c) {
  const float *mean = c.in(1), *weight = c.in(2);
  const std::int64_t channels = in(c, 0).channels;
  return apply(c, relu, 4, mean, c.in(3), [=](std::int64_t ch) { return mean[channels + ch] * weight[ch]; });
}

// With the running statistics: the factor of a channel's difference from the mean.
auto running_scale(const KernelContext& c, const float* var, const float* weight) {
  return [=, eps = real_attr(c.step.attrs, "eps")](std::int64_t ch) {
    return static_cast<float>(1 / std::sqrt(static_cast<double>(var[ch]) + eps)) * weight[ch];
  };
}

template <bool relu>
PreparedKernel batch_norm_inference(KernelContext& c) {
  return apply(c, relu, 5, c.in(1), c.in(4), running_scale(c, c.in(2), c.in(3)));
}

PreparedKernel batch_norm_inference_grad(KernelContext& c) {
  return apply(c, false, 3, nullptr, nullptr, running_scale(c, c.in(1), c.in(2)));
}

PreparedKernel batch_norm_grad_input(KernelContext& c) {
  const Lanes dy = in(c, 0), x = in(c, 1), dx = out(c, 0);
  const float *mean = c.in(2), *weight = c.in(3);
  const auto* stats = c.in<double>(4);
  const double spatial = real_attr(c.step.attrs, "spatial");
  const bool local = is_local(c.step);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  return {{per_channel(c, x,
                       [=, &k, &state](std::int64_t s, Part part, int) {
                         const double count = batch_norm_count(state.args, local, spatial);
                         for (std::int64_t ch = part.begin(x.channels); ch < part.end(x.channels); ++ch) {
                           const std::int64_t at = ch * x.pixels() * shard_samples;
                           const float invstd = mean[x.channels + ch];
                           k.norm_gradient(dy.shard(s) + at, x.shard(s) + at, dx.shard(s) + at, mean[ch],
                                           weight[ch] * invstd, static_cast<float>(stats[ch] / count),
                                           static_cast<float>(stats[x.channels + ch] / count * invstd), x.pixels(),
                                           valid_lanes(state, s));
                         }
                       })},
          ""};
}

}  // namespace

KernelTable batch_norm_kernels() {
  return {{"batch_norm_stats", batch_norm_stats, always_alone},
          {"batch_norm_finalize", prepare_batch_norm_finalize, always_alone},
          {"batch_norm_apply", batch_norm_apply<false>},
          {"batch_norm_apply_relu", batch_norm_apply<true>},
          {"batch_norm_inference", batch_norm_inference<false>},
          {"batch_norm_inference_relu", batch_norm_inference<true>},
          {"batch_norm_inference_grad", batch_norm_inference_grad},
          {"batch_norm_grad_stats", batch_norm_grad_stats, always_alone},
          {"batch_norm_grad_weight", prepare_batch_norm_grad_weight, always_alone},
          {"batch_norm_grad_input", batch_norm_grad_input}};
}

}  // namespace nw::cpu
