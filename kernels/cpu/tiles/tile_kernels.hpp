// SPDX-License-Identifier: Apache-2.0
// The products of tiles, compiled once for each unit from the same sources. Only plain data crosses this border. Words
// and rows as in vector/tile_support.hpp; offsets count words in packed operands, floats elsewhere.
#pragma once
#include "kernels/cpu/vector/tile_support.hpp"

namespace nw::cpu {

/// Rows of a packed operand that follow one another.
struct TileRuns {
  const std::int32_t* offset;  // where each begins, from a pixel's place
  std::int64_t count, rows;    // each as many rows
  std::int64_t tiles() const { return (rows + tile_rows - 1) / tile_rows; }
};

/// Windows of 2 x 2 pixels whose largest sum is all that is kept. A product's places are then those of a window's
/// tiles, window by window, and `y_pixel` are the windows' own.
struct TilePool {
  std::int32_t member[4];  // floats from a window's first sums to those of each of its pixels, row by row
  std::uint8_t* argmax;    // null, or laid out as y: which of them it was
};

/// Products whose runs are rows of taps, one right below the other. Places are then those of a column of outputs after
/// the other, and a row of x is loaded once for the four outputs above each other that look at it; what lies outside
/// the image is left out.
struct TileColumns {
  std::int64_t rows, column;                   // of outputs; places from one column to the next
  std::int64_t x_row;                          // words
  std::int64_t first, last;                    // rows of x inside the image, from the first output's first taps on
  const std::int32_t *first_tile, *last_tile;  // the same within a run, for each column
};

/// y[o][pixel] = bias[o] + sum over the runs' rows k of w[o][k] * x[k], each over 16 lanes. With `group` > 1 a place is
/// that of several pixels side by side, all of whose outputs fit one tile: w's rows are then those of the first pixel,
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
  const std::uint32_t* x;        // row: 32 images; 16 rows may be read behind the last run
  std::int64_t x_row, x_column;  // words from one pixel of dy to the next
  TileRuns runs;
  const std::uint32_t* dy;  // [out tile][row][column] tiles: 16 pairs of images, 16 outs
  std::int64_t rows, columns, out_tiles;
  float* acc;
  bool add;
};

/// acc[phase][product][m][n] (+)= sum over rows and the phase's groups of dy[row][group][m] * x[place of the product's
/// columns from there][n], over 32 images each. What is turned is x, not dy: for images of few channels. Group g is of
/// phase g % phases: a tile whose rows begin within a line and end in the next one takes six times as long to load, so
/// what a group looks at begins where a line does.
struct TileCorrelation {
  const std::uint32_t* dy;         // [row][group][dy_group words]: dy_rows rows of 32 images
  std::int64_t dy_rows, dy_group;  // at most 16 rows
  const std::uint32_t* x;          // words of two images, x_pair of them from one pair of images to the next
  std::int64_t x_pair, x_row;      // x_row: from one row of dy to the next
  std::int64_t phases;
  const std::int32_t* x_phase;  // where the first group of each phase begins
  std::int64_t x_group;         // from one group of a phase to the next
  const std::int32_t* offset;   // of each product's columns
  std::int64_t columns;         // at most 16: what is loaded of x, and made of each row of acc
  std::int64_t products, rows, groups;
  float* acc;  // [phase][product][16][16]
  bool add;    // to what is there
};

/// dw[o][i] = sum over units of 32 images of dy[o] * x[i].
struct TileOuter {
  const std::uint32_t* dy;  // [unit][outs rounded up to 16] rows of 32 images
  const std::uint32_t* x;   // [unit][tile of ins]: 16 pairs of images, 16 ins
  std::int64_t units, outs, ins;
  float* dw;
  std::int64_t dw_out;
  double* squares = nullptr;  // their sum, unless it leaves float's good range: then anything beyond 1e-24 … 1e36
};

/// One shard of a linear layer: y[o] = bias[o] + sum over rows k of w[o][k] * x[k], each over 16 lanes.
struct TileShard {
  const std::uint32_t* x;  // [tile of rows] 16 rows; zeros behind the last one
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
  void (*release)();    // by a thread that is done with tiles for now
  TileSupport support;  // where null: the vectors' own
};

namespace emulated {
const TileKernels& tile_kernels();
}
#if defined(__x86_64__)
namespace amx {
const TileKernels& tile_kernels();
}
#endif

}  // namespace nw::cpu
