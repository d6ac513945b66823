// SPDX-License-Identifier: Apache-2.0
// Whether this process can use AMX, and whether a tile unit computes correctly.
#pragma once
#include <string>

#include "kernels/cpu/tiles/tile_kernels.hpp"

namespace nw::cpu {

/// Empty: the processor has AMX for bfloat16 and the system lets this process use it, which is asked for the first time
/// this is called.
std::string amx_missing();
/// Empty: what `unit` makes of some products is what the emulated unit makes of them, bit for bit. Otherwise one
/// sentence.
std::string tiles_mismatch(const TileKernels& unit);

}  // namespace nw::cpu
