// SPDX-License-Identifier: Apache-2.0
// The first picture of a GIF, through giflib.
#pragma once
#include <optional>
#include <span>

#include "engine/core/image.hpp"

namespace nw::images {

/// The first frame as PIL's convert("RGB") takes it: on a canvas that holds the screen and the frame, around the frame
/// the transparent colour if there is one, else colour 0; transparency is dropped. Grey where the palette is. Nothing
/// for a file whose first frame is damaged or ends early, or whose canvas has more than 64 million pixels. Safe from
/// several threads.
std::optional<Image> decode_gif(std::span<const std::uint8_t> bytes);

}  // namespace nw::images
