// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/kernel_cases.hpp"

namespace nw::test {
namespace {

using List = std::vector<std::int64_t>;

struct PoolSizes {
  Shape image, pooled;
};
PoolSizes pool_sizes(Rng& r, KernelCase& k) {
  const std::int64_t kh = pick(r, 1, 7), kw = r() % 2 ? kh : pick(r, 1, 7), ph = pick(r, 0, kh / 2),
                     pw = pick(r, 0, kw / 2);
  const std::int64_t sh = pick(r, 1, 4), sw = r() % 2 ? sh : pick(r, 1, 4), c = pick(r, 1, 5);
  const std::int64_t h = std::max<std::int64_t>(1, kh - 2 * ph) + pick(r, 0, 9),
                     w = std::max<std::int64_t>(1, kw - 2 * pw) + pick(r, 0, 9);
  k.attrs = {{"kernel", List{kh, kw}},
             {"stride", List{sh, sw}},
             {"padding", List{ph, pw}},
             {"count_include_pad", pick(r, 0, 1)}};
  return {{k.batch, c, h, w}, {k.batch, c, (h + 2 * ph - kh) / sh + 1, (w + 2 * pw - kw) / sw + 1}};
}
KernelCase max_pool2d(Rng& r) {
  KernelCase k = sized(r);
  const PoolSizes s = pool_sizes(r, k);
  k.inputs = {{"x", s.image}};
  k.outputs = {{"y", s.pooled}};
  if (r() % 4) k.outputs.push_back({"argmax", s.pooled, Fill::noise, true, DType::u8});
  return k;
}
KernelCase max_pool2d_grad(Rng& r) {
  KernelCase k = sized(r);
  const PoolSizes s = pool_sizes(r, k);
  k.inputs = {{"dy", s.pooled, Fill::gradient}, {"argmax", s.pooled, Fill::argmax, true, DType::u8}};
  k.outputs = {{"dx", s.image}};
  return k;
}
KernelCase max_pool2d_relu_grad(Rng& r) {
  KernelCase k = max_pool2d_grad(r);
  k.inputs.push_back({"y", k.inputs[0].shape, Fill::rectified});
  return k;
}
KernelCase avg_pool2d(Rng& r) {
  KernelCase k = sized(r);
  const PoolSizes s = pool_sizes(r, k);
  k.inputs = {{"x", s.image}};
  k.outputs = {{"y", s.pooled}};
  return k;
}
KernelCase avg_pool2d_grad(Rng& r) {
  KernelCase k = sized(r);
  const PoolSizes s = pool_sizes(r, k);
  k.inputs = {{"dy", s.pooled, Fill::gradient}};
  k.outputs = {{"dx", s.image}};
  return k;
}
KernelCase global_avg_pool2d(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.inputs = {{"x", x}};
  k.outputs = {{"y", {x[0], x[1], 1, 1}}};
  return k;
}
KernelCase global_avg_pool2d_grad(Rng& r) {
  KernelCase k = sized(r);
  const Shape x = image(r, k);
  k.inputs = {{"dy", {x[0], x[1], 1, 1}, Fill::gradient}};
  k.outputs = {{"dx", x}};
  return k;
}

}  // namespace

std::map<std::string, Generator> pool_cases() {
  return {{"max_pool2d", max_pool2d},
          {"max_pool2d_grad", max_pool2d_grad},
          {"avg_pool2d", avg_pool2d},
          {"avg_pool2d_grad", avg_pool2d_grad},
          {"global_avg_pool2d", global_avg_pool2d},
          {"global_avg_pool2d_grad", global_avg_pool2d_grad},
          {"max_pool2d_relu_grad", max_pool2d_relu_grad}};
}

}  // namespace nw::test
