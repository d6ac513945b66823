// SPDX-License-Identifier: Apache-2.0
// y = x w^T + b, row by row.
#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

template <bool relu>
PreparedKernel linear(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const float *w = c.in(1), *b = c.in(2);
  return each_sample(c, [x, y, w, b](std::int64_t n) {
    for (std::int64_t o = 0; o < y.c; ++o) {
      double sum = b ? b[o] : 0.0;
      for (std::int64_t i = 0; i < x.c; ++i) sum += static_cast<double>(w[o * x.c + i]) * x.sample(n)[i];
      y.sample(n)[o] = relu ? rectified(static_cast<float>(sum)) : static_cast<float>(sum);
    }
  });
}

PreparedKernel linear_grad_input(KernelContext& c) {
  const Image dy = in(c, 0), dx = out(c, 0);
  const float* w = c.in(1);
  const Gate open = gate(c, 2);
  return each_sample(c, [dy, dx, w, open](std::int64_t n) {
    for (std::int64_t i = 0; i < dx.c; ++i) {
      double sum = 0;
      for (std::int64_t o = 0; o < dy.c; ++o) sum += static_cast<double>(w[o * dx.c + i]) * dy.sample(n)[o];
      dx.sample(n)[i] = open.passes(n * dx.c + i) ? static_cast<float>(sum) : 0.0f;
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
        for (std::int64_t n = 0; n < state.args.valid; ++n)
          sum += static_cast<double>(dy.sample(n)[o]) * x.sample(n)[i];
        dw[o * x.c + i] = static_cast<float>(sum);
      }
      double bias = 0;
      for (std::int64_t n = 0; n < state.args.valid; ++n) bias += dy.sample(n)[o];
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
