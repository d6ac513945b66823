// SPDX-License-Identifier: Apache-2.0
// A step's images as bytes in memory.
#pragma once
#include "kernels/api.hpp"

namespace nw::test {

/// Scaled bytes from memory; images() computes the same values. `missing`: the sample without bytes in memory.
struct MemoryPixels final : StepInputs {
  std::vector<std::uint8_t> pixels;
  std::vector<PixelScale> channels{{0.1307F, 0.3081F}};
  std::int64_t per_image = 1, missing = -1;
  const std::uint8_t* bytes(std::int64_t i) const override {
    return i == missing ? nullptr : pixels.data() + i * per_image;
  }
  std::span<const PixelScale> scales() const override { return channels; }
  Status images(std::int64_t first, std::int64_t count, std::span<float> nhwc) const override {
    for (std::int64_t i = 0; i < count * per_image; ++i) {
      const auto at = static_cast<std::size_t>(first * per_image + i);
      const PixelScale& s = channels[static_cast<std::size_t>(i) % channels.size()];
      nhwc[static_cast<std::size_t>(i)] =
          at < pixels.size() ? (static_cast<float>(pixels[at]) / 255.0F - s.mean) / s.deviation : 0.0F;
    }
    return {};
  }
};

}  // namespace nw::test
