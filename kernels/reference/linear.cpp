// SPDX-License-Identifier: Apache-2.0
// y = x w^T + b, row by row. Each pixel of an image is a row: pixels are adjacent, and channels within them.
#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

std::int64_t rows(const Image& x) { return x.h * x.w; }  // of one sample

template <bool relu>
PreparedKernel linear(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const float *w = c.in(1), *b = c.in(2);
  return each_sample(c, [x, y, w, b](std::int64_t n) {
    for (std::int64_t e = 0; e < y.per_sample(); ++e) {
      const std::int64_t o = e % y.c;
      const float* row = x.sample(n) + e / y.c * x.c;
      double sum = b ? b[o] : 0.0;
      for (std::int64_t i = 0; i < x.c; ++i) sum += static_cast<double>(w[o * x.c + i]) * row[i];
      y.sample(n)[e] = relu ? rectified(static_cast<float>(sum)) : static_cast<float>(sum);
    }
  });
}

PreparedKernel linear_grad_input(KernelContext& c) {
  const Image dy = in(c, 0), dx = out(c, 0);
  const float* w = c.in(1);
  const Gate open = gate(c, 2);
  return each_sample(c, [dy, dx, w, open](std::int64_t n) {
    for (std::int64_t e = 0; e < dx.per_sample(); ++e) {
      const std::int64_t i = e % dx.c;
      const float* row = dy.sample(n) + e / dx.c * dy.c;
      double sum = 0;
      for (std::int64_t o = 0; o < dy.c; ++o) sum += static_cast<double>(w[o * dx.c + i]) * row[o];
      dx.sample(n)[e] = open.passes(n * dx.per_sample() + e) ? static_cast<float>(sum) : 0.0f;
    }
  });
}

PreparedKernel linear_grad_weight(KernelContext& c) {
  const Image dy = in(c, 0), x = in(c, 1);
  float *dw = c.out(0), *db = c.out(1);
  const RunState& state = c.state;
  return whole([dy, x, dw, db, &state] {
    for (std::int64_t o = 0; o < dy.c; ++o) {
      for (std::int64_t i = 0; i < x.c; ++i) {
        double sum = 0;
        for (std::int64_t row = 0; row < state.args.valid * rows(x); ++row)
          sum += static_cast<double>(dy.p[row * dy.c + o]) * x.p[row * x.c + i];
        dw[o * x.c + i] = static_cast<float>(sum);
      }
      double bias = 0;
      for (std::int64_t row = 0; row < state.args.valid * rows(x); ++row) bias += dy.p[row * dy.c + o];
      if (db) db[o] = static_cast<float>(bias);
    }
  });
}

}  // namespace

KernelTable linear_kernels() {
  return {{"linear", linear<false>},
          {"linear_relu", linear<true>},
          {"linear_grad_input", linear_grad_input},
          {"linear_grad_input_relu", linear_grad_input},
          {"linear_grad_weight", linear_grad_weight}};
}

}  // namespace nw::reference
