// SPDX-License-Identifier: Apache-2.0
// bfloat16: the upper half of a float, as in Kalamkar et al., "A study of bfloat16 for deep learning training", 2019.
#pragma once
#include <string.h>

#include "kernels/math/philox.hpp"

namespace nw::math {

/// The nearest bfloat16, ties to even, as a float. Numbers beyond the largest become infinite; NaN stays NaN.
NW_HOST_DEVICE inline float round_bf16(float x) {
  std::uint32_t bits = 0;
  memcpy(&bits, &x, sizeof bits);
  const bool nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
  // a NaN's payload may be in the half that is removed
  bits = nan ? bits | 0x00400000u : bits + 0x7FFFu + (bits >> 16 & 1u);
  bits &= 0xFFFF0000u;
  memcpy(&x, &bits, sizeof bits);
  return x;
}

}  // namespace nw::math
