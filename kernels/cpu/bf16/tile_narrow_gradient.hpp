// SPDX-License-Identifier: Apache-2.0
// Weight gradient, by tiles, of a convolution of images of few channels: LeNet-5's first layer. Rows of a tile are
// outputs of a few pixels (a group), columns are what those look at; a weight's gradient then lies once for each pixel
// of the group, on a diagonal. x is turned so that pairs of images are rows, which for few channels is less than dy.
#pragma once
#include "kernels/cpu/bf16/tile_sweep.hpp"

namespace nw::cpu {

/// dy as a max pool's gradient with no other reader: computed where it is packed, never stored.
struct PooledGradient {
  Lanes dy = {}, gate = {};  // dy.p null: none; gate.p null: no gate
  const std::uint8_t* argmax = nullptr;
  Pair kernel{1, 1};
};

class NarrowGradient {
 public:
  /// True: the geometry has such a form.
  static bool fits(const ConvGeometry&);
  NarrowGradient(const ConvGeometry&, std::int64_t shards, const PooledGradient& pooled = {});
  bool takes_along() const { return pooled_.dy.p != nullptr; }
  /// True: its tasks' rows are whole windows, and so are a group's.
  bool takes_pooled(Pair kernel) const { return rows_ % kernel.h == 0 && (!form_.deep() || form_.tall == kernel.h); }

  std::int64_t tasks() const { return units_ * parts_; }
  std::int64_t scratch_bytes() const { return (x_words() + lying_words() + dy_words() + lane_sums()) * 4; }
  /// Of collect().
  std::int64_t collect_bytes() const { return dy_tiles() * tile_sums() * 4; }
  /// Floats of one task's sums: [tile of dy][phase][product][16][16], then the biases' gradients.
  std::int64_t sums() const { return dy_tiles() * tile_sums() + out_tiles_ * tile_rows; }
  /// Some rows of 32 images, two shards.
  void run(const VectorKernels&, std::int64_t task, std::int64_t shards, float* sums_of_tasks,
           std::byte* scratch) const;
  /// All tasks' sums of a tile of outputs, in order, into its part of dw and (unless it is null) db.
  void collect(const VectorKernels&, std::int64_t tile, std::int64_t shards, const float* sums_of_tasks, float* dw,
               float* db, std::byte* scratch) const;
  /// Approximate cycles of a shard, without collecting the sums.
  double cycles() const;

 private:
  /// All rows that `above` rows of outputs look at lie in one column of words, or each row of the image lies on its
  /// own.
  struct Form {
    std::int64_t above = 1, tall = 1, beside = 1;  // a group: `tall` of those rows, or pixels side by side
    bool deep() const { return above > 1; }
    std::int64_t pixels() const { return tall * beside; }
  };
  /// Some rows of outputs.
  struct Part {
    std::int64_t unit, first, rows;
    bool both;  // there is a second shard
  };
  bool choose(const Form&);
  void lay_offsets();
  void lay_places();
  // of a column
  std::int64_t numbers() const {
    return (form_.deep() ? g_.kernel.h + (form_.above - 1) * g_.stride.h : 1) * g_.x.channels;
  }
  // zeros around the image included
  std::int64_t column_words() const { return ((g_.y.width - 1) * g_.stride.w + g_.kernel.w) * depth_; }
  // words a group looks at
  std::int64_t span() const { return (g_.kernel.w + (form_.beside - 1) * g_.stride.w) * depth_; }
  // columns that begin and end together
  std::int64_t line() const { return form_.deep() && depth_ < row_words ? row_words / depth_ : 1; }
  // columns before those of the phase's first group
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
  std::int64_t units_, parts_ = 1, rows_ = 1, step_ = 1, out_tiles_ = 1;  // rows_: of a task; step_: at once
  std::int64_t depth_ = 1, width_ = 0, phases_ = 1;                       // words of a column, of a turned row
  std::vector<std::int32_t> offset_, phase_, places_;
};

}  // namespace nw::cpu
