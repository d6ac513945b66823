// SPDX-License-Identifier: Apache-2.0
// Products, one factor after another. y may be in place of the first factor, not of a later one.
#include "kernels/cpu/operators.hpp"

namespace nw::cpu {
namespace {

class Product {
 public:
  explicit Product(const KernelContext& c) : k_(vector_of(c)) {
    for (int i = 0; i < static_cast<int>(c.step.inputs.size()); ++i) {
      factors_.push_back(in(c, i));
      if (factors_.back().pixels() > image_.pixels()) image_ = factors_.back();
      image_.channels = factors_.back().channels;
    }
    begin_ = 0;
    while (factors_[begin_].pixels() < image_.pixels()) ++begin_;
  }
  const Lanes& image() const { return image_; }
  /// Writes the product of one shard, channels [first, first + count), to `to`.
  void run(std::int64_t shard, std::int64_t first, std::int64_t count, float* to) const {
    const float* so_far = at(begin_, shard, first);
    if (factors_.size() == 1) k_.unary(Unary::leaky_relu, so_far, to, count * image_.pixels() * shard_samples, {1.0f});
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      if (i == begin_) continue;
      k_.layer.multiply(so_far, at(i, shard, first), to, count, image_.pixels(), factors_[i].pixels());
      so_far = to;
    }
  }

 private:
  const float* at(std::size_t i, std::int64_t shard, std::int64_t channel) const {
    return factors_[i].shard(shard) + channel * factors_[i].pixels() * shard_samples;
  }
  const VectorKernels& k_;
  std::vector<Lanes> factors_;
  Lanes image_;            // with the sizes of the largest factor
  std::size_t begin_ = 0;  // the index of a factor of those sizes
};

PreparedKernel multiply(KernelContext& c) {
  const Product product(c);
  const Lanes y = out(c, 0);
  return {{per_shard(c, [=](std::int64_t s, int) { product.run(s, 0, y.channels, y.shard(s)); })}, ""};
}

PreparedKernel multiply_grad_scale(KernelContext& c) {
  const Product product(c);
  const Lanes dx = out(c, 0);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  c.need_worker_scratch(product.image().pixels() * shard_samples * 4);
  return {{per_shard(c,
                     [=, &k, &state](std::int64_t s, int worker) {
                       auto* scratch = reinterpret_cast<float*>(state.worker_scratch[static_cast<std::size_t>(worker)]);
                       for (std::int64_t ch = 0; ch < dx.channels; ++ch) {
                         float* to = dx.shard(s) + ch * shard_samples;
                         product.run(s, ch, 1, scratch);
                         std::fill_n(to, shard_samples, 0.0f);
                         k.sum_pixels(scratch, product.image().pixels(), to);
                       }
                     })},
          ""};
}

}  // namespace

KernelTable multiply_kernels() { return {{"multiply", multiply}, {"multiply_grad_scale", multiply_grad_scale}}; }

}  // namespace nw::cpu
