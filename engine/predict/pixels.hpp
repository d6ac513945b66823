// SPDX-License-Identifier: Apache-2.0
// Colour conversion and thumbnails; private to engine/predict.
#pragma once
#include "engine/core/image.hpp"

namespace nw::predicting {

/// Converts grey ↔ colour (ITU-R BT.601 weights, as in PIL).
Image with_channels(const Image&, std::int64_t channels);
/// Appends size × size RGBA pixels with the image centred and its aspect ratio kept. A larger image is reduced by the
/// mean of areas; a smaller one is enlarged without interpolation.
void append_rgba(const Image&, std::int64_t size, std::vector<std::uint8_t>& out);

}  // namespace nw::predicting
