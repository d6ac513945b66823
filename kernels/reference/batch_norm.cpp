// SPDX-License-Identifier: Apache-2.0
// Batch normalization in parts (Ioffe and Szegedy, 2015), so that statistics can be summed over shards and replicas in
// between.
#include "kernels/batch_norm_finalize.hpp"
#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

PreparedKernel batch_norm_stats(KernelContext& c) {
  const Image x = in(c, 0);
  auto* stats = c.out<double>(0);
  const RunState& state = c.state;
  return whole([x, stats, &state] {
    std::fill_n(stats, 2 * x.c, 0.0);
    for (std::int64_t e = 0; e < state.args.valid * x.per_sample(); ++e) {
      stats[e % x.c] += x.p[e];
      stats[x.c + e % x.c] += static_cast<double>(x.p[e]) * x.p[e];
    }
  });
}

// The end of the normalization: a residual is added where there is one, then relu.
template <bool relu>
float finished(float v, const float* residual, std::int64_t e) {
  if (residual) v += residual[e];
  return relu ? rectified(v) : v;
}

template <bool relu>
PreparedKernel batch_norm_apply(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const float *mean = c.in(1), *weight = c.in(2), *bias = c.in(3), *residual = c.in(4);
  return each_sample(c, [x, y, mean, weight, bias, residual](std::int64_t n) {
    for (std::int64_t e = 0; e < x.per_sample(); ++e) {
      const std::int64_t ch = e % x.c;
      y.sample(n)[e] = finished<relu>((x.sample(n)[e] - mean[ch]) * mean[x.c + ch] * weight[ch] + bias[ch], residual,
                                      n * x.per_sample() + e);
    }
  });
}

template <bool relu>
PreparedKernel batch_norm_inference(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const float *mean = c.in(1), *var = c.in(2), *weight = c.in(3), *bias = c.in(4), *residual = c.in(5);
  const double eps = real_attr(c.step.attrs, "eps");
  return each_sample(c, [x, y, mean, var, weight, bias, residual, eps](std::int64_t n) {
    for (std::int64_t e = 0; e < x.per_sample(); ++e) {
      const std::int64_t ch = e % x.c;
      const auto invstd = static_cast<float>(1 / std::sqrt(var[ch] + eps));
      y.sample(n)[e] = finished<relu>((x.sample(n)[e] - mean[ch]) * invstd * weight[ch] + bias[ch], residual,
                                      n * x.per_sample() + e);
    }
  });
}

PreparedKernel batch_norm_inference_grad(KernelContext& c) {
  const Image dy = in(c, 0), dx = out(c, 0);
  const float *var = c.in(1), *weight = c.in(2);
  const double eps = real_attr(c.step.attrs, "eps");
  return each_sample(c, [dy, dx, var, weight, eps](std::int64_t n) {
    for (std::int64_t e = 0; e < dy.per_sample(); ++e) {
      const std::int64_t ch = e % dy.c;
      dx.sample(n)[e] = dy.sample(n)[e] * static_cast<float>(1 / std::sqrt(var[ch] + eps)) * weight[ch];
    }
  });
}

PreparedKernel batch_norm_grad_stats(KernelContext& c) {
  const Image dy = in(c, 0), x = in(c, 1);
  const float* mean = c.in(2);
  auto* stats = c.out<double>(0);
  const RunState& state = c.state;
  return whole([dy, x, mean, stats, &state] {
    std::fill_n(stats, 2 * x.c, 0.0);
    for (std::int64_t e = 0; e < state.args.valid * x.per_sample(); ++e) {
      const std::int64_t ch = e % x.c;
      stats[ch] += dy.p[e];
      stats[x.c + ch] += static_cast<double>(dy.p[e]) * (x.p[e] - mean[ch]) * mean[x.c + ch];
    }
  });
}

PreparedKernel batch_norm_grad_input(KernelContext& c) {
  const Image dy = in(c, 0), x = in(c, 1), dx = out(c, 0);
  const float *mean = c.in(2), *weight = c.in(3);
  const auto* stats = c.in<double>(4);
  const double spatial = real_attr(c.step.attrs, "spatial");
  const bool local = is_local(c.step);
  const RunState& state = c.state;
  return each_sample(c, [dy, x, dx, mean, weight, stats, spatial, local, &state](std::int64_t n) {
    const double count = batch_norm_count(state.args, local, spatial);
    for (std::int64_t e = 0; e < x.per_sample(); ++e) {
      const std::int64_t ch = e % x.c;
      const double xhat = (static_cast<double>(x.sample(n)[e]) - mean[ch]) * mean[x.c + ch];
      dx.sample(n)[e] = static_cast<float>(static_cast<double>(weight[ch]) * mean[x.c + ch] *
                                           (dy.sample(n)[e] - stats[ch] / count - xhat * stats[x.c + ch] / count));
    }
  });
}

}  // namespace

KernelTable batch_norm_kernels() {
  return {{"batch_norm_stats", batch_norm_stats},
          {"batch_norm_finalize", prepare_batch_norm_finalize},
          {"batch_norm_apply", batch_norm_apply<false>},
          {"batch_norm_apply_relu", batch_norm_apply<true>},
          {"batch_norm_inference", batch_norm_inference<false>},
          {"batch_norm_inference_relu", batch_norm_inference<true>},
          {"batch_norm_inference_grad", batch_norm_inference_grad},
          {"batch_norm_grad_stats", batch_norm_grad_stats},
          {"batch_norm_grad_weight", prepare_batch_norm_grad_weight},
          {"batch_norm_grad_input", batch_norm_grad_input}};
}

}  // namespace nw::reference
