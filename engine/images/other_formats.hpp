// SPDX-License-Identifier: Apache-2.0
// What OpenCV does here: BMP, WebP and TIFF, and resizing by areas as versions that knew no other way did. A program
// that is built without it (NETWRIGHT_OPENCV=OFF) reads the other formats only, and areas may differ by one level.
#pragma once
#include <optional>
#include <span>

#include "engine/core/image.hpp"

namespace nw::images {

/// Whether other formats can be decoded.
bool reads_other_formats();
/// The pixels as 8-bit grey or RGB, 16 bits as in decode_png(). Nullopt: damaged. Throws std::bad_alloc.
std::optional<Image> decode_other(std::span<const std::uint8_t> bytes, bool& clipped);

/// Resampling::area: OpenCV's INTER_AREA if an axis becomes shorter, else its INTER_LINEAR.
Image resized_by_area(const Image&, std::int64_t height, std::int64_t width);

}  // namespace nw::images
