// SPDX-License-Identifier: Apache-2.0
// A sweep whose products are made by tiles. An image's numbers are rounded and laid in rows of 64 bytes, two for each of 16 samples:
// two channels of a pixel, or (of few channels) the same channel of a pixel and of the one below it. Rows of a pixel, and pixels of an
// image row, follow one another, so that all that taps side by side look at is one run of rows. Of an odd number of rows of taps the
// last one's partner has no weights: what is not finite there makes the sum above it not finite too.
#pragma once
#include <functional>

#include "kernels/cpu/sweep.hpp"

namespace nw::cpu {

/// Where a weight lies: w[out * out_step + channel * channel_step + tap].
struct WeightPlaces {
  std::int64_t out_step, channel_step;
};

class TileSweep {
 public:
  /// `row_unit`: bands are whole units of rows. `packed`: outputs lie in parts of a band that stay in the first cache, see run_parts().
  TileSweep(const Sweep&, const Lanes& from, const Lanes& to, WeightPlaces, std::int64_t row_unit = 1, bool packed = false);

  std::int64_t out_tiles() const { return (to_.channels + tile_rows - 1) / tile_rows; }
  std::int64_t weight_words() const { return out_tiles() * tile_weights(); }
  /// Of one tile of outputs, into its place among weight_words().
  void pack_weights(const VectorKernels&, const float* w, std::int64_t tile, std::uint32_t* to) const;

  std::int64_t rows() const { return rows_; }
  std::int64_t scratch_bytes() const { return slab_words() * 4; }
  /// Output rows [first, last) of one shard.
  void run(const VectorKernels&, const float* from, float* to, std::int64_t first, std::int64_t last, const std::uint32_t* w, const float* bias,
           Ending, std::byte* scratch) const;
  /// Of a packed sweep: all rows, a part after the other at `part`, where a channel takes as many floats as a whole part;
  /// `after`(first row, rows) once one is there.
  void run_parts(const VectorKernels&, const float* from, float* part, const std::uint32_t* w, const float* bias, std::byte* scratch,
                 const std::function<void(std::int64_t row, std::int64_t rows)>& after) const;
  std::int64_t part_floats() const { return to_.channels * y_out_; }
  /// About what one of `shards` takes.
  double cycles(std::int64_t shards) const;

 private:
  void choose_form(const Sweep&);
  void lay_runs(const Sweep&, WeightPlaces);
  std::int64_t run_width(std::int64_t taps, std::int64_t group) const { return taps + (group - 1) * in_step_.w; }
  std::int64_t tile_weights() const { return run_count() * runs().tiles() * tile_words; }
  std::int64_t run_count() const { return static_cast<std::int64_t>(run_offset_.size()); }
  TileRuns runs() const { return {run_offset_.data(), run_count(), run_rows_}; }
  std::int64_t pixel_words() const { return depth_ * row_words; }
  std::int64_t slab_rows(std::int64_t band) const { return (band - 1) * in_step_.h + last_y_ + 1; }
  std::int64_t slab_words() const { return slab_rows(band_) * slab_width_ * pixel_words(); }
  void multiply(const VectorKernels&, const std::uint32_t* slab, float* to, std::int64_t rows, const std::uint32_t* w, const float* bias, Ending) const;
  void pack_slab(const VectorKernels&, const float* from, std::int64_t first, std::int64_t band, std::uint32_t* slab) const;
  void pack_pixels(const VectorKernels&, const float* from, std::int64_t y, std::int64_t x, std::int64_t count, std::uint32_t* to) const;

  Lanes from_, to_;
  std::int64_t top_, left_, rows_, columns_;
  Pair in_step_, out_step_, out_first_;
  std::int64_t last_y_ = 0, slab_width_ = 0, depth_ = 1, run_rows_ = 0, band_ = 1, part_ = 1, y_out_ = 0, out_step_words_ = 0;
  bool rows_paired_ = false;
  std::int64_t group_ = 1;                          // pixels side by side that share a tile: where there are few outputs
  std::vector<std::int32_t> run_offset_, places_;   // places_: of each pixel of a group and each run's rows, their two weights; -1: none
  std::vector<std::int32_t> x_pixel_, y_pixel_;     // of a band
};

}  // namespace nw::cpu
