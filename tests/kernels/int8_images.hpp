// SPDX-License-Identifier: Apache-2.0
// Random images in whole numbers with a border, for tests of kernels/int8.hpp.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/int8.hpp"

namespace nw::int8 {

/// Images with `border` pixels of the zero point around each; what lies behind them is 255.
struct Images {
  std::int64_t count, height, width, channels, border;
  std::vector<std::uint8_t> bytes;

  Images(std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t c, std::int64_t b, std::int32_t zero)
      : count(n), height(h), width(w), channels(c), border(b) {
    bytes.assign(static_cast<std::size_t>(n * image() + slack_bytes), 255);
    std::fill(bytes.begin(), bytes.end() - slack_bytes, static_cast<std::uint8_t>(zero));
  }
  std::int64_t row() const { return (width + 2 * border) * channels; }
  std::int64_t image() const { return (height + 2 * border) * row(); }
  std::uint8_t& at(std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t c) {
    return bytes[static_cast<std::size_t>(n * image() + (y + border) * row() + (x + border) * channels + c)];
  }
  template <class Random>
  void fill(Random& random) {
    for (std::int64_t n = 0; n < count; ++n)
      for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
          for (std::int64_t c = 0; c < channels; ++c) at(n, y, x, c) = static_cast<std::uint8_t>(random() % 256);
  }
  View view() { return {&at(0, 0, 0, 0), height, width, channels, row(), image()}; }
};

}  // namespace nw::int8
