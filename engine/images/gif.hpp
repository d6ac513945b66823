// SPDX-License-Identifier: Apache-2.0
// Decodes the first frame of a GIF with giflib.
#pragma once
#include <optional>
#include <span>

#include "engine/core/image.hpp"

namespace nw::images {

/// The first frame as in PIL's convert("RGB"): on a canvas that contains the screen and the frame, filled with the
/// transparent colour if there is one, else with colour 0; transparency is dropped. Grey if the palette is grey.
/// Nullopt if the first frame is damaged or truncated, or if the canvas has more than 64 million pixels. Safe from
/// several threads.
std::optional<Image> decode_gif(std::span<const std::uint8_t> bytes);

}  // namespace nw::images
