// SPDX-License-Identifier: Apache-2.0
// Softmax over dimension 1 (channels), at each pixel for images.
#include <algorithm>
#include <cmath>

#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

PreparedKernel softmax(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  return each_sample(c, [x, y](std::int64_t n) {
    for (std::int64_t q = 0; q < x.h * x.w; ++q) {
      const float* from = x.sample(n) + q * x.c;
      const double largest = *std::max_element(from, from + x.c);
      double sum = 0;
      for (std::int64_t k = 0; k < x.c; ++k) sum += std::exp(from[k] - largest);
      for (std::int64_t k = 0; k < x.c; ++k)
        y.sample(n)[q * x.c + k] = static_cast<float>(std::exp(from[k] - largest) / sum);
    }
  });
}

PreparedKernel softmax_grad(KernelContext& c) {
  const Image dy = in(c, 0), y = in(c, 1), dx = out(c, 0);
  return each_sample(c, [dy, y, dx](std::int64_t n) {
    for (std::int64_t q = 0; q < y.h * y.w; ++q) {
      const std::int64_t first = q * y.c;
      double dot = 0;
      for (std::int64_t k = 0; k < y.c; ++k)
        dot += static_cast<double>(dy.sample(n)[first + k]) * y.sample(n)[first + k];
      for (std::int64_t k = 0; k < y.c; ++k)
        dx.sample(n)[first + k] = static_cast<float>(y.sample(n)[first + k] * (dy.sample(n)[first + k] - dot));
    }
  });
}

}  // namespace

KernelTable softmax_kernels() { return {{"softmax", softmax}, {"softmax_grad", softmax_grad}}; }

}  // namespace nw::reference
