// SPDX-License-Identifier: Apache-2.0
// JPEG by libjpeg instead of OpenCV: small images are decoded several times as fast, CMYK is converted like in PIL, and
// libjpeg's warnings are available.
#pragma once
#include <optional>
#include <span>

#include "engine/core/image.hpp"
#include "engine/images/headers.hpp"

namespace nw::images {

/// The pixels of a JPEG as stored: the EXIF orientation is ignored. Sequential and progressive, any subsampling, grey,
/// YCbCr, RGB, CMYK and YCCK (treated as inverted like Adobe's, as in PIL). Nullopt for a damaged file, and for
/// one whose size is not that of `claim`. Safe from several threads; throws std::bad_alloc.
std::optional<Image> decode_jpeg(std::span<const std::uint8_t> bytes, const ImageHeader& claim);

}  // namespace nw::images
