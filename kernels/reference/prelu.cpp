// SPDX-License-Identifier: Apache-2.0
// A leaky ReLU whose slope is a weight (He et al., 2015): one for all channels, or one for each.
#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

PreparedKernel prelu(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const float* w = c.in(1);
  const std::int64_t slopes = c.in_value(1).shape.elements();
  return each_sample(c, [x, y, w, slopes](std::int64_t n) {
    for (std::int64_t e = 0; e < x.per_sample(); ++e) {
      const float v = x.sample(n)[e];
      y.sample(n)[e] = v > 0 ? v : w[e % x.c % slopes] * v;
    }
  });
}

PreparedKernel prelu_grad_input(KernelContext& c) {
  const Image dy = in(c, 0), x = in(c, 1), dx = out(c, 0);
  const float* w = c.in(2);
  const std::int64_t slopes = c.in_value(2).shape.elements();
  return each_sample(c, [dy, x, dx, w, slopes](std::int64_t n) {
    for (std::int64_t e = 0; e < x.per_sample(); ++e)
      dx.sample(n)[e] = x.sample(n)[e] > 0 ? dy.sample(n)[e] : w[e % x.c % slopes] * dy.sample(n)[e];
  });
}

PreparedKernel prelu_grad_weight(KernelContext& c) {
  const Image dy = in(c, 0), x = in(c, 1);
  float* dw = c.out(0);
  const std::int64_t slopes = c.out_value(0).shape.elements();
  const RunState& state = c.state;
  return whole([dy, x, dw, slopes, &state] {
    std::vector<double> sum(static_cast<std::size_t>(slopes), 0.0);
    for (std::int64_t e = 0; e < state.args.valid * x.per_sample(); ++e)
      if (!(x.p[e] > 0)) sum[static_cast<std::size_t>(e % x.c % slopes)] += static_cast<double>(dy.p[e]) * x.p[e];
    for (std::int64_t i = 0; i < slopes; ++i) dw[i] = static_cast<float>(sum[static_cast<std::size_t>(i)]);
  });
}

}  // namespace

KernelTable prelu_kernels() {
  return {{"prelu", prelu}, {"prelu_grad_input", prelu_grad_input}, {"prelu_grad_weight", prelu_grad_weight}};
}

}  // namespace nw::reference
