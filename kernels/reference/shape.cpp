// SPDX-License-Identifier: Apache-2.0
// Concatenation, slicing and flattening along channels.
#include "kernels/reference/kernels.hpp"

namespace nw::reference {
namespace {

// Copies all channels of `from`, beginning at `from_first`, to `to` beginning at `to_first`.
void copy_channels(const Image& from, std::int64_t from_first, const Image& to, std::int64_t to_first,
                   std::int64_t count, std::int64_t n) {
  for (std::int64_t q = 0; q < to.h * to.w; ++q)
    for (std::int64_t ch = 0; ch < count; ++ch)
      to.sample(n)[q * to.c + to_first + ch] = from.sample(n)[q * from.c + from_first + ch];
}

PreparedKernel concat(KernelContext& c) {
  std::vector<Image> parts;
  for (int i = 0; i < static_cast<int>(c.step.inputs.size()); ++i) parts.push_back(in(c, i));
  const Image y = out(c, 0);
  return each_sample(c, [parts, y](std::int64_t n) {
    std::int64_t first = 0;
    for (const Image& p : parts) {
      copy_channels(p, 0, y, first, p.c, n);
      first += p.c;
    }
  });
}

PreparedKernel slice(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const std::int64_t begin = int_attr(c.step.attrs, "begin");
  return each_sample(c, [x, y, begin](std::int64_t n) { copy_channels(x, begin, y, 0, y.c, n); });
}

PreparedKernel flatten(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  return each_sample(c, [x, y](std::int64_t n) {
    for (std::int64_t ch = 0; ch < x.c; ++ch)
      for (std::int64_t q = 0; q < x.h * x.w; ++q) y.sample(n)[ch * x.h * x.w + q] = x.sample(n)[q * x.c + ch];
  });
}

PreparedKernel flatten_grad(KernelContext& c) {
  const Image dy = in(c, 0), dx = out(c, 0);
  return each_sample(c, [dy, dx](std::int64_t n) {
    for (std::int64_t ch = 0; ch < dx.c; ++ch)
      for (std::int64_t q = 0; q < dx.h * dx.w; ++q) dx.sample(n)[q * dx.c + ch] = dy.sample(n)[ch * dx.h * dx.w + q];
  });
}

}  // namespace

KernelTable shape_kernels() {
  return {{"concat", concat}, {"slice", slice}, {"flatten", flatten}, {"flatten_grad", flatten_grad}};
}

}  // namespace nw::reference
