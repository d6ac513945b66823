// SPDX-License-Identifier: Apache-2.0
// The kernels on the processor's tiles. Compiled for AVX-512 too; nothing here is inline elsewhere.
#include "kernels/cpu/tiles/amx_unit.hpp"
#include "kernels/cpu/tiles/tile_loops.hpp"

namespace nw::cpu::amx {

const TileKernels& tile_kernels() {
  static constexpr TileKernels table{"amx", product<AmxUnit>, gradient<AmxUnit>, outer<AmxUnit>};
  return table;
}

}  // namespace nw::cpu::amx
