// SPDX-License-Identifier: Apache-2.0
// Products on the processor's tiles.
#include "kernels/cpu/int8/tiles/tile_product.hpp"
#include "kernels/cpu/tiles/amx_unit.hpp"

namespace nw::int8::amx {

void product(const Product& p, Range pixels, Range blocks) { tile_product<cpu::AmxUnit>(p, pixels, blocks); }

}  // namespace nw::int8::amx
