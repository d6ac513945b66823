// SPDX-License-Identifier: Apache-2.0
// The number that a network reads for a pixel's byte.
#pragma once
#include <cstdint>

namespace nw {

/// Mean and deviation of one channel, of pixel values scaled to 0 … 1.
struct PixelScale {
  float mean = 0, deviation = 1;
  bool operator==(const PixelScale&) const = default;
};

namespace math {

/// Every operation is rounded to f32. Always inlined, so that files for different instruction sets share no symbol.
[[gnu::always_inline]] inline float scaled_pixel(std::uint8_t value, const PixelScale& s) {
  return (static_cast<float>(value) / 255.0f - s.mean) / s.deviation;
}

}  // namespace math
}  // namespace nw
