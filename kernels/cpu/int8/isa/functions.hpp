// SPDX-License-Identifier: Apache-2.0
// The functions of one instruction set, for its table.
#pragma once
#include "kernels/int8.hpp"

namespace nw::int8::NW_INT8_ISA {

void product(const Product&, Range pixels, Range blocks);
void depthwise(const Depthwise&, Range rows);
void pool(const Pool&, Range rows);
void pair(const Pair&, Range rows);
void quantize(const float* from, std::uint8_t* to, std::int64_t count, float scale, std::int32_t zero);

}  // namespace nw::int8::NW_INT8_ISA
