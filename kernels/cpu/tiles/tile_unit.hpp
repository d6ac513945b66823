// SPDX-License-Identifier: Apache-2.0
// A unit that multiplies tiles of bfloat16, as Intel's AMX does: eight tiles of at most 16 rows of 64 bytes. A kernel
// is a template over the unit: AmxUnit (amx_unit.hpp) is the processor's, EmulatedUnit (emulated_unit.hpp) computes the
// same on any processor.
//
//   Unit unit(setup);               sets the tiles' sizes; their contents are undefined
//   Unit::release();                called by a thread after its last product, so that an idle thread holds no tiles
//   unit.template zero<t>();        tile t = 0
//   unit.template load<t>(p, s);    row i = its bytes at p + i * s; zeros beyond the tile's size
//   unit.template store<t>(p, s);   the reverse of load
//   unit.template multiply<c, a, b>();   c[m][n] += sum over k of a[m][2k] b[k][2n] + a[m][2k+1] b[k][2n+1], in the
//                                   order of vector/tile_multiply.cpp. The tiles must fit: rows of c and a, columns of
//                                   c and b, pairs of a and rows of b
//   unit.template multiply_bytes<c, a, b>();   whole numbers: c[m][n] += sum over k of the four unsigned bytes of
//                                   a[m][k] times the signed ones of b[k][n], in int32 without saturation
//   unit.stay_awake();              an addition of vectors. Sapphire Rapids powers its vector adder down after about
//                                   500 ns without one, and the next store of a tile then waits 280 ns (both
//                                   measured); needed in each loop over products
#pragma once
#include <cstdint>

namespace nw::cpu {

inline constexpr int tile_count = 8;

/// The operand of LDTILECFG. Unused tiles have no rows and no bytes.
struct alignas(64) TilePalette {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t bytes[tile_count] = {}, no_bytes[8] = {};  // of a row
  std::uint8_t rows[tile_count] = {}, no_rows[8] = {};
  constexpr void set(int tile, std::int64_t tile_rows, std::int64_t row_bytes) {
    if (tile_rows == 0 || row_bytes == 0) return;
    rows[tile] = static_cast<std::uint8_t>(tile_rows);
    bytes[tile] = static_cast<std::uint16_t>(row_bytes);
  }
};
static_assert(sizeof(TilePalette) == 64);

/// A palette together with its parameters, so that a palette which the thread's tiles already have is recognized
/// without building it: LDTILECFG takes 50 ns.
struct TileSetup {
  TilePalette (*palette)(std::int64_t a, std::int64_t b) = nullptr;
  std::int64_t a = 0, b = 0;
  bool operator==(const TileSetup&) const = default;
};

}  // namespace nw::cpu
