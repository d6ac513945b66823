// SPDX-License-Identifier: Apache-2.0
// Convolutions and linear layers on a unit of tiles (kernels/cpu/tiles/tile_unit.hpp): sixteen outputs with four blocks
// of channels at once. The inputs of the sixteen are copied beside each other first: a tile's rows lie at one distance.
#pragma once
#include <algorithm>
#include <vector>

#include "kernels/cpu/int8/isa/outputs.hpp"
#include "kernels/cpu/tiles/tile_unit.hpp"

namespace nw::int8::NW_INT8_ISA {
namespace {

constexpr i64 tile_rows = 16, tile_bytes = 64, columns = 4;
// Tiles 0 to 3 are sums.
constexpr int inputs_tile = 4, last_inputs = 5, weights_tile = 6, last_weights = 7;

/// `rest`: the inputs' bytes behind the last whole tile.
cpu::TilePalette palette(i64 rest, i64) {
  cpu::TilePalette p;
  for (int t = 0; t < columns; ++t) p.set(t, tile_rows, tile_bytes);
  p.set(inputs_tile, tile_rows, tile_bytes);
  p.set(weights_tile, tile_rows, tile_bytes);
  p.set(last_inputs, tile_rows, rest);
  p.set(last_weights, rest / 4, tile_bytes);
  return p;
}

/// The inputs of sixteen outputs, one row each.
struct Rows {
  std::vector<std::uint8_t> bytes;
  std::uint8_t* out[tile_rows];
  i64 width = 0, count = 0;

  void gather(const Product& p, Walk& walk, i64 outputs) {
    const i64 run = (p.run + 3) / 4 * 4;
    width = std::ssize(p.runs) * run;
    count = outputs;
    bytes.resize(static_cast<std::size_t>(tile_rows * width));
    for (i64 m = 0; m < count; ++m, walk.next()) {
      std::uint8_t* to = bytes.data() + m * width;
      for (const i64 offset : p.runs) {
        std::memcpy(to, walk.in() + offset, static_cast<std::size_t>(p.run));
        std::fill(to + p.run, to + run, std::uint8_t{0});
        to += run;
      }
      out[m] = walk.out();
    }
  }
};

template <class Unit, int b>
void multiply(Unit& unit, const Rows& rows, const std::int8_t* w, i64 whole) {
  unit.template load<weights_tile>(w + whole * block, tile_bytes);
  unit.template multiply_bytes<b, inputs_tile, weights_tile>();
  (void)rows;
}
template <class Unit, int b>
void multiply_rest(Unit& unit, const std::int8_t* w, i64 whole) {
  unit.template load<last_weights>(w + whole * block, tile_bytes);
  unit.template multiply_bytes<b, last_inputs, last_weights>();
}

template <class Unit, int b>
void store(const Unit& unit, const Product& p, const Rows& rows, i64 pixel, i64 at) {
  alignas(64) std::int32_t sums[tile_rows][block];
  unit.template store<b>(sums, tile_bytes);
  for (i64 m = 0; m < rows.count; ++m) finish(p, rows.out[m], pixel + m, at + b, load(sums[m]));
}

/// Blocks [at, at + B).
template <class Unit, int... b>
void tile(Unit& unit, const Product& p, const Rows& rows, i64 pixel, i64 at, std::integer_sequence<int, b...>) {
  const i64 each = rows.width * block, rest = rows.width % tile_bytes;
  const std::int8_t* w = p.constants->weights.data() + at * each;
  (unit.template zero<b>(), ...);
  i64 k = 0;
  for (; k + tile_bytes <= rows.width; k += tile_bytes) {
    unit.template load<inputs_tile>(rows.bytes.data() + k, rows.width);
    (multiply<Unit, b>(unit, rows, w + b * each, k), ...);
  }
  if (rest > 0) {
    unit.template load<last_inputs>(rows.bytes.data() + k, rows.width);
    (multiply_rest<Unit, b>(unit, w + b * each, k), ...);
  }
  (store<Unit, b>(unit, p, rows, pixel, at), ...);
}

template <class Unit>
void tile_product(const Product& p, Range pixels, Range blocks) {
  thread_local Rows rows;  // keeps its memory
  const i64 width = std::ssize(p.runs) * ((p.run + 3) / 4 * 4);
  Unit unit(cpu::TileSetup{palette, width % tile_bytes, 0});
  Walk walk(p, pixels.first);
  for (i64 at = pixels.first; at < pixels.last; at += tile_rows) {
    rows.gather(p, walk, std::min(tile_rows, pixels.last - at));
    i64 b = blocks.first;
    for (; b + columns <= blocks.last; b += columns) tile(unit, p, rows, at, b, std::make_integer_sequence<int, 4>());
    for (; b < blocks.last; ++b) tile(unit, p, rows, at, b, std::make_integer_sequence<int, 1>());
  }
  Unit::release();
}

}  // namespace
}  // namespace nw::int8::NW_INT8_ISA
