// SPDX-License-Identifier: Apache-2.0
// Whether this process can use AMX, and whether a tile unit computes correctly.
#pragma once
#include <string>

#include "kernels/cpu/tiles/tile_kernels.hpp"

namespace nw::cpu {

/// Empty: the processor has AMX for bfloat16 and the system permits it to this process; the first call requests the
/// permission.
std::string amx_missing();
/// Empty: `unit` computes the same results as the emulated unit for some products, bit for bit. Otherwise one sentence.
std::string tiles_mismatch(const TileKernels& unit);

}  // namespace nw::cpu
