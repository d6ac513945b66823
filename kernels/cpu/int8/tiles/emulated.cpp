// SPDX-License-Identifier: Apache-2.0
// Products on a unit of tiles in software, for tests.
#include "kernels/cpu/int8/tiles/tile_product.hpp"
#include "kernels/cpu/tiles/emulated_unit.hpp"

namespace nw::int8::amx_emulated {

void product(const Product& p, Range pixels, Range blocks) { tile_product<cpu::EmulatedUnit>(p, pixels, blocks); }

}  // namespace nw::int8::amx_emulated
