// SPDX-License-Identifier: Apache-2.0
// A sweep: outputs on a regular grid that read the input through the same taps. A convolution is one sweep; its input
// gradient is one sweep for each residue of the stride (Dumoulin and Visin, "A guide to convolution arithmetic", 2016,
// 4.6).
#pragma once
#include "kernels/cpu/support/kernels.hpp"

namespace nw::cpu {

struct Tap {
  std::int64_t y, x;
};

/// Geometry of a convolution per group, from a step's values and attributes.
struct ConvGeometry {
  Lanes x, y;
  Pair kernel, stride, padding, dilation;
  std::int64_t groups, in_per_group, out_per_group;
  /// A weight (outputs, inputs) is that of a linear layer over the channels of each pixel.
  ConvGeometry(const Step&, const Lanes& x, const Lanes& y, const Value& weight);
  std::int64_t taps() const { return kernel.h * kernel.w; }
  std::int64_t weight_row() const { return in_per_group * taps(); }  // weights of one output channel
};

/// A rectangle of input pixels, some of them outside the image, copied with zeros around:
/// [channels][height][width][16].
struct Slab {
  std::int64_t top, left, height, width;
  std::int64_t floats(std::int64_t channels) const { return channels * height * width * shard_samples; }
  bool inside(const Lanes& image) const {
    return top >= 0 && left >= 0 && top + height <= image.height && left + width <= image.width;
  }
};
void fill_slab(const Lanes& image, const float* from, std::int64_t channels, const Slab&, float* to);

/// The operation on a sum before it is stored: rectified; zero where gate (in the layout of the output) is <= 0.
struct Ending {
  bool relu = false;
  const float* gate = nullptr;
};

class Sweep {
 public:
  std::vector<Tap> taps;                // relative to the slab's origin; none: outputs are zero
  std::vector<std::int64_t> tap_index;  // the index of each tap's weight, ky * kw + kx
  std::int64_t top = 0, left = 0;       // slab origin of output row and column 0
  std::int64_t rows = 0, columns = 0;   // of the output grid
  Pair in_step{1, 1}, out_step{1, 1}, out_first{0, 0};
  std::int64_t row_unit = 1;  // bands consist of a multiple of this number of rows
  // for outputs consumed band by band: the channels of a band are adjacent
  bool packed = false;

  /// Chooses the partition of rows and channels so that the slab stays in the L2 cache. Called once, before run().
  void plan(const Lanes& in, const Lanes& out, std::int64_t channels, std::int64_t outs);
  std::int64_t scratch_bytes() const { return direct_ ? 0 : slab_of_band(0).floats(block_channels_) * 4; }
  /// Weights w[o][i * taps + t] at stride `weight_row`; from and to: the group's first channel of one shard.
  void run(const VectorKernels&, Part, const float* from, float* to, const float* w, std::int64_t weight_row,
           const float* bias, Ending, std::byte* scratch) const;

  /// For a packed sweep, band by band: `to` is then the memory of one band of band_floats() floats. Of each channel,
  /// rows_of(first) * columns * 16 floats are written.
  std::int64_t band_rows() const { return band_rows_; }
  std::int64_t rows_of(std::int64_t first_row) const { return std::min(band_rows_, rows - first_row); }
  std::int64_t band_floats() const { return outs_ * out_channel_; }
  void run_band(const VectorKernels& k, std::int64_t first_row, const float* from, float* to, const float* w,
                std::int64_t weight_row, const float* bias, Ending ending, std::byte* scratch) const {
    run_outs(k, first_row, 0, outs_, from, to, w, weight_row, bias, ending, scratch);
  }
  /// Approximate cycles of the products of one shard.
  double cycles() const {
    return 0.5 * static_cast<double>(rows * columns * channels_ * outs_ * static_cast<std::int64_t>(taps.size()));
  }

 private:
  void run_outs(const VectorKernels&, std::int64_t first_row, std::int64_t first, std::int64_t last, const float* from,
                float* to, const float* w, std::int64_t weight_row, const float* bias, Ending,
                std::byte* scratch) const;
  Slab slab_of_band(std::int64_t first_row) const;
  std::int64_t slab_rows(std::int64_t band) const;
  void choose_blocks();

  Lanes in_, out_;
  std::int64_t channels_ = 0, outs_ = 0, out_channel_ = 0, band_rows_ = 1, block_channels_ = 1, slab_width_ = 0;
  bool direct_ = false;
  std::vector<std::int32_t> tap_offset_, x_pixel_, y_pixel_;
};

/// The geometry of the part of the convolution that the windows of a fused pool cover.
ConvGeometry pooled_geometry(const Step&, const Lanes& x, const Lanes& pooled, const Value& weight);
Sweep forward_sweep(const ConvGeometry&);
/// The sweep whose outputs a pool with windows `window_rows` high consumes band by band; g.y is the part of the image
/// that the windows cover.
Sweep pooled_sweep(const ConvGeometry& g, std::int64_t window_rows);
std::vector<Sweep> input_gradient_sweeps(const ConvGeometry&);

}  // namespace nw::cpu
