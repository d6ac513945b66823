// SPDX-License-Identifier: Apache-2.0
// Weight gradient, by tiles, of a convolution whose images have few channels, such as LeNet-5's first layer. The rows
// of a tile are the outputs of a few pixels (a group), its columns are the numbers of x that those pixels read; the
// gradient of a weight then occurs once for each pixel of the group, on a diagonal. x is transposed so that its rows
// are pairs of images; for few channels this moves less than transposing dy.
#pragma once
#include "kernels/cpu/bf16/tile_sweep.hpp"

namespace nw::cpu {

/// dy as the gradient of a max pool that no other step reads: computed while it is packed, never stored.
struct PooledGradient {
  Lanes dy = {}, gate = {};  // dy.p null: none; gate.p null: no gate
  const std::uint8_t* argmax = nullptr;
  Pair kernel{1, 1};
};

class NarrowGradient {
 public:
  /// True: this form can compute the gradient of such a convolution.
  static bool fits(const ConvGeometry&);
  NarrowGradient(const ConvGeometry&, std::int64_t shards, const PooledGradient& pooled = {});
  bool takes_along() const { return pooled_.dy.p != nullptr; }
  /// True: the rows of a task, and those of a group, are whole windows.
  bool takes_pooled(Pair kernel) const { return rows_ % kernel.h == 0 && (!form_.deep() || form_.tall == kernel.h); }

  std::int64_t tasks() const { return units_ * parts_; }
  std::int64_t scratch_bytes() const { return (x_words() + lying_words() + dy_words() + lane_sums()) * 4; }
  /// Bytes of the sums that collect() reads.
  std::int64_t collect_bytes() const { return dy_tiles() * tile_sums() * 4; }
  /// Floats of one task's sums: [tile of dy][phase][product][16][16], then the biases' gradients.
  std::int64_t sums() const { return dy_tiles() * tile_sums() + out_tiles_ * tile_rows; }
  /// Computes some rows of 32 images (two shards).
  void run(const VectorKernels&, std::int64_t task, std::int64_t shards, float* sums_of_tasks,
           std::byte* scratch) const;
  /// Adds the sums of all tasks for a tile of outputs, in order, into its part of dw and (unless it is null) db.
  void collect(const VectorKernels&, std::int64_t tile, std::int64_t shards, const float* sums_of_tasks, float* dw,
               float* db, std::byte* scratch) const;
  /// Approximate cycles of a shard, without collecting the sums.
  double cycles(double (*product_cycles)(std::int64_t outs, std::int64_t rows)) const;

 private:
  /// The layout of x: all rows that `above` rows of outputs read share one column of words, or each row of the image is
  /// separate.
  struct Form {
    std::int64_t above = 1, tall = 1, beside = 1;  // a group: `tall` of those rows, or adjacent pixels
    bool deep() const { return above > 1; }
    std::int64_t pixels() const { return tall * beside; }
  };
  /// Some rows of outputs of a unit.
  struct Part {
    std::int64_t unit, first, rows;
    bool both;  // the unit has a second shard
  };
  bool choose(const Form&);
  void lay_offsets();
  void lay_places();
  // numbers of a column
  std::int64_t numbers() const {
    return (form_.deep() ? g_.kernel.h + (form_.above - 1) * g_.stride.h : 1) * g_.x.channels;
  }
  // including zeros around the image
  std::int64_t column_words() const { return ((g_.y.width - 1) * g_.stride.w + g_.kernel.w) * depth_; }
  // words that a group reads
  std::int64_t span() const { return (g_.kernel.w + (form_.beside - 1) * g_.stride.w) * depth_; }
  // number of columns after which the start of a column is at the start of a cache line again
  std::int64_t line() const { return form_.deep() && depth_ < row_words ? row_words / depth_ : 1; }
  // columns between the start of a line and the first group of the phase
  std::int64_t shift(std::int64_t phase) const { return phase * g_.stride.w % line(); }
  std::int64_t column_tiles() const {
    return (span() + (phases_ > 1 ? line() - 1 : 0) * depth_ + row_words - 1) / row_words;
  }
  std::int64_t products() const { return (form_.deep() ? 1 : g_.kernel.h) * column_tiles(); }
  std::int64_t dy_tiles() const { return form_.deep() ? form_.above / form_.tall : out_tiles_; }
  std::int64_t tile_sums() const { return phases_ * products() * tile_words; }
  std::int64_t image_rows(std::int64_t rows) const {
    return (rows - 1) * g_.stride.h + (g_.kernel.h - 1) * g_.dilation.h + 1;
  }
  std::int64_t slab_row() const { return row_words * width_; }
  std::int64_t x_words() const { return (form_.deep() ? 1 : image_rows(rows_)) * slab_row(); }
  std::int64_t lying_words() const { return round_up(column_words(), row_words) * row_words; }
  std::int64_t dy_words() const { return step_ * g_.y.width * g_.y.channels * row_words; }
  std::int64_t lane_sums() const { return g_.y.channels * row_words; }
  std::int64_t dy_place(std::int64_t row) const;
  void pack_x(const VectorKernels&, const Part&, std::int64_t y, std::uint32_t* lying, std::uint32_t* to) const;
  void pack_dy(const VectorKernels&, const Part&, std::uint32_t* to, float* biases) const;
  void pack_pooled(const VectorKernels&, const Part&, std::uint32_t* to, float* biases) const;
  void multiply(const VectorKernels&, const Part&, const std::uint32_t* dy, const std::uint32_t* x, bool add,
                float* acc) const;

  const ConvGeometry g_;
  const PooledGradient pooled_;
  Form form_;
  std::int64_t units_, parts_ = 1, rows_ = 1, step_ = 1, out_tiles_ = 1;  // rows_: per task; step_: packed at once
  std::int64_t depth_ = 1, width_ = 0, phases_ = 1;  // depth_: words of a column; width_: words of a transposed row
  std::vector<std::int32_t> offset_, phase_, places_;
};

}  // namespace nw::cpu
