// SPDX-License-Identifier: Apache-2.0
// The images of tests/reference/make/make_resize_reference.py.
#pragma once
#include <algorithm>
#include <cmath>

#include "engine/core/image.hpp"

namespace nw::test {

inline Image noise_image(std::int64_t height, std::int64_t width, std::int64_t channels, std::uint32_t seed) {
  Image image{height, width, channels, {}};
  for (std::int64_t i = 0; i < height * width * channels; ++i) {
    seed = seed * 1664525u + 1013904223u;
    image.hwc.push_back(static_cast<std::uint8_t>(seed >> 24));
  }
  return image;
}

/// The largest difference of two bytes; 256 if the sizes differ.
inline int largest_difference(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  int most = a.size() == b.size() ? 0 : 256;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

}  // namespace nw::test
