// SPDX-License-Identifier: Apache-2.0
// Shared by the reference kernels: indexing of values, and the tables that backend.cpp combines. Plain loops over valid
// samples, sums in double; not optimized.
#pragma once
#include "kernels/executor.hpp"

namespace nw::reference {

/// A batched or plain f32 value as (n,c,h,w); vectors have h = w = 1. Memory is nhwc.
struct Image {
  float* p = nullptr;
  std::int64_t n = 1, c = 1, h = 1, w = 1;
  float& at(std::int64_t in, std::int64_t ic, std::int64_t iy, std::int64_t ix) const {
    return p[((in * h + iy) * w + ix) * c + ic];
  }
  bool inside(std::int64_t iy, std::int64_t ix) const { return iy >= 0 && iy < h && ix >= 0 && ix < w; }
  std::int64_t per_sample() const { return c * h * w; }
  float* sample(std::int64_t i) const { return p + i * per_sample(); }
};
Image image(float* data, const Value& v);
inline Image in(const KernelContext& c, int i) { return image(c.in(i), c.in_value(i)); }
inline Image out(const KernelContext& c, int i) { return image(c.out(i), c.out_value(i)); }

inline float rectified(float v) { return v <= 0 ? 0 : v; }
/// The gate of a fused gradient: input `i`, or none where the step has no such input. passes(e): false where its
/// element e is <= 0.
struct Gate {
  const float* y = nullptr;
  bool passes(std::int64_t e) const { return !y || !(y[e] <= 0); }
};
inline Gate gate(const KernelContext& c, int i) { return {c.in(i)}; }

/// A kernel that is one function over the whole batch.
PreparedKernel whole(std::function<void()> run);
/// A kernel whose samples are independent: run(n) for each valid sample.
PreparedKernel each_sample(const KernelContext&, std::function<void(std::int64_t n)> run);

KernelTable conv2d_kernels();
KernelTable conv_transpose2d_kernels();
KernelTable linear_kernels();
KernelTable pool_kernels();
KernelTable batch_norm_kernels();
KernelTable sample_norm_kernels();
KernelTable elementwise_kernels();
KernelTable prelu_kernels();
KernelTable channel_kernels();
KernelTable channel_norm_kernels();
KernelTable attention_kernels();
KernelTable multiply_kernels();
KernelTable formula_kernels();
KernelTable resample_kernels();
KernelTable dropout_kernels();
KernelTable softmax_kernels();
KernelTable shape_kernels();
KernelTable loss_kernels();
KernelTable update_kernels();

}  // namespace nw::reference
