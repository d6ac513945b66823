// SPDX-License-Identifier: Apache-2.0
// PNG by libpng.
#pragma once
#include <optional>
#include <span>

#include "engine/core/image.hpp"
#include "engine/images/headers.hpp"

namespace nw::images {

/// The pixels of a PNG: grey without alpha has one channel, everything else three; alpha, transparent colours, gamma
/// and profiles are ignored, as PIL's convert("RGB") does. Of 16 bits the upper 8 are kept, but grey values without
/// alpha are limited to 255, which sets `clipped`. Nullopt for a damaged file, and for one whose size is not that of
/// `claim`. Safe from several threads; throws std::bad_alloc.
std::optional<Image> decode_png(std::span<const std::uint8_t> bytes, const ImageHeader& claim, bool& clipped);

}  // namespace nw::images
