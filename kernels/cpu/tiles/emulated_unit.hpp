// SPDX-License-Identifier: Apache-2.0
// A tile unit in software, with the same results as the processor's unit. Errors for which the processor raises an
// exception (a tile that is not configured, sizes that do not match) end the process here too.
#pragma once
#include "kernels/cpu/tiles/tile_unit.hpp"

namespace nw::cpu {

/// The state of the tiles and the effect of each instruction.
class TileFile {
 public:
  void configure(const TilePalette&);
  void release();
  void zero(int tile);
  void load(int tile, const void* from, std::int64_t stride);
  void store(int tile, void* to, std::int64_t stride) const;
  void multiply(int c, int a, int b);
  void multiply_bytes(int c, int a, int b);

 private:
  struct alignas(64) Tile {
    std::uint32_t words[16][16];
  };
  void check_sizes(int c, int a, int b) const;
  bool usable(int tile) const { return tile >= 0 && tile < tile_count && palette_.rows[tile] > 0; }
  TilePalette palette_{.palette = 0};
  Tile tiles_[tile_count];
};

class EmulatedUnit {
 public:
  explicit EmulatedUnit(const TilePalette& p) { file_.configure(p); }
  explicit EmulatedUnit(const TileSetup& s) : EmulatedUnit(s.palette(s.a, s.b)) {}
  static void release() {}
  template <int t>
  void zero() {
    file_.zero(t);
  }
  template <int t>
  void load(const void* from, std::int64_t stride) {
    file_.load(t, from, stride);
  }
  template <int t>
  void store(void* to, std::int64_t stride) const {
    file_.store(t, to, stride);
  }
  template <int c, int a, int b>
  void multiply() {
    file_.multiply(c, a, b);
  }
  template <int c, int a, int b>
  void multiply_bytes() {
    file_.multiply_bytes(c, a, b);
  }
  void stay_awake() {}

 private:
  TileFile file_;
};

}  // namespace nw::cpu
