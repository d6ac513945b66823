// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/tiles/emulated_unit.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/processor/candidate.hpp"

namespace nw::cpu {
namespace {

// Raises an undefined instruction, as the processor does.
void demand(bool allowed) {
  if (!allowed) __builtin_trap();
}

bool all_zero(const void* p, std::size_t bytes) {
  const auto* b = static_cast<const std::uint8_t*>(p);
  return std::all_of(b, b + bytes, [](std::uint8_t v) { return v == 0; });
}

}  // namespace

void TileFile::configure(const TilePalette& p) {
  demand(p.palette == 1 && p.start_row == 0 && all_zero(p.reserved, sizeof p.reserved) &&
         all_zero(p.no_bytes, sizeof p.no_bytes) && all_zero(p.no_rows, sizeof p.no_rows));
  for (int t = 0; t < tile_count; ++t)
    demand(p.rows[t] <= 16 && p.bytes[t] <= 64 && (p.rows[t] == 0) == (p.bytes[t] == 0));
  palette_ = p;
  std::memset(tiles_, 0, sizeof tiles_);
}

void TileFile::release() { palette_ = {.palette = 0}; }

void TileFile::zero(int tile) {
  demand(usable(tile));
  std::memset(&tiles_[tile], 0, sizeof(Tile));
}

void TileFile::load(int tile, const void* from, std::int64_t stride) {
  zero(tile);
  demand(palette_.bytes[tile] % 4 == 0);
  for (int i = 0; i < palette_.rows[tile]; ++i)
    std::memcpy(tiles_[tile].words[i], static_cast<const char*>(from) + i * stride, palette_.bytes[tile]);
}

void TileFile::store(int tile, void* to, std::int64_t stride) const {
  demand(usable(tile) && palette_.bytes[tile] % 4 == 0);
  for (int i = 0; i < palette_.rows[tile]; ++i)
    std::memcpy(static_cast<char*>(to) + i * stride, tiles_[tile].words[i], palette_.bytes[tile]);
}

void TileFile::check_sizes(int c, int a, int b) const {
  demand(usable(c) && usable(a) && usable(b) && c != a && c != b && a != b);
  const TilePalette& p = palette_;
  demand(p.rows[c] == p.rows[a] && p.bytes[c] == p.bytes[b] && p.bytes[a] == 4 * p.rows[b] && p.bytes[b] % 4 == 0);
}

void TileFile::multiply_bytes(int c, int a, int b) {
  check_sizes(c, a, b);
  for (int m = 0; m < palette_.rows[c]; ++m)
    for (int k = 0; k < palette_.rows[b]; ++k)
      for (int n = 0; n < palette_.bytes[c] / 4; ++n)
        for (int i = 0; i < 4; ++i) {
          const auto x = static_cast<std::uint8_t>(tiles_[a].words[m][k] >> (8 * i));
          const auto w = static_cast<std::int8_t>(tiles_[b].words[k][n] >> (8 * i));
          tiles_[c].words[m][n] += static_cast<std::uint32_t>(x * w);
        }
}

void TileFile::multiply(int c, int a, int b) {
  check_sizes(c, a, b);
  const TilePalette& p = palette_;
  best_vectors().tile.multiply({tiles_[a].words[0], tiles_[b].words[0], reinterpret_cast<float*>(tiles_[c].words[0]),
                                p.rows[c], p.rows[b], p.bytes[c] / 4});
}

}  // namespace nw::cpu
