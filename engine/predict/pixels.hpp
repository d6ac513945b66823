// SPDX-License-Identifier: Apache-2.0
// Resizing and colour of thumbnails; private to engine/predict.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace nw::predicting {

struct Pixels {
  std::int64_t height = 0, width = 0, channels = 1;
  std::vector<std::uint8_t> hwc;
};
/// Resizes: area mean if the image becomes smaller, bilinear if it becomes larger.
Pixels resized(const Pixels&, std::int64_t height, std::int64_t width);
/// Converts grey ↔ colour (ITU-R BT.601 weights, as PIL).
Pixels with_channels(const Pixels&, std::int64_t channels);
/// Appends size × size RGBA pixels with the image centred and its aspect ratio kept; small images are enlarged in whole
/// pixels.
void append_rgba(const Pixels&, std::int64_t size, std::vector<std::uint8_t>& out);

}  // namespace nw::predicting
