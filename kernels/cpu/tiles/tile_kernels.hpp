// SPDX-License-Identifier: Apache-2.0
// The products of tiles, compiled once for each unit from the same sources. The interface is plain data only. Words and
// rows as in vector/tile_support.hpp; offsets count words in packed operands, floats elsewhere.
#pragma once
#include "kernels/cpu/vector/tile_support.hpp"

namespace nw::cpu {

/// Runs of adjacent rows of a packed operand.
struct TileRuns {
  const std::int32_t* offset;  // of the first row of each run, relative to a pixel
  std::int64_t count, rows;    // rows: of each run
  std::int64_t tiles() const { return (rows + tile_rows - 1) / tile_rows; }
};

/// Windows of 2 x 2 pixels of which only the largest sum is stored. The offsets of a product are then those of a
/// window's tiles, window by window, and `y_pixel` those of the windows.
struct TilePool {
  std::int32_t member[4];  // floats from the first sums of a window to those of each of its pixels, row by row
  std::uint8_t* argmax;    // null, or laid out as y: the index of that pixel in the window
};

/// Products whose runs are rows of taps, one directly below another. The offsets are then those of the columns of
/// outputs, one after another; a row of x is loaded once for the four adjacent outputs of a column that read it; rows
/// and tiles outside the image are skipped.
struct TileColumns {
  std::int64_t rows, column;  // rows: outputs of a column; column: offsets per column
  std::int64_t x_row;         // words
  std::int64_t first, last;   // rows of x inside the image, from the first output's first taps on
  // first_tile, last_tile: the tiles inside the image within a run, for each column
  const std::int32_t *first_tile, *last_tile;
};

/// y[o][pixel] = bias[o] + sum over the runs' rows k of w[o][k] * x[k], each over 16 lanes. With `group` > 1 an offset
/// refers to several adjacent pixels whose outputs fit into one tile: the rows of w are then those of the first pixel,
/// the second, …
struct TileProduct {
  const std::uint32_t* x;  // row: 16 lanes of two numbers each
  const std::int32_t *x_pixel, *y_pixel;
  std::int64_t pixels;
  TileRuns runs;
  const std::uint32_t* w;  // [tile of outs][run][tile of rows][16 outs][16]
  std::int64_t outs;
  const float* bias;  // null: zero
  bool relu;          // y = max(y, 0) at the end
  const float* gate;  // null, or laid out as y: y = 0 at the end where gate <= 0
  float* y;
  std::int64_t y_out;
  std::int64_t group = 1, y_next = 0;  // floats from one pixel of a group to the next
  const TilePool* pool = nullptr;
  const TileColumns* columns = nullptr;
};

/// acc[out tile][run][row tile][row][out] (+)= sum over pixels of x[pixel's run][row] * dy[pixel][out], over 32 images
/// each.
struct TileGradient {
  const std::uint32_t* x;        // row: 32 images; up to 16 rows after the last run may be read
  std::int64_t x_row, x_column;  // words from one pixel of dy to the next
  TileRuns runs;
  const std::uint32_t* dy;  // [out tile][row][column] tiles: 16 pairs of images, 16 outs
  std::int64_t rows, columns, out_tiles;
  float* acc;
  bool add;
};

/// acc[phase][product][m][n] (+)= sum over rows and the phase's groups of dy[row][group][m] * x[offset of the product's
/// columns in the group][n], over 32 images each. x is transposed, not dy, which is cheaper for images of few channels.
/// Group g belongs to phase g % phases: a tile whose rows cross cache lines takes six times as long to load, so the
/// numbers that a group reads begin at the start of a cache line.
struct TileCorrelation {
  const std::uint32_t* dy;         // [row][group][dy_group words]: dy_rows rows of 32 images
  std::int64_t dy_rows, dy_group;  // at most 16 rows
  const std::uint32_t* x;          // words of two images, x_pair of them from one pair of images to the next
  std::int64_t x_pair, x_row;      // x_row: from one row of dy to the next
  std::int64_t phases;
  const std::int32_t* x_phase;  // offset of the first group of each phase
  std::int64_t x_group;         // from one group of a phase to the next
  const std::int32_t* offset;   // of the columns of each product
  std::int64_t columns;         // at most 16: columns loaded from x, and computed of each row of acc
  std::int64_t products, rows, groups;
  float* acc;  // [phase][product][16][16]
  bool add;    // adds to the stored sums
};

/// dw[o][i] = sum over units of 32 images of dy[o] * x[i].
struct TileOuter {
  const std::uint32_t* dy;  // [unit][outs rounded up to 16] rows of 32 images
  const std::uint32_t* x;   // [unit][tile of ins]: 16 pairs of images, 16 ins
  std::int64_t units, outs, ins;
  float* dw;
  std::int64_t dw_out;
  double* squares = nullptr;  // their sum, except that a sum outside 1e-24 … 1e36 may be anything outside that range
};

/// One shard of a linear layer: y[o] = bias[o] + sum over rows k of w[o][k] * x[k], each over 16 lanes.
struct TileShard {
  const std::uint32_t* x;  // [tile of rows] 16 rows; zeros after the last one
  const std::uint32_t* w;  // [tile of outs][tile of rows][16 outs][16]
  std::int64_t row_tiles, outs;
  const float* bias;  // null: zero
  bool relu;          // as in TileProduct
  const float* gate;
  float* y;  // [outs][16]
};

struct TileKernels {
  const char* name;
  void (*product)(const TileProduct&);
  void (*gradient)(const TileGradient&);
  void (*outer)(const TileOuter&);
  void (*correlation)(const TileCorrelation&);
  void (*shard)(const TileShard&);
  void (*release)();  // called by a thread that stops using tiles
  /// Approximate cycles of the products of `outs` sums and `rows` rows of 16 lanes, at most 16 rows.
  double (*product_cycles)(std::int64_t outs, std::int64_t rows);
  TileSupport support;  // functions that are null: those of the vectors are used
};

/// From published figures of Sapphire Rapids: a product of whole tiles every 16 cycles, with a quarter more loads than
/// products; four products wait for each other for 52 cycles.
inline double amx_product_cycles(std::int64_t outs, std::int64_t rows) {
  const auto cut = [](std::int64_t n) { return n < tile_rows ? n : tile_rows; };
  const std::int64_t tiles = (outs + tile_rows - 1) / tile_rows, longer = cut(outs) > cut(rows) ? cut(outs) : cut(rows);
  return 1.25 * static_cast<double>((longer > 13 ? longer : 13) * tiles);
}

namespace emulated {
const TileKernels& tile_kernels();
}
#if defined(__x86_64__)
namespace amx {
const TileKernels& tile_kernels();
}
namespace avx512bf16 {
const TileKernels& tile_kernels();
}
#endif

}  // namespace nw::cpu
