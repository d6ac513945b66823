// SPDX-License-Identifier: Apache-2.0
// Concatenation and slicing along channels, and other orders of the same elements.
#include <algorithm>

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

PreparedKernel slice_grad(KernelContext& c) {
  const Image dy = in(c, 0), dx = out(c, 0);
  const std::int64_t begin = int_attr(c.step.attrs, "begin");
  return each_sample(c, [dy, dx, begin](std::int64_t n) {
    std::fill_n(dx.sample(n), dx.per_sample(), 0.0f);
    copy_channels(dy, 0, dx, begin, dy.c, n);
  });
}

/// The place in memory of element e of a sample, which is counted in (C,H,W) order.
std::int64_t place(const Image& i, std::int64_t e) { return e % (i.h * i.w) * i.c + e / (i.h * i.w); }

// flatten, its gradient and reshape: the elements keep their order.
PreparedKernel reshape(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  return each_sample(c, [x, y](std::int64_t n) {
    for (std::int64_t e = 0; e < x.per_sample(); ++e) y.sample(n)[place(y, e)] = x.sample(n)[place(x, e)];
  });
}

PreparedKernel transpose(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const auto first = static_cast<std::size_t>(int_attr(c.step.attrs, "first") - 1),
             second = static_cast<std::size_t>(int_attr(c.step.attrs, "second") - 1);
  return each_sample(c, [x, y, first, second](std::int64_t n) {
    for (std::int64_t ch = 0; ch < x.c; ++ch)
      for (std::int64_t iy = 0; iy < x.h; ++iy)
        for (std::int64_t ix = 0; ix < x.w; ++ix) {
          std::int64_t at[] = {ch, iy, ix};
          std::swap(at[first], at[second]);
          y.at(n, at[0], at[1], at[2]) = x.at(n, ch, iy, ix);
        }
  });
}

PreparedKernel channel_shuffle(KernelContext& c) {
  const Image x = in(c, 0), y = out(c, 0);
  const std::int64_t groups = int_attr(c.step.attrs, "groups"), each = x.c / groups;
  return each_sample(c, [x, y, groups, each](std::int64_t n) {
    for (std::int64_t ch = 0; ch < x.c; ++ch) copy_channels(x, ch, y, ch % each * groups + ch / each, 1, n);
  });
}

}  // namespace

KernelTable shape_kernels() {
  return {{"concat", concat},         {"slice", slice},
          {"slice_grad", slice_grad}, {"flatten", reshape},
          {"reshape", reshape},       {"flatten_grad", reshape},
          {"transpose", transpose},   {"channel_shuffle", channel_shuffle}};
}

}  // namespace nw::reference
