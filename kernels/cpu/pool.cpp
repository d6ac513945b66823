// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/bf16/tile_products.hpp"
#include "kernels/cpu/operators.hpp"

namespace nw::cpu {
namespace {

PoolShape pool_shape(const KernelContext& c, const Lanes& image, const Lanes& pooled) {
  const Pair kernel = pair_attr(c.step, "kernel", 1), stride = pair_attr(c.step, "stride", 1),
             padding = pair_attr(c.step, "padding", 0);
  return {image.channels, image.height, image.width, pooled.height,
          pooled.width,   kernel.h,     kernel.w,    stride.h,
          stride.w,       padding.h,    padding.w,   int_attr(c.step.attrs, "count_include_pad", 1) != 0};
}
// Global average pooling is average pooling with one window.
PoolShape whole_image(const Lanes& image) {
  return {image.channels, image.height, image.width, 1, 1, image.height, image.width, 1, 1, 0, 0, true};
}

/// The channels of a part, and the offset of the first in a shard of the image and of the pooled image.
struct Channels {
  PoolShape shape;
  std::int64_t x, y;
  Channels(Part part, const PoolShape& s, const Lanes& image, const Lanes& pooled)
      : shape(s),
        x(part.begin(s.channels) * image.pixels() * shard_samples),
        y(part.begin(s.channels) * pooled.pixels() * shard_samples) {
    shape.channels = part.end(s.channels) - part.begin(s.channels);
  }
};

// True: the windows do not overlap and do not leave the image.
bool in_blocks(const PoolShape& s) {
  return s.kernel_h == s.stride_h && s.kernel_w == s.stride_w && s.pad_h == 0 && s.pad_w == 0;
}

PreparedKernel max_pool2d(KernelContext& c) {
  const Lanes x = in(c, 0), y = out(c, 0);
  auto* argmax = c.out<std::uint8_t>(1);
  const PoolShape shape = pool_shape(c, x, y);
  const VectorKernels& k = vector_of(c);
  return {{per_channel(c, x,
                       [=, &k](std::int64_t s, Part part, int) {
                         const Channels of(part, shape, x, y);
                         auto* where = argmax ? argmax + s * y.floats() + of.y : nullptr;
                         if (!in_blocks(shape))
                           return k.max_pool(of.shape, x.shard(s) + of.x, y.shard(s) + of.y, where);
                         k.block_pool({x.shard(s) + of.x, x.pixels() * shard_samples, x.width * shard_samples,
                                       of.shape.channels, y.height, y.width, shape.kernel_h, shape.kernel_w,
                                       y.shard(s) + of.y, where, y.pixels() * shard_samples, false});
                       })},
          ""};
}

PreparedKernel max_pool2d_grad(KernelContext& c) {
  if (vector_of(c).tiles && goes_along(*vector_of(c).tiles, c.plan, c.step)) return {};
  const Lanes dy = in(c, 0), dx = out(c, 0);
  const auto* argmax = c.in<std::uint8_t>(1);
  const Lanes gate = c.has_in(2) ? in(c, 2) : Lanes{};
  const PoolShape shape = pool_shape(c, dx, dy);
  const VectorKernels& k = vector_of(c);
  return {
      {per_channel(c, dx,
                   [=, &k](std::int64_t s, Part part, int) {
                     const Channels of(part, shape, dx, dy);
                     const float* open = gate.p ? gate.shard(s) + of.y : nullptr;
                     const std::uint8_t* where = argmax + s * dy.floats() + of.y;
                     if (!in_blocks(shape))
                       return k.max_pool_gradient(of.shape, dy.shard(s) + of.y, open, where, dx.shard(s) + of.x);
                     k.block_pool_gradient({dy.shard(s) + of.y, open, where, of.shape.channels, dy.height, dy.width,
                                            shape.kernel_h, shape.kernel_w, dx.height, dx.width, dx.shard(s) + of.x});
                   })},
      ""};
}

PreparedKernel average(KernelContext& c, const PoolShape& shape) {
  const Lanes x = in(c, 0), y = out(c, 0);
  const VectorKernels& k = vector_of(c);
  return {{per_channel(c, x,
                       [=, &k](std::int64_t s, Part part, int) {
                         const Channels of(part, shape, x, y);
                         k.avg_pool(of.shape, x.shard(s) + of.x, y.shard(s) + of.y);
                       })},
          ""};
}

PreparedKernel average_gradient(KernelContext& c, const PoolShape& shape) {
  const Lanes dy = in(c, 0), dx = out(c, 0);
  const VectorKernels& k = vector_of(c);
  return {{per_channel(c, dx,
                       [=, &k](std::int64_t s, Part part, int) {
                         const Channels of(part, shape, dx, dy);
                         k.avg_pool_gradient(of.shape, dy.shard(s) + of.y, dx.shard(s) + of.x);
                       })},
          ""};
}

PreparedKernel avg_pool2d(KernelContext& c) { return average(c, pool_shape(c, in(c, 0), out(c, 0))); }
PreparedKernel avg_pool2d_grad(KernelContext& c) { return average_gradient(c, pool_shape(c, out(c, 0), in(c, 0))); }
PreparedKernel global_avg_pool2d(KernelContext& c) { return average(c, whole_image(in(c, 0))); }
PreparedKernel global_avg_pool2d_grad(KernelContext& c) { return average_gradient(c, whole_image(out(c, 0))); }

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

}  // namespace nw::cpu
