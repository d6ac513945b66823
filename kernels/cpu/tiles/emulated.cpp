// SPDX-License-Identifier: Apache-2.0
// The tile kernels on a unit in software: for tests, and for comparison with the processor's unit.
#include "kernels/cpu/tiles/emulated_unit.hpp"
#include "kernels/cpu/tiles/tile_outer.hpp"

namespace nw::cpu::emulated {

const TileKernels& tile_kernels() {
  static constexpr TileKernels table{"amx-emulated",        product<EmulatedUnit>,     gradient<EmulatedUnit>,
                                     outer<EmulatedUnit>,   correlation<EmulatedUnit>, shard<EmulatedUnit>,
                                     EmulatedUnit::release, amx_product_cycles,        {}};
  return table;
}

}  // namespace nw::cpu::emulated
