// SPDX-License-Identifier: Apache-2.0
// Pooling over windows; a window is clipped at the image's edges (floor mode, as in PyTorch).
#include <algorithm>
#include <cmath>

#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

struct Window {
  Pair kernel, stride, padding;
  explicit Window(const Step& s)
      : kernel(pair_attr(s, "kernel", 1)), stride(pair_attr(s, "stride", 1)), padding(pair_attr(s, "padding", 0)) {}
  // Calls f(iy, ix, index in the window) for the cells of output (oy, ox) that are inside the image.
  template <class F>
  void cells(const Image& x, std::int64_t oy, std::int64_t ox, F f) const {
    for (std::int64_t ky = 0; ky < kernel.h; ++ky)
      for (std::int64_t kx = 0; kx < kernel.w; ++kx) {
        const std::int64_t iy = oy * stride.h - padding.h + ky, ix = ox * stride.w - padding.w + kx;
        if (x.inside(iy, ix)) f(iy, ix, ky * kernel.w + kx);
      }
  }
  // The divisor of an average: PyTorch counts padding, but not beyond the padded image.
  double divisor(const Image& x, std::int64_t oy, std::int64_t ox, bool count_include_pad) const {
    const std::int64_t top = oy * stride.h - padding.h, left = ox * stride.w - padding.w;
    if (count_include_pad)
      return static_cast<double>((std::min(top + kernel.h, x.h + padding.h) - top) *
                                 (std::min(left + kernel.w, x.w + padding.w) - left));
    double count = 0;
    cells(x, oy, ox, [&](auto, auto, auto) { ++count; });
    return count;
  }
};

template <class F>
void each_pixel(const Image& y, F f) {
  for (std::int64_t c = 0; c < y.c; ++c)
    for (std::int64_t oy = 0; oy < y.h; ++oy)
      for (std::int64_t ox = 0; ox < y.w; ++ox) f(c, oy, ox);
}

PreparedKernel max_pool2d(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  auto* argmax = c.out<std::uint8_t>(1);
  const Window window(c.step);
  return each_sample(c, [x, y, argmax, window](std::int64_t n) {
    each_pixel(y, [&](auto ch, auto oy, auto ox) {
      bool first = true;
      float best = 0;
      std::uint8_t where = 0;
      window.cells(x, oy, ox, [&](auto iy, auto ix, auto k) {
        const float v = x.at(n, ch, iy, ix);
        if (first || v > best || (std::isnan(v) && !std::isnan(best))) {
          best = v;
          where = static_cast<std::uint8_t>(k);
        }
        first = false;
      });
      y.at(n, ch, oy, ox) = best;
      if (argmax) argmax[&y.at(n, ch, oy, ox) - y.p] = where;
    });
  });
}

PreparedKernel max_pool2d_grad(KernelContext& c) {
  const Image dy = in(c, 0), dx = out(c, 0);
  const auto* argmax = c.in<std::uint8_t>(1);
  const Window window(c.step);
  const Gate open = gate(c, 2);
  return each_sample(c, [dy, dx, argmax, window, open](std::int64_t n) {
    std::fill_n(dx.sample(n), dx.per_sample(), 0.0f);
    each_pixel(dy, [&](auto ch, auto oy, auto ox) {
      const float& d = dy.at(n, ch, oy, ox);
      window.cells(dx, oy, ox, [&](auto iy, auto ix, auto k) {
        if (argmax[&d - dy.p] == k && open.passes(&d - dy.p)) dx.at(n, ch, iy, ix) += d;
      });
    });
  });
}

PreparedKernel avg_pool2d(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const Window window(c.step);
  const bool with_padding = int_attr(c.step.attrs, "count_include_pad", 1) != 0;
  return each_sample(c, [x, y, window, with_padding](std::int64_t n) {
    each_pixel(y, [&](auto ch, auto oy, auto ox) {
      double sum = 0;
      window.cells(x, oy, ox, [&](auto iy, auto ix, auto) { sum += x.at(n, ch, iy, ix); });
      y.at(n, ch, oy, ox) = static_cast<float>(sum / window.divisor(x, oy, ox, with_padding));
    });
  });
}

PreparedKernel avg_pool2d_grad(KernelContext& c) {
  const Image dy = in(c, 0), dx = out(c, 0);
  const Window window(c.step);
  const bool with_padding = int_attr(c.step.attrs, "count_include_pad", 1) != 0;
  return each_sample(c, [dy, dx, window, with_padding](std::int64_t n) {
    std::fill_n(dx.sample(n), dx.per_sample(), 0.0f);
    each_pixel(dy, [&](auto ch, auto oy, auto ox) {
      const auto d = static_cast<float>(dy.at(n, ch, oy, ox) / window.divisor(dx, oy, ox, with_padding));
      window.cells(dx, oy, ox, [&](auto iy, auto ix, auto) { dx.at(n, ch, iy, ix) += d; });
    });
  });
}

PreparedKernel global_avg_pool2d(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  return each_sample(c, [x, y](std::int64_t n) {
    for (std::int64_t ch = 0; ch < x.c; ++ch) {
      double sum = 0;
      for (std::int64_t q = 0; q < x.h * x.w; ++q) sum += x.sample(n)[q * x.c + ch];
      y.sample(n)[ch] = static_cast<float>(sum / static_cast<double>(x.h * x.w));
    }
  });
}

PreparedKernel global_avg_pool2d_grad(KernelContext& c) {
  const Image dy = in(c, 0), dx = out(c, 0);
  return each_sample(c, [dy, dx](std::int64_t n) {
    for (std::int64_t e = 0; e < dx.per_sample(); ++e)
      dx.sample(n)[e] = static_cast<float>(dy.sample(n)[e % dx.c] / static_cast<double>(dx.h * dx.w));
  });
}

}  // namespace

KernelTable pool_kernels() {
  return {{"max_pool2d", max_pool2d},
          {"max_pool2d_grad", max_pool2d_grad},
          {"max_pool2d_relu_grad", max_pool2d_grad},
          {"avg_pool2d", avg_pool2d},
          {"avg_pool2d_grad", avg_pool2d_grad},
          {"global_avg_pool2d", global_avg_pool2d},
          {"global_avg_pool2d_grad", global_avg_pool2d_grad}};
}

}  // namespace nw::reference
