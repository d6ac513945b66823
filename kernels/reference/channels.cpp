// SPDX-License-Identifier: Apache-2.0
// One number for each channel: scales, and sums in which some terms have one number for each sample and channel. The
// largest value of a channel.
#include <algorithm>
#include <cmath>

#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

PreparedKernel scale_channels(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const float* w = c.in(1);
  return each_sample(c, [x, y, w](std::int64_t n) {
    for (std::int64_t e = 0; e < x.per_sample(); ++e) y.sample(n)[e] = x.sample(n)[e] * w[e % x.c];
  });
}

PreparedKernel scale_channels_grad_weight(KernelContext& c) {
  const Image dy = in(c, 0), x = in(c, 1);
  float* dw = c.out(0);
  const RunState& state = c.state;
  return whole([dy, x, dw, &state] {
    for (std::int64_t k = 0; k < x.c; ++k) {
      double sum = 0;
      for (std::int64_t e = k; e < state.args.valid * x.per_sample(); e += x.c)
        sum += static_cast<double>(dy.p[e]) * x.p[e];
      dw[k] = static_cast<float>(sum);
    }
  });
}

PreparedKernel add_spread(KernelContext& c) {
  std::vector<Image> terms;
  for (int i = 0; i < static_cast<int>(c.step.inputs.size()); ++i) terms.push_back(in(c, i));
  const Image y = out(c, 0);
  return each_sample(c, [terms, y](std::int64_t n) {
    for (std::int64_t e = 0; e < y.per_sample(); ++e) {
      double sum = 0;
      for (const Image& t : terms) sum += t.sample(n)[t.per_sample() == y.per_sample() ? e : e % t.c];
      y.sample(n)[e] = static_cast<float>(sum);
    }
  });
}

// The first pixel with the largest value of a channel; a NaN is larger than every number.
std::int64_t largest(const Image& x, std::int64_t n, std::int64_t channel) {
  const float* from = x.sample(n) + channel;
  std::int64_t best = 0;
  for (std::int64_t q = 1; q < x.h * x.w; ++q) {
    const float v = from[q * x.c], so_far = from[best * x.c];
    if (v > so_far || (std::isnan(v) && !std::isnan(so_far))) best = q;
  }
  return best;
}

PreparedKernel global_max_pool2d(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  return each_sample(c, [x, y](std::int64_t n) {
    for (std::int64_t k = 0; k < x.c; ++k) y.sample(n)[k] = x.sample(n)[largest(x, n, k) * x.c + k];
  });
}

PreparedKernel global_max_pool2d_grad(KernelContext& c) {
  const Image dy = in(c, 0), x = in(c, 1), dx = out(c, 0);
  return each_sample(c, [dy, x, dx](std::int64_t n) {
    std::fill_n(dx.sample(n), dx.per_sample(), 0.0f);
    for (std::int64_t k = 0; k < x.c; ++k) dx.sample(n)[largest(x, n, k) * x.c + k] = dy.sample(n)[k];
  });
}

}  // namespace

KernelTable channel_kernels() {
  return {{"scale_channels", scale_channels},
          {"scale_channels_grad_weight", scale_channels_grad_weight},
          {"add_spread", add_spread},
          {"global_max_pool2d", global_max_pool2d},
          {"global_max_pool2d_grad", global_max_pool2d_grad}};
}

}  // namespace nw::reference
