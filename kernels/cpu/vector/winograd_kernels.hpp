// SPDX-License-Identifier: Apache-2.0
// Inner loops of r x r convolutions with stride 1 in Winograd's form F(m x m, r x r) (Lavin and Gray, "Fast Algorithms
// for Convolutional Neural Networks", 2016): n x n products, n = m + r - 1, replace r^2 m^2. Part of VectorKernels; the
// same rules apply.
//
// An image is divided into tiles of m x m outputs. A transformed channel of a tile is 16 lanes at each of n^2
// frequencies.
#pragma once
#include <cstdint>

namespace nw::cpu {

/// A row of tiles of `channels` images of one shard. The first pixel of tile t is (row, column + t * m); pixels outside
/// the image are zero.
struct TileRow {
  std::int64_t channels, height, width;  // of the image; channels are adjacent
  std::int64_t row, column, tiles;
  std::int64_t frequency, channel, tile;  // floats from one to the next, of the transformed
};

struct TileEnding {
  const float* bias;  // [channels], null: zero
  bool relu;
  const float* gate;  // null, or laid out as the image: zero where gate <= 0
};

/// w[out * w_out + in * w_in + tap] -> u[frequency][out][in].
struct TapWeights {
  const float* w;
  std::int64_t w_out, w_in, outs, ins;
  bool turned;  // both axes of the taps reversed
};

struct WinogradKernels {
  std::int64_t m, r;
  std::int64_t n() const { return m + r - 1; }
  /// n x n pixels from each tile's first pixel on -> n x n frequencies.
  void (*image)(const TileRow&, const float* image, float* transformed);
  /// m x m pixels -> n x n frequencies, which the weight gradient multiplies by the transformed image.
  void (*gradient)(const TileRow&, const float* dy, float* transformed);
  /// n x n frequencies -> m x m pixels; pixels outside the image are omitted.
  void (*result)(const TileRow&, const float* transformed, const TileEnding&, float* image);
  void (*weights)(const TapWeights&, std::int64_t first, std::int64_t last, float* u);  // for outs [first, last)
  /// du[frequency][out][in] -> dw[out][in][r][r] for outs [first, last).
  void (*weight_gradient)(const float* du, std::int64_t first, std::int64_t last, std::int64_t outs, std::int64_t ins,
                          float* dw);
};

/// All forms. For F(2x2, 5x5) and F(2x2, 7x7) the transforms cost as much as the products save.
using WinogradForms = const WinogradKernels* [3];

}  // namespace nw::cpu
