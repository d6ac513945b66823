// SPDX-License-Identifier: Apache-2.0
// Resizes images and maps of numbers. Two resizers are not here: files of data sets whose resizing is "area" are
// resized by OpenCV (engine/images), because their bytes are part of a data set's hash; comparison_image() in
// engine/data/checks averages whole pixels, because its thresholds were measured that way.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/core/image.hpp"

namespace nw {

/// How each axis is resampled.
enum class Resampling : std::uint8_t {
  area,      // the mean of the covered pixels if the axis becomes shorter, bilinear if it becomes longer
  bilinear,  // between pixel centres; positions outside the outermost centres take the value of the edge
  nearest,   // element i takes the value of element floor(i * old / new)
  // bilinear over the support of the target pixel if the axis becomes shorter: PIL's resize with BILINEAR, thus
  // torchvision's Resize of PIL images, to the byte if PIL resizes rows before columns, else to one level
  antialiased,
};
/// The resizing of a data choice: "bilinear" is antialiased, "area", "nearest". Empty: no such name.
std::optional<Resampling> resampling_named(std::string_view);

/// The image in another size; sides are at least 1. Values are rounded to the nearest byte.
Image resized(const Image&, std::int64_t height, std::int64_t width, Resampling);
/// A map (height, width) of numbers in the size (to_height, to_width).
std::vector<float> resized(std::span<const float> map, std::int64_t height, std::int64_t width, std::int64_t to_height,
                           std::int64_t to_width, Resampling);

}  // namespace nw
