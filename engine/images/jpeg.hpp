// SPDX-License-Identifier: Apache-2.0
// JPEG through libjpeg itself, not through OpenCV: small photos are decoded several times as fast, CMYK is what PIL
// makes of it, and what libjpeg only warns of is seen.
#pragma once
#include <optional>
#include <span>

#include "engine/core/image.hpp"

namespace nw::images {

/// The pixels of a JPEG as they lie in the file: its EXIF orientation turns nothing. Sequential and progressive, any
/// subsampling, grey, YCbCr, RGB, CMYK and YCCK (inverted as Adobe writes them, as PIL takes all of them). Nothing for
/// a file whose data is damaged. Safe from several threads; throws std::bad_alloc.
std::optional<Image> decode_jpeg(std::span<const std::uint8_t> bytes);

}  // namespace nw::images
