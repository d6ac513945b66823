// SPDX-License-Identifier: Apache-2.0
// Products of images, some of which may have one number for each channel.
#include <algorithm>

#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

struct Product {
  std::vector<Image> factors;
  Image largest;

  explicit Product(const KernelContext& c) {
    for (int i = 0; i < static_cast<int>(c.step.inputs.size()); ++i) factors.push_back(in(c, i));
    largest = *std::max_element(factors.begin(), factors.end(),
                                [](const Image& a, const Image& b) { return a.per_sample() < b.per_sample(); });
  }
  // Element e of a sample of the largest factor's shape.
  double at(std::int64_t n, std::int64_t e) const {
    double product = 1;
    for (const Image& f : factors) product *= f.sample(n)[f.per_sample() == largest.per_sample() ? e : e % f.c];
    return product;
  }
};

PreparedKernel multiply(KernelContext& c) {
  const Product product(c);
  const Image y = out(c, 0);
  return each_sample(c, [product, y](std::int64_t n) {
    for (std::int64_t e = 0; e < y.per_sample(); ++e) y.sample(n)[e] = static_cast<float>(product.at(n, e));
  });
}

PreparedKernel multiply_grad_scale(KernelContext& c) {
  const Product product(c);
  const Image dx = out(c, 0);
  return each_sample(c, [product, dx](std::int64_t n) {
    for (std::int64_t ch = 0; ch < dx.c; ++ch) {
      double sum = 0;
      for (std::int64_t e = ch; e < product.largest.per_sample(); e += dx.c) sum += product.at(n, e);
      dx.sample(n)[ch] = static_cast<float>(sum);
    }
  });
}

}  // namespace

KernelTable multiply_kernels() { return {{"multiply", multiply}, {"multiply_grad_scale", multiply_grad_scale}}; }

}  // namespace nw::reference
