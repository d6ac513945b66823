// SPDX-License-Identifier: Apache-2.0
#include "engine/core/resize.hpp"
#include "engine/images/other_formats.hpp"

namespace nw::images {

bool reads_other_formats() { return false; }
std::optional<Image> decode_other(std::span<const std::uint8_t>, bool&) { return std::nullopt; }
Image resized_by_area(const Image& image, std::int64_t height, std::int64_t width) {
  return resized(image, height, width, Resampling::area);
}

}  // namespace nw::images
