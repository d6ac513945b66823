// SPDX-License-Identifier: Apache-2.0
// Every pixel of x adds its value times w to the window of y that begins at pixel * stride - padding; then b is added.
#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

struct Transpose {
  Image x, y, w;  // w as (in, out/groups, kh, kw), row-major
  Pair stride, padding, dilation;
  std::int64_t in_per_group;

  Transpose(const KernelContext& c, Image image_x, Image image_y, float* weights, const Value& weight_value)
      : x(image_x),
        y(image_y),
        w(image(weights, weight_value)),
        stride(pair_attr(c.step, "stride", 1)),
        padding(pair_attr(c.step, "padding", 0)),
        dilation(pair_attr(c.step, "dilation", 1)),
        in_per_group(x.c / int_attr(c.step.attrs, "groups", 1)) {}
  // Calls f(index of w, channel of x, iy, ix, channel of y, oy, ox) for every product of one sample.
  template <class F>
  void products(F f) const {
    for (std::int64_t k = 0; k < w.n * w.per_sample(); ++k) {
      const std::int64_t kx = k % w.w, ky = k / w.w % w.h, i = k / w.per_sample();
      const std::int64_t o = i / in_per_group * w.c + k / (w.w * w.h) % w.c;
      for (std::int64_t iy = 0; iy < x.h; ++iy)
        for (std::int64_t ix = 0; ix < x.w; ++ix) {
          const std::int64_t oy = iy * stride.h - padding.h + ky * dilation.h,
                             ox = ix * stride.w - padding.w + kx * dilation.w;
          if (y.inside(oy, ox)) f(k, i, iy, ix, o, oy, ox);
        }
    }
  }
};

using Sums = std::vector<double>;
Sums zeros(std::int64_t n) { return Sums(static_cast<std::size_t>(n), 0.0); }

PreparedKernel conv_transpose2d(KernelContext& c) {
  const Transpose v(c, in(c, 0), out(c, 0), c.in(1), c.in_value(1));
  const float* b = c.in(2);
  return each_sample(c, [v, b](std::int64_t n) {
    Sums sum = zeros(v.y.per_sample());
    v.products([&](auto k, auto i, auto iy, auto ix, auto o, auto oy, auto ox) {
      sum[static_cast<std::size_t>((oy * v.y.w + ox) * v.y.c + o)] +=
          static_cast<double>(v.w.p[k]) * v.x.at(n, i, iy, ix);
    });
    for (std::int64_t e = 0; e < v.y.per_sample(); ++e)
      v.y.sample(n)[e] = static_cast<float>(sum[static_cast<std::size_t>(e)] + (b ? b[e % v.y.c] : 0.0f));
  });
}

PreparedKernel conv_transpose2d_grad_input(KernelContext& c) {
  const Transpose v(c, out(c, 0), in(c, 0), c.in(1), c.in_value(1));
  return each_sample(c, [v](std::int64_t n) {
    Sums sum = zeros(v.x.per_sample());
    v.products([&](auto k, auto i, auto iy, auto ix, auto o, auto oy, auto ox) {
      sum[static_cast<std::size_t>((iy * v.x.w + ix) * v.x.c + i)] +=
          static_cast<double>(v.w.p[k]) * v.y.at(n, o, oy, ox);
    });
    for (std::int64_t e = 0; e < v.x.per_sample(); ++e)
      v.x.sample(n)[e] = static_cast<float>(sum[static_cast<std::size_t>(e)]);
  });
}

PreparedKernel conv_transpose2d_grad_weight(KernelContext& c) {
  const Transpose v(c, in(c, 1), in(c, 0), c.out(0), c.out_value(0));
  float* db = c.out(1);
  const RunState& state = c.state;
  return whole([v, db, &state] {
    Sums dw = zeros(v.w.n * v.w.per_sample()), bias = zeros(v.y.c);
    for (std::int64_t n = 0; n < state.args.valid; ++n) {
      v.products([&](auto k, auto i, auto iy, auto ix, auto o, auto oy, auto ox) {
        dw[static_cast<std::size_t>(k)] += static_cast<double>(v.y.at(n, o, oy, ox)) * v.x.at(n, i, iy, ix);
      });
      for (std::int64_t e = 0; e < v.y.per_sample(); ++e) bias[static_cast<std::size_t>(e % v.y.c)] += v.y.sample(n)[e];
    }
    for (std::size_t e = 0; e < dw.size(); ++e) v.w.p[e] = static_cast<float>(dw[e]);
    for (std::size_t o = 0; db && o < bias.size(); ++o) db[o] = static_cast<float>(bias[o]);
  });
}

}  // namespace

KernelTable conv_transpose2d_kernels() {
  return {{"conv_transpose2d", conv_transpose2d},
          {"conv_transpose2d_grad_input", conv_transpose2d_grad_input},
          {"conv_transpose2d_grad_weight", conv_transpose2d_grad_weight}};
}

}  // namespace nw::reference
