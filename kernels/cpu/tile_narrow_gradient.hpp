// SPDX-License-Identifier: Apache-2.0
// Weight gradient, by tiles, of a convolution of images of few channels: LeNet-5's first layer. Rows of a tile are outputs of a few
// pixels side by side (a group), columns are what those look at in one row of the image; a weight's gradient then lies once for
// each pixel of the group, on a diagonal. x is turned so that pairs of images are rows, which for few channels is less than dy.
#pragma once
#include "kernels/cpu/tile_sweep.hpp"

namespace nw::cpu {

/// dy as a max pool's gradient that nobody else asks for: made where it is packed, never stored.
struct PooledGradient {
  Lanes dy, gate;                   // dy.p null: none; gate.p null: no gate
  const std::uint8_t* argmax = nullptr;
  Pair kernel;
};

class NarrowGradient {
 public:
  /// True: the geometry has such a form.
  static bool fits(const ConvGeometry&);
  NarrowGradient(const ConvGeometry&, std::int64_t shards, const PooledGradient& pooled = {});
  bool takes_along() const { return pooled_.dy.p != nullptr; }
  /// True: its tasks' rows are whole windows.
  bool takes_pooled(Pair kernel) const { return rows_ % kernel.h == 0; }

  std::int64_t tasks() const { return units_ * parts_; }
  std::int64_t scratch_bytes() const { return (x_words() + lying_words() + dy_words()) * 4; }
  /// Floats of one task's sums: [tile of outputs][row of the kernel][tile of columns][16][16].
  std::int64_t sums() const { return out_tiles_ * products() * tile_words; }
  /// Some rows of 32 images, two shards.
  void run(const VectorKernels&, std::int64_t task, std::int64_t shards, float* sums_of_tasks, std::byte* scratch) const;
  /// All tasks' sums, in order, into dw of outputs [first, last).
  void collect(std::int64_t shards, const float* sums_of_tasks, std::int64_t first, std::int64_t last, float* dw) const;
  /// About what a shard takes, but for the collecting.
  double cycles() const;

 private:
  std::int64_t span() const { return (g_.kernel.w + (group_ - 1) * g_.stride.w) * g_.x.channels; }   // columns a group looks at
  std::int64_t column_tiles() const { return (span() + row_words - 1) / row_words; }
  std::int64_t products() const { return g_.kernel.h * column_tiles(); }
  std::int64_t image_rows(std::int64_t rows) const { return (rows - 1) * g_.stride.h + (g_.kernel.h - 1) * g_.dilation.h + 1; }
  std::int64_t x_words() const { return image_rows(rows_) * row_words * width_; }
  std::int64_t lying_words() const { return width_ * row_words; }
  std::int64_t dy_words() const { return rows_ * g_.y.width * g_.y.channels * row_words; }
  void pack_x(const VectorKernels&, std::int64_t unit, bool both, std::int64_t first, std::int64_t rows, std::uint32_t* lying, std::uint32_t* to) const;
  void pack_dy(const VectorKernels&, std::int64_t unit, bool both, std::int64_t first, std::int64_t rows, std::uint32_t* to) const;
  void pack_pooled(const VectorKernels&, std::int64_t unit, bool both, std::int64_t first, std::int64_t rows, std::uint32_t* to) const;

  const ConvGeometry g_;
  const PooledGradient pooled_;
  std::int64_t units_, parts_ = 1, rows_ = 1, out_tiles_ = 1, group_ = 1, width_ = 0;   // rows_: of a part; width_: words of a turned row
  std::vector<std::int32_t> offset_;
};

}  // namespace nw::cpu
