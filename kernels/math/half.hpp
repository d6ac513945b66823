// SPDX-License-Identifier: Apache-2.0
// 16-bit numbers in memory: IEEE 754's binary16 and bfloat16. All arithmetic is in float; storing rounds to the
// nearest, ties to even. The bits are the same on every device: a GPU has an instruction for each conversion.
#pragma once
#include "kernels/math/bfloat16.hpp"

namespace nw::math {

NW_HOST_DEVICE inline std::uint32_t float_bits(float x) {
  std::uint32_t bits = 0;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
NW_HOST_DEVICE inline float bits_float(std::uint32_t bits) {
  float x = 0;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/// binary16: 11 significant bits, largest 65504; larger numbers become infinite.
NW_HOST_DEVICE inline std::uint16_t f16_bits(float x) {
  const std::uint32_t all = float_bits(x), sign = all >> 16 & 0x8000u, bits = all & 0x7FFFFFFFu;
  if (bits > 0x7F800000u) return static_cast<std::uint16_t>(sign | 0x7E00u | (bits >> 13 & 0x3FFu));
  if (bits >= 0x477FF000u) return static_cast<std::uint16_t>(sign | 0x7C00u);  // 65520 and more
  // Below the smallest normal number: if 0.5 is added, the last bit of the float has the value of a subnormal's.
  if (bits < 0x38800000u) return static_cast<std::uint16_t>(sign | (float_bits(bits_float(bits) + 0.5f) - 0x3F000000u));
  return static_cast<std::uint16_t>(sign | ((bits + 0xFFFu + (bits >> 13 & 1u) - 0x38000000u) >> 13));
}
NW_HOST_DEVICE inline float f16_value(std::uint16_t h) {
  const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000u) << 16, rest = h & 0x7FFFu;
  if (rest >= 0x7C00u) return bits_float(sign | 0x7F800000u | (rest & 0x3FFu) << 13);
  if (rest < 0x400u) return bits_float(sign | float_bits(static_cast<float>(rest) * 0x1p-24f));
  return bits_float(sign | ((rest << 13) + 0x38000000u));
}

struct Half {
  std::uint16_t bits;
  Half() = default;
  NW_HOST_DEVICE Half(float x) {
#if defined(__CUDA_ARCH__)
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
#else
    bits = f16_bits(x);
#endif
  }
  NW_HOST_DEVICE operator float() const {
#if defined(__CUDA_ARCH__)
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
#else
    return f16_value(bits);
#endif
  }
};

struct Bf16 {
  std::uint16_t bits;
  Bf16() = default;
  NW_HOST_DEVICE Bf16(float x) {
#if defined(__CUDA_ARCH__)
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
#else
    bits = static_cast<std::uint16_t>(float_bits(round_bf16(x)) >> 16);
#endif
  }
  NW_HOST_DEVICE operator float() const { return bits_float(static_cast<std::uint32_t>(bits) << 16); }
};

}  // namespace nw::math
