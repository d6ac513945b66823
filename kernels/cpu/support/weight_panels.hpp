// SPDX-License-Identifier: Apache-2.0
// Weight gradients of layers that multiply the channels of every pixel by one matrix: linear layers (one pixel) and 1 x
// 1 convolutions.
#pragma once
#include "kernels/cpu/support/kernels.hpp"

namespace nw::cpu {

/// dw[o][i] = sum over samples and pixels of dy[o] * x[i]. A task computes the gradients of 64 inputs and some outputs:
/// a few pixels of x are transposed so that inputs are the vectors, and multiplied while they are in the L1 cache; then
/// the next ones are added.
class WeightPanels {
 public:
  /// Pixel (r, c) of dy belongs to pixel (r, c) * stride of x. squares: see KernelContext::square_sums, of tasks()
  /// parts, or null.
  WeightPanels(const VectorKernels&, const Lanes& dy, const Lanes& x, Pair stride, float* dw, std::int64_t shards);
  std::int64_t tasks() const { return parts_ * panels_; }
  /// The number of panels of 64 inputs; tasks t and t + panels() have different outputs.
  std::int64_t panels() const { return panels_; }
  std::int64_t parts() const { return parts_; }
  std::int64_t first_out(std::int64_t part) const { return std::min(part * per_part_, dy_.channels); }
  static std::int64_t scratch_bytes() { return together * shard_samples * panel_columns * 4; }
  void run(std::int64_t task, std::int64_t shards, double* squares, std::byte* scratch) const;

 private:
  static constexpr std::int64_t together = 4;  // pixels, or shards of a linear layer
  /// A run of adjacent pixels of one image, or one pixel of consecutive shards.
  struct Run {
    std::int64_t shard, pixel, count;
  };
  void add(const Run&, std::int64_t task, bool first, double* squares, float* turned) const;
  const float* x_at(std::int64_t shard, std::int64_t pixel) const {
    return x_.shard(shard) + (pixel / dy_.width * stride_.h * x_.width + pixel % dy_.width * stride_.w) * shard_samples;
  }

  const VectorKernels& k_;
  const Lanes dy_, x_;
  const Pair stride_;
  float* const dw_;
  std::int64_t panels_, parts_, per_part_;
};

/// The rows of a weight gradient that each worker computes, if the tasks are panels of parts: those of a worker begin
/// where its range of tasks does, or with the nearest part.
template <class Panels>
void share_by_parts(KernelContext& c, const Panels& w) {
  const std::int64_t row = c.out_value(0).shape.per_sample();
  std::vector<std::int64_t> first;
  for (int i = 0; i <= c.workers; ++i)
    first.push_back(w.first_out((2 * (w.parts() * w.panels() * i / c.workers) + w.panels()) / (2 * w.panels())) * row);
  c.share_gradient(0, std::move(first));
}

/// Computes db of a linear layer's outputs [first, last).
void add_biases(const VectorKernels&, const Lanes& dy, std::int64_t shards, std::int64_t first, std::int64_t last,
                float* db);

}  // namespace nw::cpu
