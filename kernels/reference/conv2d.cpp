// SPDX-License-Identifier: Apache-2.0
// y[o] = b[o] + sum over the group's channels and the window of w[o] * x; gradients are its transposes.
#include <algorithm>
#include <cmath>

#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

struct Conv {
  Image x, y, w;  // w as (out, in/groups, kh, kw), row-major: accessed by weight()
  Pair stride, padding, dilation;
  std::int64_t in_per_group, out_per_group;

  Conv(const KernelContext& c, Image image_x, Image image_y, float* weights, const Value& weight_value)
      : x(image_x),
        y(image_y),
        w(image(weights, weight_value)),
        stride(pair_attr(c.step, "stride", 1)),
        padding(pair_attr(c.step, "padding", 0)),
        dilation(pair_attr(c.step, "dilation", 1)),
        in_per_group(x.c / int_attr(c.step.attrs, "groups", 1)),
        out_per_group(y.c / int_attr(c.step.attrs, "groups", 1)) {}
  std::int64_t weight_index(std::int64_t o, std::int64_t i, std::int64_t ky, std::int64_t kx) const {
    return ((o * w.c + i) * w.h + ky) * w.w + kx;
  }
  // Calls f(index of w, o, oy, ox, channel of x, iy, ix) for every product of one sample.
  template <class F>
  void products(F f) const {
    for (std::int64_t o = 0; o < y.c; ++o)
      for (std::int64_t i = 0; i < in_per_group; ++i)
        for (std::int64_t ky = 0; ky < w.h; ++ky)
          for (std::int64_t kx = 0; kx < w.w; ++kx)
            for (std::int64_t oy = 0; oy < y.h; ++oy)
              for (std::int64_t ox = 0; ox < y.w; ++ox) {
                const std::int64_t iy = oy * stride.h - padding.h + ky * dilation.h;
                const std::int64_t ix = ox * stride.w - padding.w + kx * dilation.w;
                if (x.inside(iy, ix))
                  f(weight_index(o, i, ky, kx), o, oy, ox, o / out_per_group * in_per_group + i, iy, ix);
              }
  }
};

using Sums = std::vector<double>;
Sums zeros(std::int64_t n) { return Sums(static_cast<std::size_t>(n), 0.0); }

// One sample's outputs, in the memory order (h,w,c).
std::vector<float> outputs(const Conv& v, const float* b, std::int64_t n) {
  Sums sum = zeros(v.y.per_sample());
  v.products([&](auto k, auto o, auto oy, auto ox, auto i, auto iy, auto ix) {
    sum[static_cast<std::size_t>((oy * v.y.w + ox) * v.y.c + o)] +=
        static_cast<double>(v.w.p[k]) * v.x.at(n, i, iy, ix);
  });
  std::vector<float> y;
  for (std::size_t e = 0; e < sum.size(); ++e)
    y.push_back(static_cast<float>(sum[e] + (b ? b[e % static_cast<std::size_t>(v.y.c)] : 0.0f)));
  return y;
}

template <bool relu>
PreparedKernel conv2d(KernelContext& c) {
  const Conv v(c, in(c, 0), out(c, 0), c.in(1), c.in_value(1));
  const float* b = c.in(2);
  return each_sample(c, [v, b](std::int64_t n) {
    const std::vector<float> y = outputs(v, b, n);
    std::transform(y.begin(), y.end(), v.y.sample(n), [](float f) { return relu ? rectified(f) : f; });
  });
}

std::int64_t outputs_along(std::int64_t image, std::int64_t kernel, std::int64_t stride, std::int64_t padding,
                           std::int64_t dilation) {
  return (image + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
}

PreparedKernel conv2d_max_pool2d_relu(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  Conv v(c, x, y, c.in(1), c.in_value(1));
  v.y.h = outputs_along(x.h, v.w.h, v.stride.h, v.padding.h, v.dilation.h);
  v.y.w = outputs_along(x.w, v.w.w, v.stride.w, v.padding.w, v.dilation.w);
  const Pair window = pair_attr(c.step, "window", 1);
  const float* b = c.in(2);
  auto* argmax = c.out<std::uint8_t>(1);
  return each_sample(c, [v, y, window, b, argmax](std::int64_t n) {
    const std::vector<float> before = outputs(v, b, n);
    for (std::int64_t e = 0; e < y.per_sample(); ++e) {
      const std::int64_t ch = e % y.c, top = e / y.c / y.w * window.h, left = e / y.c % y.w * window.w;
      const auto at = [&](std::int64_t k) {
        return before[static_cast<std::size_t>(((top + k / window.w) * v.y.w + left + k % window.w) * y.c + ch)];
      };
      std::int64_t best = 0;
      for (std::int64_t k = 1; k < window.h * window.w; ++k)
        if (at(k) > at(best) || (std::isnan(at(k)) && !std::isnan(at(best)))) best = k;
      y.sample(n)[e] = rectified(at(best));
      if (argmax) argmax[n * y.per_sample() + e] = static_cast<std::uint8_t>(best);
    }
  });
}

PreparedKernel conv2d_grad_input(KernelContext& c) {
  const Conv v(c, out(c, 0), in(c, 0), c.in(1), c.in_value(1));
  const Gate open = gate(c, 2);
  return each_sample(c, [v, open](std::int64_t n) {
    Sums sum = zeros(v.x.per_sample());
    v.products([&](auto k, auto o, auto oy, auto ox, auto i, auto iy, auto ix) {
      sum[static_cast<std::size_t>((iy * v.x.w + ix) * v.x.c + i)] +=
          static_cast<double>(v.w.p[k]) * v.y.at(n, o, oy, ox);
    });
    for (std::int64_t e = 0; e < v.x.per_sample(); ++e)
      v.x.sample(n)[e] =
          open.passes(n * v.x.per_sample() + e) ? static_cast<float>(sum[static_cast<std::size_t>(e)]) : 0.0f;
  });
}

PreparedKernel conv2d_grad_weight(KernelContext& c) {
  const Conv v(c, in(c, 1), in(c, 0), c.out(0), c.out_value(0));
  float* db = c.out(1);
  const RunState& state = c.state;
  return whole([v, db, &state] {
    Sums dw = zeros(v.w.n * v.w.per_sample()), bias = zeros(v.y.c);
    for (std::int64_t n = 0; n < state.args.valid; ++n) {
      v.products([&](auto k, auto o, auto oy, auto ox, auto i, auto iy, auto ix) {
        dw[static_cast<std::size_t>(k)] += static_cast<double>(v.y.at(n, o, oy, ox)) * v.x.at(n, i, iy, ix);
      });
      for (std::int64_t e = 0; e < v.y.per_sample(); ++e) bias[static_cast<std::size_t>(e % v.y.c)] += v.y.sample(n)[e];
    }
    for (std::size_t e = 0; e < dw.size(); ++e) v.w.p[e] = static_cast<float>(dw[e]);
    for (std::size_t o = 0; db && o < bias.size(); ++o) db[o] = static_cast<float>(bias[o]);
  });
}

}  // namespace

KernelTable conv2d_kernels() {
  return {{"conv2d", conv2d<false>},
          {"conv2d_relu", conv2d<true>},
          {"conv2d_max_pool2d_relu", conv2d_max_pool2d_relu},
          {"conv2d_grad_input", conv2d_grad_input},
          {"conv2d_grad_input_relu", conv2d_grad_input},
          {"conv2d_grad_weight", conv2d_grad_weight}};
}

}  // namespace nw::reference
