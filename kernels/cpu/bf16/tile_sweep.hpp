// SPDX-License-Identifier: Apache-2.0
// A sweep whose products are computed by tiles. The numbers of an image are rounded and packed into rows of 64 bytes
// with two numbers for each of 16 samples: two channels of a pixel, or (with few channels) the same channel of a pixel
// and of the pixel below it, or (with fewer still) any two of the numbers that a column of taps reads, packed again for
// each row of outputs. The rows of a pixel are adjacent, and so are the pixels of an image row, so that adjacent taps
// read one run of rows. If the number of rows of taps is odd, the partner of the last row has zero weights: a value
// there that is not finite makes the sum not finite too.
#pragma once
#include <functional>

#include "kernels/cpu/support/sweep.hpp"

namespace nw::cpu {

/// The offset of a weight: w[out * out_step + channel * channel_step + tap].
struct WeightPlaces {
  std::int64_t out_step, channel_step;
};

class TileSweep {
 public:
  /// `window`: of a max pool that follows and covers all outputs. Windows of 2 x 2 are pooled before anything is
  /// stored, see pool(); others after each part of a band, see run_parts().
  TileSweep(const Sweep&, const Lanes& from, const Lanes& to, WeightPlaces, Pair window = {1, 1});

  std::int64_t out_tiles() const { return (to_.channels + tile_rows - 1) / tile_rows; }
  std::int64_t weight_words() const { return out_tiles() * tile_weights(); }
  /// Packs the weights of one tile of outputs to its position in weight_words().
  void pack_weights(const VectorKernels&, const float* w, std::int64_t tile, std::uint32_t* to) const;

  std::int64_t rows() const { return rows_; }
  std::int64_t scratch_bytes() const { return slab_words() * 4; }
  /// Computes output rows [first, last) of one shard.
  void run(const VectorKernels&, const float* from, float* to, std::int64_t first, std::int64_t last,
           const std::uint32_t* w, const float* bias, Ending, std::byte* scratch) const;
  /// For a sweep with a pool: true if pool() computes the pool.
  bool pools() const { return pooling_ == Pooling::sums; }
  /// Computes all rows, rectified and pooled, into one shard's y and (unless it is null) argmax.
  void pool(const VectorKernels&, const float* from, float* y, std::uint8_t* argmax, const std::uint32_t* w,
            const float* bias, std::byte* scratch) const;
  /// For a sweep with any other pool: computes all rows, one part after another at `part`, where a channel has as many
  /// floats as a whole part, and calls `after`(first row, rows) after each part.
  void run_parts(const VectorKernels&, const float* from, float* part, const std::uint32_t* w, const float* bias,
                 std::byte* scratch, const std::function<void(std::int64_t row, std::int64_t rows)>& after) const;
  std::int64_t part_floats() const { return to_.channels * y_out_; }
  /// Approximate cycles of one shard if the batch has `shards` of them.
  double cycles(const TileKernels&, std::int64_t shards) const;

 private:
  enum class Pairing { channels, rows, columns };  // which two numbers share a word
  enum class Pooling { none, parts, sums };
  struct Form {
    Pairing pairing = Pairing::channels;
    Pair group{1, 1};  // pixels that share a tile where there are few outputs
    std::int64_t pixels() const { return group.h * group.w; }
  };
  struct Number {
    std::int64_t row, channel;  // row: relative to the first row that a pixel reads
  };
  // of the numbers that a pixel of the slab has
  Number number(std::int64_t word, std::int64_t half) const;
  double cost(const Form&, std::int64_t height, std::int64_t width) const;
  void choose_form(const Sweep&);
  void lay_runs(const Sweep&, WeightPlaces);
  void lay_places();
  void lay_columns(std::int64_t height);
  void lay_windows();
  std::int64_t depth(const Form&, std::int64_t height) const;
  std::int64_t run_width(std::int64_t taps, const Form& f) const { return taps + (f.group.w - 1) * in_step_.w; }
  std::int64_t tile_weights() const { return run_count() * runs().tiles() * tile_words; }
  std::int64_t run_count() const { return static_cast<std::int64_t>(run_offset_.size()); }
  TileRuns runs() const { return {run_offset_.data(), run_count(), run_rows_}; }
  std::int64_t pixel_words() const { return depth_ * row_words; }
  bool by_column() const { return form_.pairing == Pairing::columns; }
  std::int64_t slab_rows(std::int64_t band) const {
    return by_column() ? band / form_.group.h : (band - 1) * in_step_.h + last_y_ + 1;
  }
  std::int64_t slab_words() const { return slab_rows(band_) * slab_width_ * pixel_words(); }
  void multiply(const VectorKernels&, const std::uint32_t* slab, float* to, std::int64_t first, std::int64_t rows,
                const std::uint32_t* w, const float* bias, Ending) const;
  void pack_slab(const VectorKernels&, const float* from, std::int64_t first, std::int64_t band,
                 std::uint32_t* slab) const;
  void pack_pixels(const VectorKernels&, const float* from, std::int64_t y, std::int64_t x, std::int64_t count,
                   std::uint32_t* to) const;
  TileColumns columns(std::int64_t first, std::int64_t rows) const;
  TileProduct product(const std::uint32_t* slab, std::int64_t rows, const std::uint32_t* w, const float* bias) const;

  Lanes from_, to_;
  std::int64_t top_, left_, rows_, columns_;
  Pair in_step_, out_step_, out_first_, window_;
  Pooling pooling_ = Pooling::none;
  Form form_;
  std::int64_t last_y_ = 0, slab_width_ = 0, depth_ = 1, run_rows_ = 0, band_ = 1, part_ = 1, y_out_ = 0,
               out_step_words_ = 0;
  // places_: two weight offsets for each row of each run, for each pixel of a group; -1: none
  std::vector<std::int32_t> run_offset_, places_;
  bool by_output_columns_ = false;  // the order in which run() uses tiles; see TileColumns
  std::vector<std::int32_t> first_tile_, last_tile_;
  std::int64_t first_seen_ = 1 << 30, last_seen_ = 0;  // columns of the slab that those tiles read
  std::vector<std::int32_t> x_pixel_, y_pixel_;  // offsets within a band; y_pixel_: of windows where sums are pooled
};

}  // namespace nw::cpu
