// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/kernels.hpp"

namespace nw::cpu {
namespace {

PoolShape pool_shape(const KernelContext& c, const Lanes& image, const Lanes& pooled) {
  const Pair kernel = pair_attr(c.step, "kernel", 1), stride = pair_attr(c.step, "stride", 1), padding = pair_attr(c.step, "padding", 0);
  return {image.channels, image.height, image.width, pooled.height, pooled.width, kernel.h, kernel.w, stride.h, stride.w,
          padding.h, padding.w, int_attr(c.step.attrs, "count_include_pad", 1) != 0};
}
// Global average pooling is average pooling with one window.
PoolShape whole_image(const Lanes& image) {
  return {image.channels, image.height, image.width, 1, 1, image.height, image.width, 1, 1, 0, 0, true};
}

PreparedKernel max_pool2d(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  auto* argmax = c.out<std::uint8_t>(1);
  const PoolShape shape = pool_shape(c, x, y);
  const VectorKernels& k = vector_of(c);
  return {{per_shard(c, [=, &k](std::int64_t s, int) {
    k.max_pool(shape, x.shard(s), y.shard(s), argmax ? argmax + s * y.floats() : nullptr);
  })}, ""};
}

PreparedKernel max_pool2d_grad(KernelContext& c) {
  const Lanes dy = in(c, 0), dx = out(c, 0);
  const auto* argmax = c.in<std::uint8_t>(1);
  const PoolShape shape = pool_shape(c, dx, dy);
  const VectorKernels& k = vector_of(c);
  return {{per_shard(c, [=, &k](std::int64_t s, int) {
    k.max_pool_gradient(shape, dy.shard(s), argmax + s * dy.floats(), dx.shard(s));
  })}, ""};
}

PreparedKernel average(KernelContext& c, const PoolShape& shape) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const VectorKernels& k = vector_of(c);
  return {{per_shard(c, [=, &k](std::int64_t s, int) { k.avg_pool(shape, x.shard(s), y.shard(s)); })}, ""};
}

PreparedKernel average_gradient(KernelContext& c, const PoolShape& shape) {
  const Lanes dy = in(c, 0), dx = out(c, 0);
  const VectorKernels& k = vector_of(c);
  return {{per_shard(c, [=, &k](std::int64_t s, int) { k.avg_pool_gradient(shape, dy.shard(s), dx.shard(s)); })}, ""};
}

PreparedKernel avg_pool2d(KernelContext& c) { return average(c, pool_shape(c, in(c, 0), out(c, 0))); }
PreparedKernel avg_pool2d_grad(KernelContext& c) { return average_gradient(c, pool_shape(c, out(c, 0), in(c, 0))); }
PreparedKernel global_avg_pool2d(KernelContext& c) { return average(c, whole_image(in(c, 0))); }
PreparedKernel global_avg_pool2d_grad(KernelContext& c) { return average_gradient(c, whole_image(out(c, 0))); }

}  // namespace

KernelTable pool_kernels() {
  return {{"max_pool2d", max_pool2d}, {"max_pool2d_grad", max_pool2d_grad}, {"avg_pool2d", avg_pool2d},
          {"avg_pool2d_grad", avg_pool2d_grad}, {"global_avg_pool2d", global_avg_pool2d},
          {"global_avg_pool2d_grad", global_avg_pool2d_grad}};
}

}  // namespace nw::cpu
